#include "core/experiments/in_context_td_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/experiments/figure_parts.h"

namespace emergence {
namespace {

using Change = std::pair<const char*, FieldValue>;

GridConfig config_with(std::string label, Settings settings, const std::vector<Change>& changes) {
    for (const auto& [name, value] : changes) settings.set(name, value);
    return {std::move(label), std::move(settings)};
}

FieldValue whole(int value) { return static_cast<int64_t>(value); }

Summary final_summary(const FinishedRun& run, const std::string& metric) {
    return summarise(final_values(run.snapshot, run.history, metric), 0);
}

// The runs, and a figure that still has no cells.
struct Runs {
    std::vector<GridConfig> configs;
    StudyGrid grid;
    GridFigure result;
};

Runs run_all(const ExperimentInfo& info, std::vector<GridConfig> configs, const GridOptions& options) {
    Runs runs{std::move(configs), {}, {}};
    runs.grid = run_studies(info, runs.configs, options);
    runs.result.failures = runs.grid.failures;
    runs.result.stopped = runs.grid.stopped;
    return runs;
}

// "L = 1: 30 of 30; L = 2: 24 of 30"
std::string emerged_text(const Runs& runs) {
    std::string text;
    for (size_t i = 0; i < runs.configs.size(); ++i) {
        const Fraction emerged = emerged_fraction(runs.grid.runs[i].snapshot);
        text += fmt::format("{}{}: {} of {}", i == 0 ? "" : "; ", runs.configs[i].label, emerged.count,
                            emerged.total);
    }
    return text;
}

std::string caption(const char* after, const Runs& runs, const char* what) {
    const Snapshot& first = runs.grid.runs.front().snapshot;
    return fmt::format(
        "After {} of Wang et al. 2025. {} All {} seeds ({}..) are pooled, {} {}. Emerged: {}. {}"
        "Curves: mean and standard error over seeds. Emergence {}.",
        after, what, first.seeds.size(), first.settings.integer("seed"), first.step, first.step_unit,
        emerged_text(runs),
        runs.grid.failures.empty()
            ? ""
            : fmt::format("{} runs failed and are left out. ", runs.grid.failures.size()),
        EMERGENCE_VERSION);
}

// One row a run: its matrices, then a curve.
void add_matrix_row(FigureSpec& figure, const Runs& runs, size_t i, const std::vector<std::string>& names) {
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
    Runs runs = run_all(info,
                        {config_with("L = 1", preset, {{"num_layers", whole(1)}}),
                         config_with("L = 2", preset, {{"num_layers", whole(2)}}),
                         config_with("L = 4", preset, {{"num_layers", whole(4)}})},
                        options);
    if (runs.grid.stopped) return runs.result;
    FigureSpec& figure = runs.result.figure;
    figure.name = "wang-4";
    figure.title = "Autoregressive transformers of one, two and four layers";
    figure.caption = caption("Figure 4", runs,
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

// A grid of similarity plots, and the least IWS and SS and the largest remaining VD among them.
GridFigure similarity_figure(Runs runs, const char* name, const char* number, const char* title,
                             int columns) {
    if (runs.grid.stopped) return runs.result;
    FigureSpec& figure = runs.result.figure;
    figure.name = name;
    figure.title = title;
    figure.caption =
        caption(number, runs, "Against batch TD whose step size is trained too, on the held-out bank.");
    const int count = static_cast<int>(runs.configs.size()), rows = (count + columns - 1) / columns;
    figure.column_weights.assign(static_cast<size_t>(columns), 1.0);
    figure.row_weights.assign(static_cast<size_t>(rows), 1.0);
    figure.width_inches = 4.6 * columns;
    figure.height_inches = 3.4 * rows + 0.4;
    double least_iws = 1.0, least_ss = 1.0, most_vd = 0.0;
    std::string each;
    for (int i = 0; i < count; ++i) {
        const auto at = static_cast<size_t>(i);
        const FinishedRun& run = runs.grid.runs[at];
        PlotSpec plot = plot_of_run(run, "similarity", runs.configs[at].label);
        plot.id += fmt::format("_{}", i);
        figure.cells.push_back({std::move(plot), i / columns, i % columns});
        const Summary iws = final_summary(run, "implicit_weight_similarity");
        least_iws = std::min(least_iws, iws.mean);
        least_ss = std::min(least_ss, final_summary(run, "sensitivity_similarity").mean);
        most_vd = std::max(most_vd, final_summary(run, "value_difference").mean);
        each += fmt::format("{}{} {:.3f}", i == 0 ? "" : ", ", runs.configs[at].label, iws.mean);
    }
    const std::string prefix = name;
    runs.result.measured = {{prefix + "-iws", {least_iws, each}},
                            {prefix + "-ss", {least_ss, ""}},
                            {prefix + "-vd", {most_vd, ""}}};
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
            {"wang-5", "Figure 5: how close to batch TD, by layers and size", "wang-5", wang_5}};
}

}  // namespace emergence
