#include "core/pictures/scene.h"

#include <fmt/format.h>

#include "core/base/check.h"

namespace emergence {

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
