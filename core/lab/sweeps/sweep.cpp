#include "core/lab/sweeps/sweep.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <set>
#include <span>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/statistics.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

// The axis' name in the window.
std::string name_of(const Sweep& sweep, const SweepAxis& axis) {
    const FieldInfo& info = sweep.settings.info(axis.field);
    return info.label.empty() ? info.name : info.label;
}

}  // namespace

int Sweep::cells() const {
    int cells = 1;
    for (const SweepAxis& one : axes) cells *= static_cast<int>(one.values.size());
    return cells;
}

const SweepAxis* Sweep::axis(std::string_view field) const { return find_by(axes, &SweepAxis::field, field); }

double axis_number(const Sweep& sweep, const SweepAxis& axis, const FieldValue& value) {
    if (!std::holds_alternative<std::string>(value)) return number_of_field(value);
    const auto& choices = sweep.settings.info(axis.field).choices;
    return static_cast<double>(std::find(choices.begin(), choices.end(), std::get<std::string>(value)) -
                               choices.begin());
}

std::vector<SweepCell> cells_coarse_first(const std::vector<int>& sizes) {
    std::vector<SweepCell> order;
    std::set<SweepCell> seen;
    int stride = 1;
    while (stride < *std::max_element(sizes.begin(), sizes.end())) stride *= 2;
    for (; stride >= 1; stride /= 2) {
        SweepCell cell(sizes.size(), 0);
        // Counts through the multiples of the stride, the first axis fastest.
        for (size_t axis = 0; axis < sizes.size();) {
            if (axis == 0 && seen.insert(cell).second) order.push_back(cell);
            cell[axis] += stride;
            if (cell[axis] < sizes[axis])
                axis = 0;
            else
                cell[axis++] = 0;
        }
    }
    return order;
}

std::vector<SweepCell> cells_coarse_first(const Sweep& sweep) {
    return cells_coarse_first(
        mapped(sweep.axes, [](const SweepAxis& axis) { return static_cast<int>(axis.values.size()); }));
}

SweepCell shown_cell(const Sweep& sweep, int column, int row) {
    SweepCell cell;
    for (size_t i = 0; i < sweep.axes.size(); ++i) cell.push_back(i == 0 ? column : i == 1 ? row : sweep.axes[i].shown);
    return cell;
}

Settings settings_of(const Sweep& sweep, const SweepCell& cell) {
    Settings settings = sweep.settings;
    for (size_t i = 0; i < sweep.axes.size(); ++i) settings.set(sweep.axes[i].field, sweep.axes[i].values[cell[i]]);
    settings.set("seeds", static_cast<int64_t>(sweep.seeds));
    return settings;
}

std::vector<std::string> shown_values(const Sweep& sweep, const SweepAxis& axis) {
    const bool are_paths = sweep.settings.info(axis.field).reads.has_value();
    std::vector<std::string> shown;
    for (const FieldValue& value : axis.values) {
        const std::string text = are_paths ? without_place(to_text(value)) : to_text(value);
        std::string free = text;
        for (int i = 2; contains(shown, free); ++i) free = fmt::format("{} ({})", text, i);
        shown.push_back(free);
    }
    return shown;
}

std::string cell_label(const Sweep& sweep, const SweepCell& cell) {
    return listed(sweep.axes, [&](const SweepAxis& axis) {
        const auto i = static_cast<size_t>(&axis - sweep.axes.data());
        return fmt::format("{} = {}", axis.field, shown_values(sweep, axis)[cell[i]]);
    });
}

std::string default_title(const Sweep& sweep, const std::string& label) {
    std::string title = (label.empty() ? sweep.score : label) + ": ";
    for (size_t i = 0; i < sweep.axes.size(); ++i)
        title += (i == 0 ? "" : i + 1 < sweep.axes.size() ? ", " : " and ") + name_of(sweep, sweep.axes[i]);
    return title;
}

std::string folder_name(const Sweep& sweep) {
    std::string name = sweep.experiment->name;
    for (const SweepAxis& axis : sweep.axes) name += "-" + axis.field;
    return name;
}

bool same_but_for_places(const Sweep& a, const Sweep& b) {
    if (a.experiment != b.experiment || a.axes.size() != b.axes.size()) return false;
    const FieldTable& fields = a.settings.fields();
    return all_of(
               fields,
               [&](const FieldInfo& field) { return a.settings.shown(field.name) == b.settings.shown(field.name); }) &&
           all_of(a.axes, [&b](const SweepAxis& axis) { return b.axis(axis.field) != nullptr; });
}

// The figure of a sweep: heatmaps over two fields, a curve over one.

