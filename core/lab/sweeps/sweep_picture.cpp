// sweep_figure: heatmaps over two fields, a curve over one.
#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "core/base/statistics.h"
#include "core/base/version.h"
#include "core/lab/sweeps/sweep_picture.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

std::string axis_label(const Sweep& sweep, const SweepAxis& axis) {
    const FieldInfo& info = sweep.settings.info(axis.field);
    const std::string label = info.label.empty() ? info.name : info.label;
    return info.unit.empty() ? label : fmt::format("{}, {}", label, info.unit);
}

// A choice in words; of paths, which may have one name, the names that tell them apart.
std::string value_text(const Sweep& sweep, const SweepAxis& axis, size_t index) {
    const FieldInfo& field = sweep.settings.info(axis.field);
    return field.choices.empty() ? shown_values(sweep, axis)[index] : value_in_words(field, axis.values[index]);
}

std::vector<Block> blocks_of(const Sweep& sweep, const SweepAxis& axis) {
    std::vector<Block> blocks;
    for (size_t i = 0; i < axis.values.size(); ++i) {
        const auto* number = std::get_if<double>(&axis.values[i]);
        blocks.push_back({number != nullptr ? fmt::format("{:.3g}", *number) : value_text(sweep, axis, i), 1});
    }
    return blocks;
}

std::string shown_value(const Sweep& sweep, const SweepAxis& axis) {
    return value_text(sweep, axis, static_cast<size_t>(axis.shown));
}

// Where the picture cuts through the axes that it does not show: "discount 0.9"; "" if it shows all.
std::string cut_text(const Sweep& sweep) {
    std::string text;
    for (size_t i = 2; i < sweep.axes.size(); ++i) {
        const FieldInfo& info = sweep.settings.info(sweep.axes[i].field);
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", info.label.empty() ? info.name : info.label,
                            shown_value(sweep, sweep.axes[i]));
    }
    return text;
}

std::string sweep_caption(const Sweep& sweep, int known) {
    std::vector<std::string> parts;
    for (const FieldInfo& field : sweep.settings.fields())
        if (sweep.settings.value(field.name) != field.default_value)
            parts.push_back(field.name + " = " + to_text(sweep.settings.shown(field.name)));
    for (size_t i = 2; i < sweep.axes.size(); ++i)
        parts.push_back(sweep.axes[i].field + " = " + shown_value(sweep, sweep.axes[i]));
    const std::string changed = fmt::format("{}", fmt::join(parts, ", "));
    return fmt::format("{}{}Experiment {}, {} seeds per cell, {} of {} cells{}{}. Emergence {}.", sweep.description,
                       sweep.description.empty() ? "" : " ", sweep.experiment->name, sweep.seeds, known,
                       sweep.columns() * sweep.rows(), changed.empty() ? "" : "; ", changed, version());
}

// A number of each cell, rows x columns; NaN for a cell that is not computed.
Table table_of(const Sweep& sweep, const SweepScores& scores, bool share, double (*number)(const CellMean&)) {
    Table table(sweep.rows(), sweep.columns(), std::numeric_limits<double>::quiet_NaN());
    for (int row = 0; row < sweep.rows(); ++row)
        for (int column = 0; column < sweep.columns(); ++column)
            if (const auto found = scores.find(shown_cell(sweep, column, row)); found != scores.end())
                table(row, column) = number(mean_of_cell(values_of(found->second, sweep.score), share));
    return table;
}

HeatmapSpec map_of(const Sweep& sweep, const Table& values, const char* id, const std::string& title,
                   const ScoreInfo& score) {
    HeatmapSpec map;
    map.id = id;
    map.title = title;
    map.values = map.raw = values;
    map.row_blocks = blocks_of(sweep, *sweep.y());
    map.column_blocks = blocks_of(sweep, sweep.x());
    map.free_aspect = true;
    double largest = 0.0;
    bool negative = false;
    for (const double value : values.values) {
        if (!std::isfinite(value)) continue;
        largest = std::max(largest, std::abs(value));
        negative = negative || value < 0;
    }
    map.magnitudes = !negative;
    map.limit = score.share ? 1.0 : largest > 0.0 ? largest : 1.0;
    map.largest = largest;
    map.unit = score.label;
    map.note = fmt::format("rows: {}, columns: {}", axis_label(sweep, *sweep.y()), axis_label(sweep, sweep.x()));
    return map;
}

