#include "core/pictures/figure_spec.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/pictures/matrix_cells.h"

namespace emergence {

double quantile(const std::vector<double>& sorted, double p) {
    const double position = p * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<size_t>(position);
    const size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

HeatmapSpec plain_heatmap(std::string id, std::string title, Table values) {
    HeatmapSpec map;
    map.id = std::move(id);
    map.title = std::move(title);
    map.largest = largest_entry(values);
    map.limit = map.largest > 0.0 ? map.largest : 1.0;
    map.values = map.raw = std::move(values);
    return map;
}

const ColorMap& color_map_of(const HeatmapSpec& heatmap) {
    return heatmap.magnitudes ? sequential_map() : diverging_map();
}

Summary summarise(const std::vector<std::vector<double>>& rows, size_t column) {
    std::vector<double> values;
    gather_column(rows, column, values);
    return summarise(values, true);
}

std::string plus_minus(const Summary& summary, int digits) {
    return std::isnan(summary.standard_error) ? "" : fmt::format(" \u00b1 {:.{}g}", summary.standard_error, digits);
}

void gather_column(const std::vector<std::vector<double>>& rows, size_t column, std::vector<double>& values) {
    values.clear();
    for (const auto& row : rows)
        if (column < row.size() && std::isfinite(row[column])) values.push_back(row[column]);
}

Summary summarise(std::vector<double>& values, bool quartiles) {
    Summary summary;
    summary.count = static_cast<int>(values.size());
    summary.median = summary.lower_quartile = summary.upper_quartile = kMissing;
    if (values.size() < 2) summary.deviation = summary.standard_error = kMissing;
    if (values.empty()) {
        summary.mean = kMissing;
        return summary;
    }
    const auto count = static_cast<double>(values.size());
    for (const double value : values) summary.mean += value / count;
    if (values.size() > 1) {
        double squares = 0.0;
        for (const double value : values) squares += (value - summary.mean) * (value - summary.mean);
        summary.deviation = std::sqrt(squares / (count - 1.0));
        summary.standard_error = std::sqrt(squares / (count - 1.0) / count);
    }
    if (!quartiles) return summary;
    std::sort(values.begin(), values.end());
    summary.median = quantile(values, 0.5);
    summary.lower_quartile = quantile(values, 0.25);
    summary.upper_quartile = quantile(values, 0.75);
    return summary;
}

SceneMoment moment_of(const Scene& scene, size_t moment) {
    check(scene.moments != nullptr && !scene.moments->empty(), "a scene has a moment");
    const size_t shown = std::min(moment, scene.moments->size() - 1);
    SceneMoment result{(*scene.moments)[shown], scene.plots};
    const double time = scene.first_time + static_cast<double>(shown);
    if (scene.moments->size() > 1)
        for (PlotSpec& plot : result.plots)
            plot.lines.push_back({fmt::format("{} = {:g}", plot.x.label, time), time, true});
    return result;
}

size_t typical_moment(const Scene& scene) { return scene.moments->size() / 2; }

FigureSpec scene_figure(const SceneMoment& moment) {
    // In inches; a drawing is a little wider than a plot.
    constexpr double kDrawing = 5.2, kPlot = 5.0, kLeastHeight = 3.8, kPlotHeight = 2.3;
    FigureSpec figure;
    const int rows = std::max(1, static_cast<int>(moment.plots.size()));
    figure.cells.push_back({moment.drawing, 0, 0, rows, 1});
    figure.column_weights = {kDrawing};
    figure.width_inches = kDrawing;
    if (!moment.plots.empty()) {
        figure.column_weights.push_back(kPlot);
        figure.width_inches += kPlot;
    }
    for (size_t i = 0; i < moment.plots.size(); ++i)
        figure.cells.push_back({moment.plots[i], static_cast<int>(i), 1, 1, 1});
    figure.row_weights.assign(static_cast<size_t>(rows), 1.0);
    figure.height_inches = std::max(kLeastHeight, kPlotHeight * rows) + 0.4;
    return figure;
}

}  // namespace emergence
