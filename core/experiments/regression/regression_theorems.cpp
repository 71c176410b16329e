#include "core/experiments/regression/regression_theorems.h"

#include <fmt/format.h>

#include "core/experiments/figure_recipe.h"
#include "core/experiments/regression/regression_study.h"
#include "core/experiments/stacked.h"
#include "core/measures/emergence.h"

namespace emergence {
namespace {

// How far the trained A is from Sigma^-1, after the best scale: the least of the seeds that did not diverge.
double error_against_inverse(const FinishedRun& run) {
    const auto config = config_from<RegressionConfig>(run.snapshot.settings);
    const std::vector<RegressionWeights> seeds = regression_weights(config, run.snapshot);
    std::vector<double> errors;
    for (const size_t k : live_seeds(run.snapshot))
        errors.push_back(error_after_scaling(seeds[k].weights.A(0), -seeds[k].covariance.power(-1)));
    return least_of(errors);
}

HeatmapSpec heatmap(std::string id, std::string title, const Eigen::MatrixXd& matrix, int d) {
    HeatmapSpec spec = plain_heatmap(std::move(id), std::move(title), table_of(matrix));
    spec.row_blocks = spec.column_blocks = {{"x", d}};
    spec.unit = "raw";
    return spec;
}

void draw_theorem_1(Draft& draft) {
    std::vector<double> from_inverse;
    for (size_t i = 0; i < draft.runs().size(); ++i) {
        const FinishedRun& run = draft.run(i);
        const double error = final_summary(run, "closed_form_error").mean;
        if (i % 3 == 0) from_inverse.push_back(error_against_inverse(run));
        draft.add(plot_of_run(run, "preconditioner", fmt::format("{}: {:.2g} % off", run.label, 100 * error),
                              fmt::format("preconditioner_{}", i)));
    }
    draft.measure("regression-theorem-1-inverse", least_of(from_inverse), "the least of the three spectra at n = 5");
    draft.caption = fmt::format(
        "Theorem 1 of Ahn et al. 2023, d = {}, w* ~ N(0, I): what one layer multiplies the gradient by along each "
        "eigenvector of \u03a3, trained on {} prompts, beside the closed form and its limits. In the titles the "
        "relative Frobenius distance of A from the closed form after the best scale, mean over seeds.",
        draft.settings.integer("d"), draft.settings.integer("num_prompts"));
}

// One row per run: both matrices as trained, then in the joint basis.
void draw_theorem_3(Draft& draft) {
    const FinishedRun& run = draft.run();
    const auto config = config_from<RegressionConfig>(run.snapshot.settings);
    const std::vector<RegressionWeights> seeds = regression_weights(config, run.snapshot);
    const std::vector<size_t> live = live_seeds(run.snapshot);
    if (live.empty()) throw InputError("Theorem 3's picture needs a seed, and all have diverged");
    draft.page = even_page(draft.page.title, static_cast<int>(live.size()), 4, 3.25, 3.1, 0.5);
    std::vector<double> trained;
    std::string each;
    for (const size_t k : live) {
        const InContextWeights& weights = seeds[k].weights;
        const JointDiagonalisation joint = diagonalise_jointly({weights.A(0), weights.A(1)});
        const int row = static_cast<int>(trained.size());
        trained.push_back(joint.off_diagonal_mass);
        each += fmt::format("{}{:.2g} %", row == 0 ? "" : ", ", 100 * joint.off_diagonal_mass);
        for (int l = 0; l < 2; ++l) {
            draft.add(heatmap(fmt::format("A{}_trained_{}", l, k), fmt::format("A{} as trained, run {}", l, k),
                              weights.A(l), config.d),
                      row, l);
            draft.add(heatmap(fmt::format("A{}_joint_{}", l, k), fmt::format("A{} in the joint basis, run {}", l, k),
                              joint.matrices[l], config.d),
                      row, 2 + l);
        }
    }
    draft.measure("regression-theorem-3", largest_of(trained), "runs " + each);
    draft.caption = fmt::format(
        "Theorem 3 of Ahn et al. 2023: L = 2, d = {}, n = {}, x and w* ~ N(0, I), {} prompts. Among the minimisers "
        "are diagonal A0 and A1, and rotations of both together are as good: left as trained, right in the basis in "
        "which both are as diagonal as can be. Off the diagonals remain {}.",
        config.d, config.n, config.prompts, each);
}

}  // namespace

FigureInfo figure_of_theorem_1() {
    std::vector<RecipeRun> runs;
    for (const auto& [spectrum, words] :
         {std::pair{"paper", "paper"}, {"geometric", "geometric"}, {"two_levels", "two levels"}})
        for (const int n : {5, 20, 100})
            runs.push_back({fmt::format("{}, n = {}", words, n), {{"spectrum", spectrum}, {"n", n}}});
    return figure_of({.name = "regression-theorem-1",
                      .title = "Theorem 1: the closed form and what training finds",
                      .page = even_page("One layer against Theorem 1's closed form", 3, 3, 4.2, 3.1, 0.5),
                      .runs = std::move(runs),
                      .start = {{"spectrum", "paper"}, {"n", 5}},
                      .measures = {"regression-theorem-1-inverse"},
                      .draw = draw_theorem_1});
}

FigureInfo figure_of_theorem_3() {
    return figure_of({.name = "regression-theorem-3",
                      .title = "Theorem 3: two layers, diagonal in one basis",
                      .page = {"Two layers on isotropic data"},
                      .runs = {{"two layers"}},
                      .measures = {"regression-theorem-3"},
                      .draw = draw_theorem_3});
}

}  // namespace emergence
