#include "core/lab/sweeps/sweep.h"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <span>

#include "core/base/text.h"
#include "core/base/version.h"
#include "core/lab/figures/figures.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

constexpr const char* kEmergedLabel = "share of networks that emerged";
constexpr const char* kFailedLabel = "share of networks that failed";

// A seed of the sweep's first cell at step 0, and what it has logged.
std::pair<Snapshot, MetricHistory> first_moment(const ExperimentInfo& experiment, const Settings& settings) {
    const std::unique_ptr<Study> study = experiment.make(settings);
    const std::unique_ptr<Experiment> seed = study->make_seed(0);
    std::vector<MetricRow> rows;
    seed->advance(0, rows);
    return {study->describe({seed.get()}), MetricHistory(study->metrics(), 1)};
}

// All scores that have a name: "emerged" if there is a rule, metrics, scalars.
std::vector<ScoreInfo> named_scores(const Snapshot& snapshot, const MetricTable& metrics, const std::string& rule) {
    std::vector<ScoreInfo> scores;
    if (!rule.empty()) scores.push_back({kEmergedScore, kEmergedLabel, rule, true});
    for (const MetricInfo& metric : metrics) scores.push_back({metric.name, metric.label, metric.help, metric.share});
    for (const Scalar& scalar : snapshot.scalars)
        if (find_named(scores, scalar.name) == nullptr)
            scores.push_back({scalar.name, scalar.label, scalar.help, scalar.counts_seeds});
    return scores;
}

Settings first_settings(const Sweep& sweep) { return settings_of(sweep, SweepCell(sweep.axes.size(), 0)); }

// The axis' name in the window.
std::string name_of(const Sweep& sweep, const SweepAxis& axis) {
    const FieldInfo& info = sweep.settings.info(axis.field);
    return info.label.empty() ? info.name : info.label;
}

constexpr int kFailedColor = 5;

std::string axis_label(const Sweep& sweep, const SweepAxis& axis) {
    const std::string& unit = sweep.settings.info(axis.field).unit;
    return name_of(sweep, axis) + (unit.empty() ? "" : ", " + unit);
}

// The text of an axis' value: a choice in words.
std::string value_text(const Sweep& sweep, const SweepAxis& axis, int place) {
    return value_in_words(sweep.settings.info(axis.field), axis.values[place]);
}

std::vector<Block> blocks_of(const Sweep& sweep, const SweepAxis& axis) {
    std::vector<double> numbers;
    for (const FieldValue& value : axis.values)
        if (const auto* number = std::get_if<double>(&value)) numbers.push_back(*number);
    const std::vector<std::string> labels = told_apart(numbers);
    std::vector<Block> blocks;
    for (size_t i = 0; i < axis.values.size(); ++i)
        blocks.push_back(
            {labels.size() == axis.values.size() ? labels[i] : value_text(sweep, axis, static_cast<int>(i)), 1});
    return blocks;
}

// The axes that the picture cuts at one value.
std::span<const SweepAxis> cut_axes(const Sweep& sweep) {
    return std::span(sweep.axes).subspan(std::min<size_t>(2, sweep.axes.size()));
}

// A computed cell that the picture shows.
struct ShownCell {
    int row, column;
    const CellScores* scores;
    CellMean mean;
};
std::vector<ShownCell> shown_cells(const Sweep& sweep, const SweepScores& scores, bool share) {
    std::vector<ShownCell> shown;
    for (int row = 0; row < sweep.rows(); ++row)
        for (int column = 0; column < sweep.columns(); ++column)
            if (const auto found = scores.find(shown_cell(sweep, column, row)); found != scores.end())
                shown.push_back({row, column, &found->second, mean_of_cell(found->second, sweep.score, share)});
    return shown;
}

// " Networks failed in 2 cells, which are marked and have no mean: 7 of 8 at gamma 0.9, n 5; 8 of 8 at ...."
std::string failed_caption(const Sweep& sweep, const std::vector<ShownCell>& cells) {
    if (cells.empty()) return "";
    constexpr size_t kMostNamed = 6;
    const auto first = std::span(cells).first(std::min(kMostNamed, cells.size()));
    const std::string named = listed(
        first,
        [&](const ShownCell& cell) {
            const SweepAxis* y = sweep.y();
            return fmt::format("{} of {} at {} {}", cell.mean.failed, cell.scores->size(), sweep.x().field,
                               value_text(sweep, sweep.x(), cell.column)) +
                   (y != nullptr ? fmt::format(", {} {}", y->field, value_text(sweep, *y, cell.row)) : "");
        },
        "; ");
    const size_t more = cells.size() - first.size();
    return fmt::format(" Networks failed in {}, which are marked and have no mean: {}{}.",
                       counted(cells.size(), "cell"), named, more > 0 ? fmt::format("; and {} more", more) : "");
}

