#include "core/experiments/in_context_td_figure_runs.h"

#include <fmt/format.h>

#include <algorithm>

namespace emergence {

// VD is heavy-tailed: a seed that nearly diverges outweighs all others in a mean.
GridFigure similarity_figure(FigureRuns runs, const char* name, const char* number, const char* title,
                             int columns) {
    if (runs.grid.stopped) return runs.result;
    FigureSpec& figure = runs.result.figure;
    figure.name = name;
    figure.title = title;
    figure.caption = paper_caption(std::string(number) + " of Wang et al. 2025", runs,
                                   "Against batch TD whose step size is trained too, on the held-out bank.");
    const int count = static_cast<int>(runs.configs.size()), rows = (count + columns - 1) / columns;
    figure.column_weights.assign(static_cast<size_t>(columns), 1.0);
    figure.row_weights.assign(static_cast<size_t>(rows), 1.0);
    figure.width_inches = 4.6 * columns;
    figure.height_inches = 3.4 * rows + 0.4;
    double least_iws = 1.0, least_ss = 1.0, most_vd = 0.0;
    std::string each, vd_means;
    for (int i = 0; i < count; ++i) {
        const auto at = static_cast<size_t>(i);
        const FinishedRun& run = runs.grid.runs[at];
        PlotSpec plot = plot_of_run(run, "similarity", runs.configs[at].label);
        plot.id += fmt::format("_{}", i);
        figure.cells.push_back({std::move(plot), i / columns, i % columns});
        const Summary iws = final_summary(run, "implicit_weight_similarity");
        least_iws = std::min(least_iws, iws.mean);
        least_ss = std::min(least_ss, final_summary(run, "sensitivity_similarity").mean);
        const Summary vd = final_summary(run, "value_difference");
        most_vd = std::max(most_vd, vd.median);
        vd_means += fmt::format("{}{} {:.3g}", i == 0 ? "means " : ", ", runs.configs[at].label, vd.mean);
        each += fmt::format("{}{} {:.3f}", i == 0 ? "" : ", ", runs.configs[at].label, iws.mean);
    }
    const std::string prefix = name;
    runs.result.measured = {{prefix + "-iws", {least_iws, each}},
                            {prefix + "-ss", {least_ss, ""}},
                            {prefix + "-vd", {most_vd, vd_means}}};
    return runs.result;
}

}  // namespace emergence
