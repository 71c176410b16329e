#include "core/experiments/in_context_td/similarity_figures.h"

#include <fmt/format.h>

#include <algorithm>

namespace emergence {
namespace {

// The least of the panels' means over seeds; the detail has each panel's mean, and the mean of its seeds that
// emerged.
Measurement least_similarity(const FigureRuns& runs, const char* metric) {
    Measurement least{1.0, ""};
    for (size_t i = 0; i < runs.configs.size(); ++i) {
        const FinishedRun& run = runs.grid.runs[i];
        const double mean = final_summary(run, metric).mean;
        const Summary emerged = summarise(final_values(run.snapshot, run.history, metric, true), 0);
        least.value = std::min(least.value, mean);
        least.detail += fmt::format("{}{} {:.3f}", i == 0 ? "" : ", ", runs.configs[i].label, mean);
        if (emerged.count > 0) least.detail += fmt::format(" (emerged {:.3f})", emerged.mean);
    }
    return least;
}

// The largest ratio of final to initial VD. VD is heavy-tailed: one seed that nearly diverges outweighs the
// others in a mean, so the detail has medians too.
Measurement largest_difference(const FigureRuns& runs) {
    Measurement largest;
    for (size_t i = 0; i < runs.configs.size(); ++i) {
        const FinishedRun& run = runs.grid.runs[i];
        std::vector<std::vector<double>> first;
        for (int k = 0; k < run.history.num_seeds(); ++k)
            if (const auto& column = run.history.column("value_difference", k); !column.empty())
                first.push_back({column.front()});
        const Summary last = final_summary(run, "value_difference");
        const double start = summarise(first, 0).mean;
        largest.value = std::max(largest.value, last.mean / start);
        largest.detail += fmt::format("{}{} from {:.3g} to {:.3g}, median {:.3g}", i == 0 ? "" : ", ",
                                      runs.configs[i].label, start, last.mean, last.median);
    }
    return largest;
}

}  // namespace

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
    for (int i = 0; i < count; ++i) {
        const auto at = static_cast<size_t>(i);
        PlotSpec plot = plot_of_run(runs.grid.runs[at], "similarity", runs.configs[at].label);
        plot.id += fmt::format("_{}", i);
        figure.cells.push_back({std::move(plot), i / columns, i % columns});
    }
    const std::string prefix = name;
    runs.result.measured = {{prefix + "-iws", least_similarity(runs, "implicit_weight_similarity")},
                            {prefix + "-ss", least_similarity(runs, "sensitivity_similarity")},
                            {prefix + "-vd", largest_difference(runs)}};
    return runs.result;
}

}  // namespace emergence
