// A plot in words.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/pictures/axis.h"
#include "core/pictures/describe.h"

namespace emergence {
namespace {

constexpr double kFlat = 0.03;     // of the height of the plot: no trend
constexpr size_t kMostLines = 16;  // that are described one by one

// The drawn points of a line, without gaps.
struct SpokenLine {
    std::string name;
    std::vector<double> x, y;
    std::optional<std::pair<double, double>> band;  // at its end
    bool ascending = true;
};

// Differences on a logarithmic axis are those of the logarithms.
double on_axis(double value, Scale scale) { return scale == Scale::logarithmic ? std::log10(value) : value; }

SpokenLine spoken_line(const PlotSpec& plot, const std::string& name, const SeriesShape& shape) {
    SpokenLine line{name, {}, {}, {}};
    for (size_t i = 0; i < shape.x.size() && i < shape.center.size(); ++i) {
        const double x = shape.x[i], y = shape.center[i];
        if (!std::isfinite(x) || !std::isfinite(y)) continue;
        if (plot.y.scale == Scale::logarithmic && y <= 0.0) continue;
        line.ascending = line.ascending && (line.x.empty() || x >= line.x.back());
        line.x.push_back(x);
        line.y.push_back(y);
        if (i < shape.band_low.size() && std::isfinite(shape.band_low[i]) && std::isfinite(shape.band_high[i]))
            line.band = {shape.band_low[i], shape.band_high[i]};
    }
    return line;
}

std::string axis_words(const char* which, const AxisSpec& axis, std::pair<double, double> range) {
    const std::string title = axis_title(axis);
    return fmt::format("The {} axis shows {} from {} to {}{}.", which, title.empty() ? "numbers" : title,
                       spoken(range.first), spoken(range.second),
                       axis.scale == Scale::logarithmic ? ", on a logarithmic scale" : "");
}

std::string statistics_words(const PlotSpec& plot) {
    std::ptrdiff_t rows = 0;  // with values: groups of networks have lines of their own
    for (const Series& series : plot.series)
        rows = std::max(rows, count_if(series.rows, [](const std::vector<double>& row) {
                            return row.empty() || any_of(row, [](double value) { return std::isfinite(value); });
                        }));
    if (rows <= 1) return "";
    const bool median = plot.spread == Spread::median, each = plot.spread == Spread::every_seed;
    const char* band = median                             ? "the quartiles"
                       : plot.spread == Spread::deviation ? "one standard deviation around them"
                                                          : "one standard error around them";
    const auto draws = [&](bool share) {
        return any_of(plot.series, [share](const Series& series) {
            return !series.hidden && series.rows.size() > 1 && series.share == share;
        });
    };
    const std::string words = fmt::format(
        "Lines are {} over {} {}s{}.", median ? "medians" : "means", rows, plot.row_word,
        each ? ", each of which has its own thin line" : fmt::format("; brackets give {} at the end", band));
    if (each || !draws(true)) return words;
    if (!draws(false))
        return fmt::format("Lines are shares of {} {}s; brackets give Wilson's 95 % interval at the end.", rows,
                           plot.row_word);
    return words + " Brackets of shares give Wilson's 95 % interval.";
}

// "falls from 1.4 at 0 to 0.3 at 4000 [0.2 to 0.4]"
std::string course_of(const SpokenLine& line, const PlotSpec& plot, double height) {
    const auto level = [&](size_t i) { return on_axis(line.y[i], plot.y.scale); };
    size_t low = 0, high = 0;
    for (size_t i = 1; i < line.y.size(); ++i) {
        if (level(i) < level(low)) low = i;
        if (level(i) > level(high)) high = i;
    }
    const size_t last = line.y.size() - 1;
    const auto at = [&](size_t i) { return fmt::format("{} at {}", spoken(line.y[i]), spoken(line.x[i])); };
    const std::string band =
        line.band ? fmt::format(" [{} to {}]", spoken(line.band->first), spoken(line.band->second)) : "";
    const std::string ends = fmt::format("from {} to {}{}", at(0), at(last), band);
    const double span = level(high) - level(low), net = level(last) - level(0);
    if (span <= kFlat * height) return fmt::format("stays near {}{}", spoken(line.y[last]), band);
    const bool turns_high = level(high) - std::max(level(0), level(last)) > 0.2 * span;
    const bool turns_low = std::min(level(0), level(last)) - level(low) > 0.2 * span;
    const auto goes = [](bool up) { return up ? "rises" : "falls"; };
    if (turns_high != turns_low) {
        const size_t turn = turns_high ? high : low;
        return fmt::format("begins at {}, {} to {}, then {} to {}{}", at(0), goes(turns_high), at(turn),
                           goes(!turns_high), at(last), band);
    }
    std::string text = turns_high || std::abs(net) < 0.3 * span ? fmt::format("varies {}", ends)
                                                                : fmt::format("{} {}", goes(net > 0.0), ends);
    const auto add_extreme = [&](const char* which, size_t i) {
        if (i == 0 || i == last ||
            std::min(std::abs(level(i) - level(0)), std::abs(level(i) - level(last))) <= 0.05 * span)
            return;
        text += fmt::format("; {} {}", which, at(i));
    };
    add_extreme("lowest", low);
    add_extreme("highest", high);
    return text;
}

std::string line_words(const SpokenLine& line, const PlotSpec& plot, double height) {
    if (line.y.empty()) return fmt::format("{}: no values yet.", line.name);
    if (line.y.size() == 1) return fmt::format("{}: {} at {}.", line.name, spoken(line.y[0]), spoken(line.x[0]));
    if (!line.ascending)
        return fmt::format("{}: a path from ({}, {}) to ({}, {}).", line.name, spoken(line.x.front()),
                           spoken(line.y.front()), spoken(line.x.back()), spoken(line.y.back()));
    return fmt::format("{} {}.", line.name, course_of(line, plot, height));
}

std::string marks_words(const SpokenLine& marks) {
    if (marks.x.empty()) return fmt::format("{}: no marks.", marks.name);
    if (marks.x.size() == 1)
        return fmt::format("{}: a mark at ({}, {}).", marks.name, spoken(marks.x[0]), spoken(marks.y[0]));
    const auto [x_low, x_high] = std::minmax_element(marks.x.begin(), marks.x.end());
    const auto [y_low, y_high] = std::minmax_element(marks.y.begin(), marks.y.end());
    return fmt::format("{}: {} marks, x from {} to {}, y from {} to {}.", marks.name, marks.x.size(), spoken(*x_low),
                       spoken(*x_high), spoken(*y_low), spoken(*y_high));
}

std::string bars_words(const std::string& name, const SeriesShape& shape) {
    size_t highest = 0;
    double total = 0.0;
    const size_t bars = shape.x.empty() ? 0 : std::min(shape.x.size() - 1, shape.center.size());
    for (size_t i = 0; i < bars; ++i) {
        if (!std::isfinite(shape.center[i])) continue;
        total += shape.center[i];
        if (!(shape.center[highest] >= shape.center[i])) highest = i;
    }
    if (bars == 0) return fmt::format("{}: no bars.", name);
    return fmt::format("{}: {} bars from {} to {}, {} in all; the highest, {}, from {} to {}.", name, bars,
                       spoken(shape.x.front()), spoken(shape.x.back()), spoken(total), spoken(shape.center[highest]),
                       spoken(shape.x[highest]), spoken(shape.x[highest + 1]));
}

void add_order(std::vector<const SpokenLine*> lines, std::vector<std::string>& sentences) {
    if (lines.size() < 2) return;
    std::stable_sort(lines.begin(), lines.end(),
                     [](const SpokenLine* a, const SpokenLine* b) { return a->y.back() < b->y.back(); });
    const auto end = [](const SpokenLine* line) { return fmt::format("{} {}", line->name, spoken(line->y.back())); };
    sentences.push_back(fmt::format("At the right end, from low to high: {}.", listed(lines, end)));
}

void add_guides(const PlotSpec& plot, std::vector<std::string>& sentences) {
    for (const ReferenceLine& line : plot.lines)
        sentences.push_back(fmt::format("A {} line marks {}{}.", line.vertical ? "vertical" : "horizontal",
                                        line.label.empty() ? "" : line.label + " at ", spoken(line.value)));
    for (const ShadedRange& range : plot.shaded)
        sentences.push_back(
            fmt::format("Shaded from {} to {}: {}.", spoken(range.from), spoken(range.to), range.label));
}

}  // namespace

std::string spoken(double value) { return std::abs(value) < 1000.0 ? readout(rounded(value, 3)) : readout(value); }

Description describe(const PlotSpec& plot) {
    Description said{plot.id, plot.title, {}};
    std::vector<std::string>& sentences = said.sentences;
    sentences.push_back(axis_words("x", plot.x, fit_x(plot)));
    const auto [low, high] = fit_y(plot);
    sentences.push_back(axis_words("y", plot.y, {low, high}));
    if (const std::string words = statistics_words(plot); !words.empty()) sentences.push_back(words);
    const std::vector<SeriesShape> shapes = shapes_of(plot);
    const std::vector<int> same = coinciding_series(plot);
    const double height = on_axis(high, plot.y.scale) - on_axis(low, plot.y.scale);
    std::vector<SpokenLine> lines;
    std::vector<std::string> hidden;
    size_t unnamed = 0, beyond = 0, described = 0;
    for (size_t i = 0; i < plot.series.size(); ++i) {
        const Series& series = plot.series[i];
        if (series.trail) continue;
        if (series.hidden)
            hidden.push_back(series.name);
        else if (same[i] >= 0 && !series.name.empty())
            sentences.push_back(fmt::format("{} lies on {}.", series.name, plot.series[same[i]].name));
        else if (series.name.empty())
            ++unnamed;
        else if (described++ >= kMostLines)
            ++beyond;
        else if (series.bars)
            sentences.push_back(bars_words(series.name, shapes[i]));
        else if (series.points)
            sentences.push_back(marks_words(spoken_line(plot, series.name, shapes[i])));
        else {
            lines.push_back(spoken_line(plot, series.name, shapes[i]));
            sentences.push_back(line_words(lines.back(), plot, height));
        }
    }
    if (beyond > 0) sentences.push_back(fmt::format("{} more lines are not described.", beyond));
    if (unnamed > 0) sentences.push_back(fmt::format("Lines without a name: {}.", unnamed));
    std::erase_if(lines, [](const SpokenLine& line) { return line.y.size() < 2 || !line.ascending; });
    std::vector<const SpokenLine*> to_the_end;
    for (const SpokenLine& line : lines)
        if (line.x.back() == lines.front().x.back()) to_the_end.push_back(&line);
    add_order(std::move(to_the_end), sentences);
    add_guides(plot, sentences);
    if (!hidden.empty()) sentences.push_back(fmt::format("Hidden: {}.", fmt::join(hidden, ", ")));
    if (!plot.readout.empty()) sentences.push_back(fmt::format("Read-out: {}.", plot.readout));
    return said;
}

}  // namespace emergence
