#include "core/experiments/regression/regression_figures.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/experiments/figure_recipe.h"
#include "core/experiments/regression/regression_study.h"
#include "core/experiments/regression/regression_theorems.h"
#include "core/pictures/ordinal_color.h"

namespace emergence {
namespace {

const AxisSpec kIterations{"iterations", "", Scale::linear, 0.0};

RegressionConfig config_of(const Snapshot& snapshot) {
    return config_from<RegressionConfig>(snapshot.settings);
}

// One panel of the paper's Figures 1 and 3: Dist(., I) of one matrix, blue whitened and red as it is.
PlotSpec distance_panel(const FinishedRun& run, const std::string& matrix, int layer) {
    MetricPlot panel;
    panel.id = fmt::format("distance_{}{}", matrix, layer);
    panel.title = fmt::format("{}{}", matrix, layer);
    panel.y = {"Dist(., I)", "", Scale::linear, 0.0, 1.0};
    if (matrix == "B")
        panel.lines = {{fmt::format("dist_move_{}", layer), panel.title, ordinal_color(Course::blues, 0, 1)}};
    else
        panel.lines = {
            {fmt::format("dist_whitened_{}", layer), fmt::format("\u03a3^\u00bd A{} \u03a3^\u00bd", layer),
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
        throw InputError(fmt::format("{} shows several layers with restriction = {}; this run has {} with {}",
                                     figure, moved ? "13" : "9", config.layers,
                                     snapshot.settings.text("restriction")));
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

// ---- measurements

// All seeds' last values of NAME_0 .. NAME_{count-1}.
std::vector<std::vector<double>> last_values(const FinishedRun& run, const std::string& name, int count) {
    std::vector<std::vector<double>> values;
    for (int l = 0; l < count; ++l) {
        const SeedRows more = final_values(run, fmt::format("{}_{}", name, l));
        values.insert(values.end(), more.begin(), more.end());
    }
    return values;
}

void measure_last_mean(Draft& draft, const char* claim, const char* name, int count) {
    const auto values = last_values(draft.run(), name, count);
    const Summary summary = summarise(values, 0);
    std::vector<double> all;
    for (const auto& value : values) all.push_back(value[0]);
    draft.measure(claim, summary, fmt::format("from {:.2g} to {:.2g}", least_of(all), largest_of(all)));
}

// The median over runs of a metric's last value, over a number that is the same in all.
Measurement median_over(const FinishedRun& run, const char* metric, double below, const std::string& detail) {
    const SeedRows values = final_values(run, metric);
    return bootstrapped(
        values.size(), [&](const Places& places) { return summary_at(values, places).median / below; },
        detail);
}

void measure_loss_over_floor(Draft& draft, const char* claim) {
    double floor = 0;
    for (const Scalar& scalar : draft.run().snapshot.scalars)
        if (scalar.name == "floor") floor = scalar.value;
    const Summary held_out = final_summary(draft.run(), "held_out_loss");
    const Summary training = final_summary(draft.run(), "loss");
    draft.measure(claim,
                  median_over(draft.run(), "held_out_loss", floor,
                              fmt::format("median held out {:.3g}, on the training samples {}, floor {:.3g}",
                                          held_out.median, mean_text(training), floor)));
}

void measure_growing_steps(Draft& draft, int layers) {
    std::vector<std::vector<std::vector<double>>> steps;  // [layer][seed]
    for (int l = 0; l < layers; ++l) steps.push_back(final_values(draft.run(), fmt::format("step_{}", l)));
    int growing = 0;
    for (size_t k = 0; k < steps[0].size(); ++k) {
        bool grows = true;
        for (size_t l = 1; l < steps.size(); ++l) grows = grows && steps[l][k][0] > steps[l - 1][k][0];
        growing += grows ? 1 : 0;
    }
    std::string means;
    for (const auto& layer : steps)
        means += fmt::format("{}{}", means.empty() ? "" : ", ", mean_text(summarise(layer, 0)));
    draft.measure("regression-4-steps", fraction(growing, static_cast<int>(steps[0].size())),
                  "steps " + means);
}

// ---- the figures

void draw_regression_1(Draft& draft) {
    const Snapshot& snapshot = draft.run().snapshot;
    require_layers(snapshot, false, "Figure 1");
    const int layers = config_of(snapshot).layers;
    draft.page = page_of_cells(draft.page.title, 1, layers + 1);
    draft.caption = setting(snapshot, "Figure 1") + kDistanceCaption;
    for (int l = 0; l < layers; ++l) draft.add(distance_panel(draft.run(), "A", l));
    draft.add(loss_panel(draft.run()));
    measure_last_mean(draft, "regression-1-whitened", "dist_whitened", layers);
    measure_last_mean(draft, "regression-1-plain", "dist_plain", layers);
    measure_loss_over_floor(draft, "regression-1-loss");
    const double no_prediction = config_of(snapshot).d;  // E <w*, x>^2 for w* ~ N(0, Sigma^-1)
    draft.measure("regression-1-almost-0", median_over(draft.run(), "held_out_loss", no_prediction, ""));
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
    measure_last_mean(draft, "regression-3-whitened", "dist_whitened", layers);
    measure_last_mean(draft, "regression-3-plain", "dist_plain", layers);
    measure_last_mean(draft, "regression-3-moves", "dist_move", layers - 1);
    measure_loss_over_floor(draft, "regression-3-loss");
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
    draft.caption = setting(snapshot, after) +
                    "Mean over runs of the learned matrices, A whitened, as trained: not scaled.";
    for (const NamedMatrix* matrix : shown) draft.add(heatmap_of(snapshot, *matrix, {MatrixView::Mode::raw}));
}

void draw_regression_2(Draft& draft) {
    const Snapshot& snapshot = draft.run().snapshot;
    require_layers(snapshot, false, "Figure 2");
    add_learned(draft, "Figure 2");
    std::vector<double> distances;
    for (const auto& value : last_values(draft.run(), "dist_whitened", config_of(snapshot).layers))
        distances.push_back(value[0]);
    draft.measure("regression-2-all", emerged_fraction(snapshot),
                  fmt::format("farthest Dist {:.2g}", largest_of(distances)));
}

void draw_regression_4(Draft& draft) {
    const Snapshot& snapshot = draft.run().snapshot;
    require_layers(snapshot, true, "Figure 4");
    add_learned(draft, "Figure 4");
    draft.page.columns.push_back(1.5);
    draft.page.width += 4;
    for (const PlotSpec& plot : snapshot.plots)
        if (plot.id == "layer_steps") draft.add(plot);
    measure_growing_steps(draft, config_of(snapshot).layers);
}

// Each shows one run of its preset, or any other with its restriction.
FigureInfo regression_figure(const char* number, const char* title, const char* page_title,
                             std::vector<std::string> measures, void (*draw)(Draft&)) {
    return figure_of({.name = fmt::format("regression-{}", number),
                      .title = fmt::format("Figure {}: {}", number, title),
                      .page = {page_title},
                      .runs = {{}},
                      .measures = std::move(measures),
                      .draw = draw,
                      .of_any_run = true});
}

}  // namespace

std::vector<FigureInfo> regression_figures() {
    return {
        regression_figure(
            "1", "whitened, the preconditioners become multiples of I",
            "Gradient steps become preconditioned with the inverse covariance",
            {"regression-1-whitened", "regression-1-plain", "regression-1-loss", "regression-1-almost-0"},
            draw_regression_1),
        regression_figure("2", "the learned preconditioners", "The learned preconditioners, whitened",
                          {"regression-2-all"}, draw_regression_2),
        regression_figure(
            "3", "preconditioners and moves", "Preconditioned steps and moved points",
            {"regression-3-whitened", "regression-3-plain", "regression-3-moves", "regression-3-loss"},
            draw_regression_3),
        regression_figure("4", "the learned moves and preconditioners",
                          "The learned moves and preconditioners", {"regression-4-steps"}, draw_regression_4),
        figure_of_theorem_1(),
        figure_of_theorem_3()};
}

}  // namespace emergence
