#include "core/experiments/regression/regression_figures.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/experiments/figure_file.h"
#include "core/experiments/figure_recipe.h"
#include "core/experiments/regression/regression_study.h"
#include "core/experiments/regression/regression_theorems.h"
#include "core/pictures/pen.h"

namespace emergence {
namespace {

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

void draw_regression_1(Draft& draft) {
    const Snapshot& snapshot = draft.run().snapshot;
    require_layers(snapshot, false, "Figure 1");
    const int layers = config_of(snapshot).layers;
    draft.page = page_of_cells(draft.page.title, 1, layers + 1);
    draft.caption = setting(snapshot, "Figure 1") + kDistanceCaption;
    for (int l = 0; l < layers; ++l) draft.add(distance_panel(draft.run(), "A", l));
    draft.add(loss_panel(draft.run()));
}

void draw_regression_3(Draft& draft) {
    const Snapshot& snapshot = draft.run().snapshot;
    require_layers(snapshot, true, "Figure 3");
    const int layers = config_of(snapshot).layers;
    draft.page = page_of_cells(draft.page.title, 2, layers);
    draft.caption = setting(snapshot, "Figure 3") + kDistanceCaption;
    for (int l = 0; l + 1 < layers; ++l) draft.add(distance_panel(draft.run(), "B", l));
    draft.add(loss_panel(draft.run()));
    for (int l = 0; l < layers; ++l) draft.add(distance_panel(draft.run(), "A", l));
}

// The learned matrices of one kind side by side, mean over runs.
void add_learned(Draft& draft, const char* after) {
    const Snapshot& snapshot = draft.run().snapshot;
    std::vector<const NamedMatrix*> shown;
    for (const NamedMatrix& matrix : snapshot.matrices)
        if (matrix.target) shown.push_back(&matrix);
    // B before A, as in the paper.
    std::stable_sort(shown.begin(), shown.end(),
                     [](const auto* a, const auto* b) { return a->name[0] == 'B' && b->name[0] != 'B'; });
    draft.page = page_of_cells(draft.page.title, 1, static_cast<int>(shown.size()));
    draft.page.width = 3.0 * static_cast<double>(shown.size());
    draft.caption =
        setting(snapshot, after) + "Mean over runs of the learned matrices, A whitened, as trained: not scaled.";
    for (const NamedMatrix* matrix : shown) draft.add(heatmap_of(snapshot, *matrix, {MatrixView::Mode::raw}));
}

void draw_regression_2(Draft& draft) {
    const Snapshot& snapshot = draft.run().snapshot;
    require_layers(snapshot, false, "Figure 2");
    add_learned(draft, "Figure 2");
}

void draw_regression_4(Draft& draft) {
    const Snapshot& snapshot = draft.run().snapshot;
    require_layers(snapshot, true, "Figure 4");
    add_learned(draft, "Figure 4");
    draft.page.columns.push_back(1.5);
    draft.page.width += 4;
    for (const PlotSpec& plot : snapshot.plots)
        if (plot.id == "layer_steps") draft.add(plot);
}

// Each shows one run of its preset, or any other with its restriction.
FigureInfo regression_figure(const char* number, const char* title, const char* page_title, void (*draw)(Draft&)) {
    return figure_of({.name = fmt::format("regression-{}", number),
                      .title = fmt::format("Figure {}: {}", number, title),
                      .page = {page_title},
                      .runs = {{}},
                      .draw = draw,
                      .of_any_run = true});
}

}  // namespace

std::vector<FigureInfo> regression_figures() {
    return {
        regression_figure("1", "whitened, the preconditioners become multiples of I",
                          "Gradient steps become preconditioned with the inverse covariance", draw_regression_1),
        regression_figure("2", "the learned preconditioners", "The learned preconditioners, whitened",
                          draw_regression_2),
        regression_figure("3", "preconditioners and moves", "Preconditioned steps and moved points", draw_regression_3),
        regression_figure("4", "the learned moves and preconditioners", "The learned moves and preconditioners",
                          draw_regression_4),
        figure_of(shipped_recipe("regression-trend")),
        figure_of_theorem_1(),
        figure_of_theorem_3()};
}

}  // namespace emergence
