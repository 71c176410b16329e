#include "core/experiments/regression/regression.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/experiments/figure_file.h"
#include "core/experiments/figure_recipe.h"
#include "core/experiments/stacked.h"
#include "core/measures/emergence.h"
#include "core/pictures/pen.h"

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

// One layer against the closed form of Eq. (8), for three spectra and three context lengths.
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

// Two layers on isotropic data, as trained and in the basis that diagonalises both.
FigureInfo figure_of_theorem_3() {
    return figure_of({.name = "regression-theorem-3",
                      .title = "Theorem 3: two layers, diagonal in one basis",
                      .page = {"Two layers on isotropic data"},
                      .runs = {{"two layers"}},
                      .measures = {"regression-theorem-3"},
                      .draw = draw_theorem_3});
}

const AxisSpec kIterations{"iterations", "", Scale::linear, 0.0};

RegressionConfig config_of(const Snapshot& snapshot) { return config_from<RegressionConfig>(snapshot.settings); }

// One panel of the paper's Figures 1 and 3: Dist(., I) of one matrix, blue whitened and red as it is.
PlotSpec distance_panel(const FinishedRun& run, const std::string& matrix, int layer) {
    MetricPlot panel;
    panel.id = fmt::format("distance_{}{}", matrix, layer);
    panel.title = fmt::format("{}{}", matrix, layer);
    panel.y = {"Dist(., I)", "", Scale::linear, 0.0, 1.0};
    if (matrix == "B")
        panel.lines = {{fmt::format("dist_move_{}", layer), panel.title, ordinal_color(Course::blues, 0, 1)}};
    else
        panel.lines = {{fmt::format("dist_whitened_{}", layer), fmt::format("\u03a3^\u00bd A{} \u03a3^\u00bd", layer),
                        ordinal_color(Course::blues, 0, 1)},
                       {fmt::format("dist_plain_{}", layer), panel.title, ordinal_color(Course::reds, 0, 1), true}};
    return run.history.plot(panel, kIterations, run.snapshot.step);
}

PlotSpec loss_panel(const FinishedRun& run) {
    for (MetricPlot panel : regression_metric_plots(config_of(run.snapshot), nullptr))
        if (panel.id == "loss") {
            for (const Scalar& scalar : run.snapshot.scalars)
                if (scalar.name == "floor") panel.references = {{scalar.label, scalar.value, false}};
            return run.history.plot(panel, kIterations, run.snapshot.step);
        }
    throw InputError("plot 'loss': the run has none of that name");
}

void require_layers(const Snapshot& snapshot, bool moved, const char* figure) {
    const RegressionConfig config = config_of(snapshot);
    if (config.layers < 2 || moves_points(config) != moved)
        throw InputError(fmt::format("{} shows several layers with restriction = {}; this run has {} with {}", figure,
                                     moved ? "13" : "9", config.layers, snapshot.settings.text("restriction")));
}

Page page_of_cells(const std::string& title, int rows, int columns) {
    return even_page(title, rows, columns, 3.9, 3.3, 0.5);
}

std::string setting(const Snapshot& snapshot, const char* after) {
    const RegressionConfig c = config_of(snapshot);
    return fmt::format(
        "After {} of Ahn et al. 2023: L = {}, d = {}, n = {}, restriction ({}), {} prompts, a new \u03a3 in "
        "each of "
        "{} runs, iteration {}{}. ",
        after, c.layers, c.d, c.n, snapshot.settings.text("restriction"), c.prompts, snapshot.seeds.size(),
        snapshot.step, c.whitened ? ", steps measured in whitened coordinates" : "");
}

const char* const kDistanceCaption =
    "Dist(M, I) = min_a |M - aI|/|M|. Blue: whitened, red dashed: as it is. Lines: mean over runs, bands: "
    "standard "
    "error. Floor: the held-out loss of the best scalars.";

// ---- the figures

// Figures 1 and 3: Dist(., I) of each matrix of each layer, and the loss.
void draw_distances(Draft& draft, bool moved) {
    const FinishedRun& run = draft.run();
    const char* figure = moved ? "Figure 3" : "Figure 1";
    require_layers(run.snapshot, moved, figure);
    const int layers = config_of(run.snapshot).layers;
    draft.page = page_of_cells(draft.page.title, moved ? 2 : 1, moved ? layers : layers + 1);
    draft.caption = setting(run.snapshot, figure) + kDistanceCaption;
    for (int l = 0; moved && l + 1 < layers; ++l) draft.add(distance_panel(run, "B", l));
    if (moved) draft.add(loss_panel(run));
    for (int l = 0; l < layers; ++l) draft.add(distance_panel(run, "A", l));
    if (!moved) draft.add(loss_panel(run));
}

// Figures 2 and 4: the learned matrices of one kind side by side, mean over runs; where the x are moved, the steps too.
void draw_learned(Draft& draft, bool moved) {
    const Snapshot& snapshot = draft.run().snapshot;
    const char* figure = moved ? "Figure 4" : "Figure 2";
    require_layers(snapshot, moved, figure);
    std::vector<const NamedMatrix*> shown;
    for (const NamedMatrix& matrix : snapshot.matrices)
        if (matrix.target) shown.push_back(&matrix);
    // B before A, as in the paper.
    std::stable_sort(shown.begin(), shown.end(),
                     [](const auto* a, const auto* b) { return a->name[0] == 'B' && b->name[0] != 'B'; });
    draft.page = page_of_cells(draft.page.title, 1, static_cast<int>(shown.size()));
    draft.page.width = 3.0 * static_cast<double>(shown.size());
    draft.caption =
        setting(snapshot, figure) + "Mean over runs of the learned matrices, A whitened, as trained: not scaled.";
    for (const NamedMatrix* matrix : shown) draft.add(heatmap_of(snapshot, *matrix, {MatrixView::Mode::raw}));
    if (!moved) return;
    draft.page.columns.push_back(1.5);
    draft.page.width += 4;
    for (const PlotSpec& plot : snapshot.plots)
        if (plot.id == "layer_steps") draft.add(plot);
}

// Each shows one run of its preset, or any other with its restriction.
FigureInfo regression_figure(int number, const char* title, const char* page_title) {
    const auto draw = number % 2 == 1 ? draw_distances : draw_learned;
    return figure_of({.name = fmt::format("regression-{}", number),
                      .title = fmt::format("Figure {}: {}", number, title),
                      .page = {page_title},
                      .runs = {{}},
                      .draw = [draw, moved = number > 2](Draft& draft) { draw(draft, moved); },
                      .of_any_run = true});
}

}  // namespace

std::vector<FigureInfo> regression_figures() {
    return {regression_figure(1, "whitened, the preconditioners become multiples of I",
                              "Gradient steps become preconditioned with the inverse covariance"),
            regression_figure(2, "the learned preconditioners", "The learned preconditioners, whitened"),
            regression_figure(3, "preconditioners and moves", "Preconditioned steps and moved points"),
            regression_figure(4, "the learned moves and preconditioners", "The learned moves and preconditioners"),
            figure_of(shipped_recipe("regression-trend")),
            figure_of_theorem_1(),
            figure_of_theorem_3()};
}

}  // namespace emergence