std::string sweep_caption(const Sweep& sweep, const std::vector<ShownCell>& cells) {
    std::string changed = settings_list(sweep.settings, [&](const FieldInfo& field) {
        return sweep.settings.value(field.name) != field.default_value;
    });
    for (const SweepAxis& axis : cut_axes(sweep))
        changed +=
            fmt::format("{}{} = {}", changed.empty() ? "" : ", ", axis.field, value_text(sweep, axis, axis.shown));
    const auto known = count_if(cells, [&](const ShownCell& cell) { return is_whole(sweep, *cell.scores); });
    return fmt::format("{}{}Experiment {}, {} per cell, {} of {} cells{}{}. Emergence {}.", sweep.description,
                       sweep.description.empty() ? "" : " ", sweep.experiment->name, counted(sweep.seeds, "network"),
                       known, sweep.columns() * sweep.rows(), changed.empty() ? "" : "; ", changed, version());
}

// A number of each cell, rows x columns; NaN for a cell that is not computed or in which networks failed.
HeatmapSpec map_of(const Sweep& sweep, const std::vector<ShownCell>& cells, double CellMean::*number, const char* id,
                   const std::string& title, const ScoreInfo& score) {
    Table values(sweep.rows(), sweep.columns(), kMissing);
    CellMarks marks;
    marks.name = "networks failed";
    marks.color = kFailedColor;
    marks.chosen = false;
    for (const ShownCell& cell : cells) {
        if (cell.mean.failed == 0)
            values(cell.row, cell.column) = cell.mean.*number;
        else
            marks.cells.push_back({cell.row, cell.column});
    }
    HeatmapSpec map = plain_heatmap(id, title, values);
    map.row_blocks = blocks_of(sweep, *sweep.y());
    map.column_blocks = blocks_of(sweep, sweep.x());
    map.free_aspect = true;
    map.magnitudes = !any_of(values.values, [](double value) { return value < 0; });
    if (score.share) map.limit = 1.0;
    map.unit = score.label;
    map.note = fmt::format("rows: {}, columns: {}", axis_label(sweep, *sweep.y()), axis_label(sweep, sweep.x()));
    if (!marks.cells.empty()) map.marks.push_back(std::move(marks));
    return map;
}

