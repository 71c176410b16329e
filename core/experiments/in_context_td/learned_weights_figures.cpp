#include "core/experiments/in_context_td/learned_weights_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/experiments/in_context_td/other_networks_figures.h"
#include "core/experiments/in_context_td/similarity_figures.h"
#include "core/experiments/in_context_td/td_line_up.h"

namespace emergence {
namespace {

// One row per run: its matrices, then a curve.
void add_matrix_row(FigureSpec& figure, const FigureRuns& runs, size_t i,
                    const std::vector<std::string>& names) {
    const FinishedRun& run = runs.grid.runs[i];
    const std::string& label = runs.configs[i].label;
    const int row = static_cast<int>(i);
    int column = 0;
    for (const std::string& name : names) {
        HeatmapSpec heatmap = heatmap_of_run(run, name, MatrixView::Mode::scaled);
        heatmap.id += fmt::format("_{}", i);
        heatmap.title = fmt::format("{}, {}", name, label);
        figure.cells.push_back({std::move(heatmap), row, column++});
    }
    PlotSpec plot = plot_of_run(run, "element_wise", fmt::format("Entries of P and Q, {}", label));
    plot.id += fmt::format("_{}", i);
    figure.cells.push_back({std::move(plot), row, column});
}

GridFigure wang_4(const ExperimentInfo& info, const Settings& preset, const GridOptions& options) {
    FigureRuns runs = run_all(info,
                              {config_with("L = 1", preset, {{"num_layers", whole(1)}}),
                               config_with("L = 2", preset, {{"num_layers", whole(2)}}),
                               config_with("L = 4", preset, {{"num_layers", whole(4)}})},
                              options);
    if (runs.grid.stopped) return runs.result;
    FigureSpec& figure = runs.result.figure;
    figure.name = "wang-4";
    figure.title = "Autoregressive transformers of one, two and four layers";
    figure.caption =
        paper_caption("Figure 4 of Wang et al. 2025", runs,
                      "Matrices: signs aligned by P[-1,-1], mean over seeds, divided by the largest "
                      "entry.");
    figure.column_weights = {1, 1, 1.8};
    figure.row_weights = {1, 1, 1};
    figure.width_inches = 12;
    figure.height_inches = 10.5;
    for (size_t i = 0; i < runs.configs.size(); ++i) add_matrix_row(figure, runs, i, {"P0", "Q0"});

    const FinishedRun& one = runs.grid.runs[0];
    const Summary left = final_summary(one, "q_trace_upper_left");
    const Summary right = final_summary(one, "q_trace_upper_right");
    runs.result.measured = {{"wang-4-one-layer",
                             {std::abs(right.mean / left.mean),
                              fmt::format("traces {} and {}", mean_text(right), mean_text(left))}}};
    const char* const names[] = {"wang-4-always-1", "wang-4-always-2", "wang-4-always-4"};
    for (size_t i = 0; i < 3; ++i) {
        const Fraction emerged = emerged_fraction(runs.grid.runs[i].snapshot);
        runs.result.measured.push_back({names[i], {emerged.value, fraction_text(emerged)}});
    }
    return runs.result;
}

GridFigure wang_5(const ExperimentInfo& info, const Settings& preset, const GridOptions& options) {
    std::vector<GridConfig> configs;
    for (const int layers : {1, 2, 3, 4})
        configs.push_back(config_with(
            fmt::format("L = {}", layers), preset,
            {{"num_layers", whole(layers)}, {"d", whole(4)}, {"n", whole(30)}, {"num_states", whole(10)}}));
    configs.push_back({"L = 3, d = 8, n = 60, m = 20", preset});
    return similarity_figure(run_all(info, std::move(configs), options), "wang-5", "Figure 5",
                             "Autoregressive transformers against batch TD", 3);
}

}  // namespace

std::vector<MeasuredClaim> measure_wang_2(const Snapshot& snapshot, const MetricHistory& history) {
    const auto measured = [&](const char* claim, const char* metric) {
        const Summary all = summarise(final_values(snapshot, history, metric), 0);
        const Summary emerged = summarise(final_values(snapshot, history, metric, true), 0);
        return MeasuredClaim{
            claim, {all.mean, fmt::format("{}; those that emerged {}", mean_text(all), mean_text(emerged))}};
    };
    const Fraction emerged = emerged_fraction(snapshot);
    return {measured("wang-2-corner", "p_corner"),
            measured("wang-2-upper-left", "q_trace_upper_left"),
            measured("wang-2-upper-right", "q_trace_upper_right"),
            measured("wang-2-iws", "implicit_weight_similarity"),
            {"wang-2-always", {emerged.value, fraction_text(emerged)}}};
}

std::vector<GridFigureInfo> in_context_td_grid_figures() {
    return {{"wang-4", "Figure 4: what one, two and four layers learn", "wang-4", wang_4},
            {"wang-5", "Figure 5: how close to batch TD, by layers and size", "wang-5", wang_5},
            {"wang-6", "Figure 6: sequential layers against batch TD", "wang-6", figure_wang_6},
            {"wang-7", "Figure 7: what three sequential layers learn", "wang-7", figure_wang_7},
            {"wang-8", "Figure 8: softmax attention against batch TD", "wang-8", figure_wang_8},
            {"wang-10", "Figure 10: in-context TD emerges on CartPole", "wang-10", figure_wang_10},
            {"wang-11", "Figure 11: a recurrent network while it trains", "wang-11", figure_wang_11},
            {"wang-12", "Figure 12: recurrent networks and context length", "wang-12", figure_wang_12},
            {"pool", "How many worlds until it stops memorising", "pool", figure_pool},
            {"beyond", "Layers and context lengths beyond training", "beyond", figure_beyond},
            {"second-basin", "What each basin computes: families fitted to 30 networks", "second-basin",
             figure_line_up}};
}

}  // namespace emergence