PlotSpec curve_of(const Sweep& sweep, const SweepScores& scores, const ScoreInfo& score) {
    Plot plot("sweep", sweep.title);
    AxisBuilder x = plot.x(axis_label(sweep, sweep.x())).logarithmic(sweep.x().logarithmic);
    if (std::holds_alternative<int64_t>(sweep.settings.info(sweep.x().field).default_value)) x.whole();
    plot.y(score.label);
    double low = std::numeric_limits<double>::infinity(),
           high = -low;  // the final range, also for a partial sweep
    for (const FieldValue& value : sweep.x().values) {
        low = std::min(low, axis_number(sweep, sweep.x(), value));
        high = std::max(high, axis_number(sweep, sweep.x(), value));
    }
    if (low < high) x.from(low).to(high);
    Series series{score.label, {}, std::vector<std::vector<double>>(static_cast<size_t>(sweep.seeds)), 0};
    series.share = score.share;
    for (int column = 0; column < sweep.columns(); ++column) {
        const auto found = scores.find(shown_cell(sweep, column, 0));
        if (found == scores.end()) continue;
        const std::vector<double> values = values_of(found->second, sweep.score);
        series.x.push_back(axis_number(sweep, sweep.x(), sweep.x().values[column]));
        for (size_t k = 0; k < series.rows.size(); ++k)
            series.rows[k].push_back(k < values.size() ? values[k] : std::numeric_limits<double>::quiet_NaN());
    }
    plot.add(std::move(series));
    return plot;
}

}  // namespace

int count_shown(const Sweep& sweep, const SweepScores& scores) {
    int whole = 0;
    for (int row = 0; row < sweep.rows(); ++row)
        for (int column = 0; column < sweep.columns(); ++column) {
            const auto found = scores.find(shown_cell(sweep, column, row));
            if (found != scores.end() && is_whole(sweep, found->second)) ++whole;
        }
    return whole;
}

CellMean mean_of_cell(const std::vector<double>& seeds, bool share) {
    std::vector<double> finite;
    std::copy_if(seeds.begin(), seeds.end(), std::back_inserter(finite),
                 [](double value) { return std::isfinite(value); });
    const Summary summary = summarise(finite, false);
    if (!share)
        return {summary.mean, summary.mean - summary.standard_error, summary.mean + summary.standard_error,
                summary.standard_error};
    const auto [low, high] = share_interval(summary.mean, summary.count);
    return {summary.mean, low, high, summary.standard_error};
}

FigureSpec sweep_figure(const Sweep& sweep, const SweepScores& scores, const ScoreInfo& score) {
    FigureSpec figure;
    figure.name = "sweep";
    figure.title = sweep.title;
    figure.caption = sweep_caption(sweep, count_shown(sweep, scores));
    figure.config = sweep_to_toml(sweep, WholePaths::none);
    figure.row_weights = {1};
    if (sweep.y() == nullptr) {
        figure.caption += score.share ? " Band: Wilson's 95 % interval." : " Band: standard error over seeds.";
        figure.column_weights = {1};
        figure.width_inches = 7;
        figure.height_inches = 4.5;
        figure.cells = {{curve_of(sweep, scores, score), 0, 0}};
        return figure;
    }
    const std::string cut = cut_text(sweep);
    const std::string what = cut.empty() ? score.label : fmt::format("{}, {}", score.label, cut);
    const auto add = [&](const char* id, const std::string& title, double (*number)(const CellMean&)) {
        figure.cells.push_back({map_of(sweep, table_of(sweep, scores, score.share, number), id, title, score), 0,
                                static_cast<int>(figure.cells.size())});
    };
    add("mean", what, [](const CellMean& mean) { return mean.value; });
    if (score.share) {
        add("low", "its 95 % interval from", [](const CellMean& mean) { return mean.low; });
        add("high", "to", [](const CellMean& mean) { return mean.high; });
        figure.caption += " Intervals: Wilson's.";
    } else {
        add("error", "its standard error over seeds", [](const CellMean& mean) { return mean.standard_error; });
    }
    figure.column_weights.assign(figure.cells.size(), 1.0);
    figure.width_inches = 6.0 * static_cast<double>(figure.cells.size());
    figure.height_inches = 4.6;
    return figure;
}

}  // namespace emergence