PlotSpec curve_of(const Sweep& sweep, const std::vector<ShownCell>& cells, const ScoreInfo& score) {
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
    for (const ShownCell& cell : cells) {
        const std::vector<double> values = values_of(*cell.scores, sweep.score);
        const int failed = cell.mean.failed;
        series.x.push_back(places[cell.column]);
        for (size_t k = 0; k < series.rows.size(); ++k)
            series.rows[k].push_back(k < values.size() && failed == 0 ? values[k] : kMissing);
        if (failed > 0) plot.mark(fmt::format("{} of {} failed", failed, values.size()), places[cell.column]);
    }
    plot.add(std::move(series));
    return plot;
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

std::vector<SweepCell> cells_coarse_first(const Sweep& sweep) {
    const auto sizes = mapped(sweep.axes, [](const SweepAxis& axis) { return static_cast<int>(axis.values.size()); });
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

std::string default_title(const Sweep& sweep, const std::string& label) {
    std::string title = (label.empty() ? sweep.score : label) + ": ";
    for (size_t i = 0; i < sweep.axes.size(); ++i)
        title += (i == 0 ? "" : i + 1 < sweep.axes.size() ? ", " : " and ") + name_of(sweep, sweep.axes[i]);
    return title;
}

std::string folder_name(const Sweep& sweep) {
    return sweep.experiment->name + "-" + listed(sweep.axes, &SweepAxis::field, "-");
}

bool same_but_for_places(const Sweep& a, const Sweep& b) {
    if (a.experiment != b.experiment || a.axes.size() != b.axes.size()) return false;
    const FieldTable& fields = a.settings.fields();
    return all_of(
               fields,
               [&](const FieldInfo& field) { return a.settings.shown(field.name) == b.settings.shown(field.name); }) &&
           all_of(a.axes, [&b](const SweepAxis& axis) { return b.axis(axis.field) != nullptr; });
}

std::vector<ScoreInfo> scores_of(const ExperimentInfo& experiment, const Settings& settings) {
    const auto [snapshot, history] = first_moment(experiment, settings);
    return named_scores(snapshot, history.table(), experiment.emergence_rule);
}

Quantity score_quantity(const std::string& score) {
    Quantity quantity = parse_quantity(score);
    if (has_reduction(quantity))
        throw InputError(
            "\"{}\": is one number per run, but a score needs one number per network. Leave out mean( ) "
            "and the like; pictures show the mean",
            score);
    return quantity;
}

void check_score(const Sweep& sweep) {
    const std::string& rule = sweep.experiment->emergence_rule;
    const auto [snapshot, history] = first_moment(*sweep.experiment, first_settings(sweep));
    const std::vector<ScoreInfo> scores = named_scores(snapshot, history.table(), rule);
    if (find_named(scores, sweep.score) != nullptr) return;
    const std::string names = listed(scores, &ScoreInfo::name);
    if (sweep.score == kEmergedScore)
        throw InputError("score: '{}': experiment {} has no rule for it. Scores: {}", kEmergedScore,
                         sweep.experiment->name, names);
    try {
        (void)values({snapshot, history}, score_quantity(sweep.score));
    } catch (const InputError& error) {
        const bool one_word = sweep.score.find_first_of(" (") == std::string::npos;
        throw InputError(one_word ? fmt::format("score: '{}' is unknown. Scores: {}", sweep.score, names)
                                  : fmt::format("score: {}", error.what()));
    }
}

ScoreInfo score_of(const Sweep& sweep, const std::vector<ScoreInfo>& listed) {
    for (const ScoreInfo& score : listed)
        if (score.name == sweep.score && !score.label.empty()) return score;
    const bool emerged = sweep.score == kEmergedScore && !sweep.experiment->emergence_rule.empty();
    const bool failed = sweep.score == kFailedScore;
    return {sweep.score, emerged ? kEmergedLabel : failed ? kFailedLabel : sweep.score, "", emerged || failed};
}

ScoreInfo score_of(const Sweep& sweep) {
    try {
        return score_of(sweep, scores_of(*sweep.experiment, first_settings(sweep)));
    } catch (const std::exception&) {  // computing the cells will report the error
        return score_of(sweep, {});
    }
}

CellMean mean_of_cell(const CellScores& cell, const std::string& score, bool share) {
    std::vector<double> finite = filtered(values_of(cell, score), [](double value) { return std::isfinite(value); });
    const Summary summary = summarise(finite, false);
    const auto [low, high] =
        share ? share_interval(summary.mean, summary.count)
              : std::pair(summary.mean - summary.standard_error, summary.mean + summary.standard_error);
    return {summary.mean, low, high, summary.standard_error, count_failed(cell, score)};
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
    const std::vector<ShownCell> cells = shown_cells(sweep, scores, score.share);
    figure.caption = sweep_caption(sweep, cells) +
                     failed_caption(sweep, filtered(cells, [](const ShownCell& cell) { return cell.mean.failed > 0; }));
    figure.config = sweep_to_toml(sweep);
    figure.row_weights = {1};
    if (sweep.y() == nullptr) {
        if (score.share) figure.caption += " Band: Wilson's 95 % interval.";
        if (!score.share && sweep.seeds > 1) figure.caption += " Band: standard error over seeds.";
        figure.column_weights = {1};
        figure.width_inches = 7;
        figure.height_inches = 4.5;
        figure.cells = {{curve_of(sweep, cells, score), 0, 0}};
        return figure;
    }
    std::string what = score.label;
    for (const SweepAxis& axis : cut_axes(sweep))
        what += fmt::format(", {} {}", name_of(sweep, axis), value_text(sweep, axis, axis.shown));
    const auto add = [&](const char* id, const std::string& title, double CellMean::*number) {
        const int column = static_cast<int>(figure.cells.size());
        figure.cells.push_back({map_of(sweep, cells, number, id, title, score), 0, column});
    };
    add("mean", what, &CellMean::value);
    if (score.share) {
        add("low", "its 95 % interval from", &CellMean::low);
        add("high", "to", &CellMean::high);
        figure.caption += " Intervals: Wilson's.";
    } else if (sweep.seeds > 1) {
        add("error", "its standard error over seeds", &CellMean::standard_error);
    }
    figure.column_weights.assign(figure.cells.size(), 1.0);
    figure.width_inches = 6.0 * static_cast<double>(figure.cells.size());
    figure.height_inches = 4.6;
    return figure;
}

}  // namespace emergence
