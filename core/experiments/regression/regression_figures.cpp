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

// How far the trained A is from Sigma^-1 after the best scale, as the least over seeds that did not diverge.
double error_against_inverse(const FinishedRun& run) {
    const auto config = config_from<RegressionConfig>(run.snapshot.settings);
    const std::vector<RegressionWeights> seeds = regression_weights(config, run.snapshot);
    std::vector<double> errors;
    for (const size_t k : live_seeds(run.snapshot))
        errors.push_back(error_after_scaling(seeds[k].weights.A(0), -seeds[k].covariance.power(-1)));
    return least_of(errors);
}

void measure_theorem_1(Draft& draft) {
    std::vector<double> from_inverse;
    for (size_t i = 0; i < draft.runs().size(); i += 3) from_inverse.push_back(error_against_inverse(draft.run(i)));
    draft.measure("regression-theorem-1-inverse", least_of(from_inverse), "the least of the three spectra at n = 5");
}

// One row per run: both matrices as trained, then in the joint basis.
void draw_theorem_3(Draft& draft) {
    const FinishedRun& run = draft.run();
    const std::vector<size_t> live = live_seeds(run.snapshot);
    if (live.empty()) throw InputError("Theorem 3's picture needs a network, but all diverged");
    draft.page = even_page(draft.page.title, static_cast<int>(live.size()), 4, 3.25, 3.1, 0.5);
    for (const size_t k : live)
        for (const char* name : {"A0", "A1", "A0 joint basis", "A1 joint basis"}) {
            HeatmapSpec map = heatmap_of_run(run, name, {MatrixView::Mode::raw, static_cast<int>(k)});
            map.id = fmt::format("{} {}", name, k);
            map.title = fmt::format("{}, run {}", name, k);
            draft.add(std::move(map));
        }
}

RegressionConfig config_of(const Snapshot& snapshot) { return config_from<RegressionConfig>(snapshot.settings); }

PlotSpec drawn_history(const FinishedRun& run, const MetricPlot& plot) {
    return run.history.plot(plot, {"iterations", "", Scale::linear, 0.0}, run.snapshot.step);
}

// One panel of Figures 1 and 3 of Ahn et al. 2023: Dist(., I) of one matrix, whitened in blue and as it is in red.
PlotSpec distance_panel(const FinishedRun& run, const std::string& matrix, int layer) {
    const std::string name = fmt::format("{}{}", matrix, layer);
    const int blue = ordinal_color(Course::blues, 0, 1), red = ordinal_color(Course::reds, 0, 1);
    HistoryPlot panel("distance_" + name, name);
    panel.y("Dist(., I)").from(0.0).to(1.0);
    if (matrix == "B") {
        panel.line(fmt::format("dist_move_{}", layer)).label(name).color(blue);
    } else {
        panel.line(fmt::format("dist_whitened_{}", layer))
            .label(fmt::format("\u03a3^\u00bd {} \u03a3^\u00bd", name))
            .color(blue);
        panel.line(fmt::format("dist_plain_{}", layer)).label(name).color(red).dashed();
    }
    return drawn_history(run, panel);
}

PlotSpec loss_panel(const FinishedRun& run) {
    Row row;
    RegressionMeasures(config_of(run.snapshot)).say(row);
    HistoryPlot& panel =
        *std::find_if(row.plots.begin(), row.plots.end(), [](HistoryPlot& plot) { return plot.spec().id == "loss"; });
    for (const Scalar& scalar : run.snapshot.scalars)
        if (scalar.name == "floor") panel.level(scalar.label, scalar.value);
    return drawn_history(run, panel);
}

void require_layers(const Snapshot& snapshot, bool moved, const char* figure) {
    const RegressionConfig config = config_of(snapshot);
    if (config.layers < 2 || moves_points(config) != moved)
        throw InputError("{} needs several layers with restriction = {}, but this run has {} with {}", figure,
                         moved ? "13" : "9", config.layers, snapshot.settings.text("restriction"));
}

Page page_of_cells(const std::string& title, int rows, int columns) {
    return even_page(title, rows, columns, 3.9, 3.3, 0.5);
}

// ---- the figures

// Figures 1 and 3: Dist(., I) of each matrix of each layer, and the loss.
void draw_distances(Draft& draft, bool moved) {
    const FinishedRun& run = draft.run();
    const char* figure = moved ? "Figure 3" : "Figure 1";
    require_layers(run.snapshot, moved, figure);
    const int layers = config_of(run.snapshot).layers;
    draft.page = page_of_cells(draft.page.title, moved ? 2 : 1, moved ? layers : layers + 1);
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
    // B stands before A, as in the paper.
    std::stable_sort(shown.begin(), shown.end(),
                     [](const auto* a, const auto* b) { return a->name[0] == 'B' && b->name[0] != 'B'; });
    draft.page = page_of_cells(draft.page.title, 1, static_cast<int>(shown.size()));
    draft.page.width = 3.0 * static_cast<double>(shown.size());
    for (const NamedMatrix* matrix : shown) draft.add(heatmap_of(snapshot, *matrix, {MatrixView::Mode::raw}));
    if (!moved) return;
    draft.page.columns.push_back(1.5);
    draft.page.width += 4;
    for (const PlotSpec& plot : snapshot.plots)
        if (plot.id == "layer_steps") draft.add(plot);
}

}  // namespace

std::vector<FigureInfo> regression_figures() {
    std::vector<FigureInfo> figures;
    // Each shows one run of its preset, or any other with its restriction.
    for (const int number : {1, 2, 3, 4}) {
        const auto draw = number % 2 == 1 ? draw_distances : draw_learned;
        figures.push_back(shipped_figure(
            fmt::format("regression-{}", number),
            {.draw = [draw, moved = number > 2](Draft& draft) { draw(draft, moved); }, .of_any_run = true}));
    }
    figures.push_back(shipped_figure("regression-trend"));
    figures.push_back(shipped_figure("regression-theorem-1",
                                     {.measures = {"regression-theorem-1-inverse"}, .draw = measure_theorem_1}));
    figures.push_back(shipped_figure("regression-theorem-3", {.draw = draw_theorem_3}));
    return figures;
}

}  // namespace emergence