namespace {

constexpr int kFailedColor = 5;

std::string axis_label(const Sweep& sweep, const SweepAxis& axis) {
    const std::string& unit = sweep.settings.info(axis.field).unit;
    return name_of(sweep, axis) + (unit.empty() ? "" : ", " + unit);
}

// The text of an axis' value: a choice in words; for paths, names that tell them apart.
std::string value_text(const Sweep& sweep, const SweepAxis& axis, size_t index) {
    const FieldInfo& field = sweep.settings.info(axis.field);
    return field.choices.empty() ? shown_values(sweep, axis)[index] : value_in_words(field, axis.values[index]);
}

std::vector<Block> blocks_of(const Sweep& sweep, const SweepAxis& axis) {
    std::vector<double> numbers;
    for (const FieldValue& value : axis.values)
        if (const auto* number = std::get_if<double>(&value)) numbers.push_back(*number);
    const std::vector<std::string> labels = told_apart(numbers);
    std::vector<Block> blocks;
    for (size_t i = 0; i < axis.values.size(); ++i)
        blocks.push_back({labels.size() == axis.values.size() ? labels[i] : value_text(sweep, axis, i), 1});
    return blocks;
}

// The axes that the picture cuts at one value.
std::span<const SweepAxis> cut_axes(const Sweep& sweep) {
    return std::span(sweep.axes).subspan(std::min<size_t>(2, sweep.axes.size()));
}

std::string cut_value(const Sweep& sweep, const SweepAxis& axis) {
    return value_text(sweep, axis, static_cast<size_t>(axis.shown));
}

// Calls use(row, column, scores) for each computed cell that the picture shows.
template <class Use>
void each_shown(const Sweep& sweep, const SweepScores& scores, const Use& use) {
    for (int row = 0; row < sweep.rows(); ++row)
        for (int column = 0; column < sweep.columns(); ++column)
            if (const auto found = scores.find(shown_cell(sweep, column, row)); found != scores.end())
                use(row, column, found->second);
}

// The number of whole cells that the picture shows.
int count_shown(const Sweep& sweep, const SweepScores& scores) {
    int whole = 0;
    each_shown(sweep, scores, [&](int, int, const CellScores& cell) { whole += is_whole(sweep, cell) ? 1 : 0; });
    return whole;
}

std::vector<CellMarks::Cell> failed_cells(const Sweep& sweep, const SweepScores& scores) {
    std::vector<CellMarks::Cell> found;
    each_shown(sweep, scores, [&](int row, int column, const CellScores& cell) {
        if (count_failed(cell, sweep.score) > 0) found.push_back({row, column});
    });
    return found;
}

// " Networks failed in 2 cells, which are marked and have no mean: 7 of 8 at gamma 0.9, n 5; 8 of 8 at ...."
std::string failed_caption(const Sweep& sweep, const SweepScores& scores, const std::vector<CellMarks::Cell>& cells) {
    if (cells.empty()) return "";
    constexpr size_t kMostNamed = 6;
    std::string text = fmt::format(" Networks failed in {} cell{}, which are marked and have no mean: ", cells.size(),
                                   cells.size() == 1 ? "" : "s");
    for (size_t i = 0; i < std::min(kMostNamed, cells.size()); ++i) {
        const auto& [row, column] = cells[i];
        const CellScores& cell = scores.at(shown_cell(sweep, column, row));
        text += fmt::format("{}{} of {} at {} {}", i == 0 ? "" : "; ", count_failed(cell, sweep.score), cell.size(),
                            sweep.x().field, value_text(sweep, sweep.x(), static_cast<size_t>(column)));
        if (sweep.y() != nullptr)
            text += fmt::format(", {} {}", sweep.y()->field, value_text(sweep, *sweep.y(), static_cast<size_t>(row)));
    }
    if (cells.size() > kMostNamed) text += fmt::format("; and {} more", cells.size() - kMostNamed);
    return text + ".";
}

std::string sweep_caption(const Sweep& sweep, int known) {
    std::vector<std::string> parts;
    for (const FieldInfo& field : sweep.settings.fields())
        if (sweep.settings.value(field.name) != field.default_value)
            parts.push_back(field.name + " = " + to_text(sweep.settings.shown(field.name)));
    for (const SweepAxis& axis : cut_axes(sweep)) parts.push_back(axis.field + " = " + cut_value(sweep, axis));
    const std::string changed = fmt::format("{}", fmt::join(parts, ", "));
    return fmt::format("{}{}Experiment {}, {} per cell, {} of {} cells{}{}. Emergence {}.", sweep.description,
                       sweep.description.empty() ? "" : " ", sweep.experiment->name, counted(sweep.seeds, "network"),
                       known, sweep.columns() * sweep.rows(), changed.empty() ? "" : "; ", changed, version());
}

// A number of each cell, rows x columns; NaN for a cell that is not computed or in which networks failed.
Table table_of(const Sweep& sweep, const SweepScores& scores, bool share, double (*number)(const CellMean&)) {
    Table table(sweep.rows(), sweep.columns(), kMissing);
    each_shown(sweep, scores, [&](int row, int column, const CellScores& cell) {
        const CellMean mean = mean_of_cell(cell, sweep.score, share);
        if (mean.failed == 0) table(row, column) = number(mean);
    });
    return table;
}

HeatmapSpec map_of(const Sweep& sweep, const Table& values, const std::vector<CellMarks::Cell>& failed, const char* id,
                   const std::string& title, const ScoreInfo& score) {
    HeatmapSpec map = plain_heatmap(id, title, values);
    map.row_blocks = blocks_of(sweep, *sweep.y());
    map.column_blocks = blocks_of(sweep, sweep.x());
    map.free_aspect = true;
    map.magnitudes = !any_of(values.values, [](double value) { return value < 0; });
    if (score.share) map.limit = 1.0;
    map.unit = score.label;
    map.note = fmt::format("rows: {}, columns: {}", axis_label(sweep, *sweep.y()), axis_label(sweep, sweep.x()));
    if (failed.empty()) return map;
    CellMarks& marks = map.marks.emplace_back();
    marks.name = "networks failed";
    marks.color = kFailedColor;
    marks.chosen = false;
    marks.cells = failed;
    return map;
}

PlotSpec curve_of(const Sweep& sweep, const SweepScores& scores, const ScoreInfo& score) {
    Plot plot("sweep", sweep.title);
    AxisBuilder x = plot.x(axis_label(sweep, sweep.x())).logarithmic(sweep.x().logarithmic);
    if (std::holds_alternative<int64_t>(sweep.settings.info(sweep.x().field).default_value)) x.whole();
    plot.y(score.label);
    // Of all cells, also of those that are missing.
    const std::vector<double> places =
        mapped(sweep.x().values, [&](const FieldValue& value) { return axis_number(sweep, sweep.x(), value); });
    const auto [low, high] = std::minmax_element(places.begin(), places.end());
    if (*low < *high) x.from(*low).to(*high);
    Series series{score.label, {}, std::vector<std::vector<double>>(static_cast<size_t>(sweep.seeds)), 0};
    series.share = score.share;
    each_shown(sweep, scores, [&](int, int column, const CellScores& cell) {
        const std::vector<double> values = values_of(cell, sweep.score);
        const double at = places[column];
        const int failed = count_failed(cell, sweep.score);
        series.x.push_back(at);
        for (size_t k = 0; k < series.rows.size(); ++k)
            series.rows[k].push_back(k < values.size() && failed == 0 ? values[k] : kMissing);
        if (failed > 0) plot.mark(fmt::format("{} of {} failed", failed, values.size()), at);
    });
    plot.add(std::move(series));
    return plot;
}

}  // namespace

