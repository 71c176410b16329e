#include "core/experiments/regression/regression_theorems.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/version.h"
#include "core/experiments/figure_runs.h"
#include "core/experiments/regression/regression_study.h"
#include "core/experiments/table_of.h"
#include "core/measures/identity_distance.h"

namespace emergence {
namespace {

// How far the trained A is from Sigma^-1, after the best scale.
double error_against_inverse(const FinishedRun& run) {
    const auto config = config_from<RegressionConfig>(run.snapshot.settings);
    const RegressionWeights seed = regression_weights(config, run.snapshot).front();
    return error_after_scaling(seed.weights.A(0), -seed.covariance.power(-1));
}

void begin(FigureRuns& runs, const char* name, const char* title, int rows, int columns) {
    FigureSpec& figure = runs.result.figure;
    figure.name = name;
    figure.title = title;
    figure.row_weights.assign(static_cast<size_t>(rows), 1.0);
    figure.column_weights.assign(static_cast<size_t>(columns), 1.0);
    figure.width_inches = 4.2 * columns;
    figure.height_inches = 3.1 * rows + 0.5;
}

HeatmapSpec heatmap(std::string id, std::string title, const Eigen::MatrixXd& matrix, int d) {
    HeatmapSpec spec;
    spec.id = std::move(id);
    spec.title = std::move(title);
    spec.values = spec.raw = table_of(matrix);
    spec.row_blocks = spec.column_blocks = {{"x", d}};
    spec.limit = spec.largest = matrix.cwiseAbs().maxCoeff();
    spec.unit = "raw";
    return spec;
}

}  // namespace

GridFigure figure_theorem_1(const ExperimentInfo& info, const Settings& preset, const GridOptions& options) {
    std::vector<GridConfig> configs;
    for (const char* spectrum : {"paper", "geometric", "two_levels"})
        for (const int n : {5, 20, 100})
            configs.push_back(config_with(
                fmt::format("{}, n = {}", spectrum == std::string("two_levels") ? "two levels" : spectrum, n),
                preset, {{"spectrum", std::string(spectrum)}, {"n", whole(n)}}));
    FigureRuns runs = run_all(info, std::move(configs), options);
    if (runs.grid.stopped) return runs.result;
    begin(runs, "regression-theorem-1", "One layer against Theorem 1's closed form", 3, 3);
    double worst = 0, nearest_inverse = 1;
    std::string each;
    for (size_t i = 0; i < runs.configs.size(); ++i) {
        const FinishedRun& run = runs.grid.runs[i];
        const double error = final_summary(run, "closed_form_error").mean;
        worst = std::max(worst, error);
        each += fmt::format("{}{}: {:.2g} %", i == 0 ? "" : "; ", runs.configs[i].label, 100 * error);
        if (i % 3 == 0) nearest_inverse = std::min(nearest_inverse, error_against_inverse(run));
        PlotSpec plot = plot_of_run(run, "preconditioner",
                                    fmt::format("{}: {:.2g} % off", runs.configs[i].label, 100 * error));
        plot.id += fmt::format("_{}", i);
        runs.result.figure.cells.push_back(
            {std::move(plot), static_cast<int>(i) / 3, static_cast<int>(i) % 3});
    }
    runs.result.measured = {
        {"regression-theorem-1", {worst, each}},
        {"regression-theorem-1-inverse", {nearest_inverse, "the least of the three spectra at n = 5"}}};
    runs.result.figure.caption = fmt::format(
        "Theorem 1 of Ahn et al. 2023, d = {}, w* ~ N(0, I): what one layer multiplies the gradient by along "
        "each "
        "eigenvector of \u03a3, trained on {} prompts, beside the closed form and its limits. In the titles "
        "the "
        "relative Frobenius distance of A from the closed form after the best scale. One run each, seed {}. "
        "Emergence {}.",
        preset.integer("d"), preset.integer("num_prompts"), preset.integer("seed"), version());
    return runs.result;
}

GridFigure figure_theorem_3(const ExperimentInfo& info, const Settings& preset, const GridOptions& options) {
    FigureRuns runs = run_all(info, {{"two layers", preset}}, options);
    if (runs.grid.stopped) return runs.result;
    const FinishedRun& run = runs.grid.runs.front();
    const auto config = config_from<RegressionConfig>(run.snapshot.settings);
    const std::vector<RegressionWeights> seeds = regression_weights(config, run.snapshot);
    begin(runs, "regression-theorem-3", "Two layers on isotropic data", static_cast<int>(seeds.size()), 4);
    runs.result.figure.width_inches = 13;
    double worst = 0, untrained = 1;
    std::string each;
    for (size_t k = 0; k < seeds.size(); ++k) {
        const InContextWeights& weights = seeds[k].weights;
        const JointDiagonalisation joint = diagonalise_jointly({weights.A(0), weights.A(1)});
        worst = std::max(worst, joint.off_diagonal_mass);
        untrained = std::min(untrained, run.history.column("off_diagonal_mass", static_cast<int>(k)).front());
        each += fmt::format("{}{:.2g} %", k == 0 ? "" : ", ", 100 * joint.off_diagonal_mass);
        for (int l = 0; l < 2; ++l) {
            const auto id = [&](const char* form) { return fmt::format("A{}_{}_{}", l, form, k); };
            runs.result.figure.cells.push_back(
                {heatmap(id("trained"), fmt::format("A{} as trained, run {}", l, k), weights.A(l), config.d),
                 static_cast<int>(k), l});
            runs.result.figure.cells.push_back(
                {heatmap(id("joint"), fmt::format("A{} in the joint basis, run {}", l, k),
                         joint.matrices[static_cast<size_t>(l)], config.d),
                 static_cast<int>(k), 2 + l});
        }
    }
    runs.result.measured = {
        {"regression-theorem-3", {worst, "runs " + each}},
        {"regression-theorem-3-untrained", {untrained, "the least of the runs before training"}}};
    runs.result.figure.caption = fmt::format(
        "Theorem 3 of Ahn et al. 2023: L = 2, d = {}, n = {}, x and w* ~ N(0, I), {} prompts. Among the "
        "minimisers "
        "are diagonal A0 and A1, and rotations of both together are as good: left as trained, right in the "
        "basis in "
        "which both are as diagonal as can be. Off the diagonals remain {}. Emergence {}.",
        config.d, config.n, config.num_prompts, each, version());
    return runs.result;
}

}  // namespace emergence