CellMean mean_of_cell(const CellScores& cell, const std::string& score, bool share) {
    std::vector<double> finite = filtered(values_of(cell, score), [](double value) { return std::isfinite(value); });
    const Summary summary = summarise(finite, false);
    const auto [low, high] =
        share ? share_interval(summary.mean, summary.count)
              : std::pair(summary.mean - summary.standard_error, summary.mean + summary.standard_error);
    return {summary.mean, low, high, summary.standard_error, summary.count, count_failed(cell, score)};
}

std::string failed_text(const Sweep& sweep, const SweepScores& scores) {
    size_t networks = 0;
    int failed = 0, cells = 0;
    for (const auto& [place, cell] : scores) {
        const int here = count_failed(cell, sweep.score);
        networks += cell.size();
        failed += here;
        cells += here > 0 ? 1 : 0;
    }
    return failed == 0
               ? ""
               : fmt::format("{} of {} networks failed, in {} of {} cells", failed, networks, cells, scores.size());
}

FigureSpec sweep_figure(const Sweep& sweep, const SweepScores& scores, const ScoreInfo& score) {
    FigureSpec figure;
    figure.name = "sweep";
    figure.title = sweep.title;
    const std::vector<CellMarks::Cell> failed = failed_cells(sweep, scores);
    figure.caption = sweep_caption(sweep, count_shown(sweep, scores)) + failed_caption(sweep, scores, failed);
    figure.config = sweep_to_toml(sweep, WholePaths::none);
    figure.row_weights = {1};
    if (sweep.y() == nullptr) {
        if (score.share) figure.caption += " Band: Wilson's 95 % interval.";
        if (!score.share && sweep.seeds > 1) figure.caption += " Band: standard error over seeds.";
        figure.column_weights = {1};
        figure.width_inches = 7;
        figure.height_inches = 4.5;
        figure.cells = {{curve_of(sweep, scores, score), 0, 0}};
        return figure;
    }
    std::string what = score.label;
    for (const SweepAxis& axis : cut_axes(sweep))
        what += fmt::format(", {} {}", name_of(sweep, axis), cut_value(sweep, axis));
    const auto add = [&](const char* id, const std::string& title, double (*number)(const CellMean&)) {
        figure.cells.push_back({map_of(sweep, table_of(sweep, scores, score.share, number), failed, id, title, score),
                                0, static_cast<int>(figure.cells.size())});
    };
    add("mean", what, [](const CellMean& mean) { return mean.value; });
    if (score.share) {
        add("low", "its 95 % interval from", [](const CellMean& mean) { return mean.low; });
        add("high", "to", [](const CellMean& mean) { return mean.high; });
        figure.caption += " Intervals: Wilson's.";
    } else if (sweep.seeds > 1) {
        add("error", "its standard error over seeds", [](const CellMean& mean) { return mean.standard_error; });
    }
    figure.column_weights.assign(figure.cells.size(), 1.0);
    figure.width_inches = 6.0 * static_cast<double>(figure.cells.size());
    figure.height_inches = 4.6;
    return figure;
}

}  // namespace emergence
