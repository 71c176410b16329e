#include "core/experiments/regression/regression_figures.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/experiments/figure_parts.h"
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
PlotSpec distance_panel(const MetricHistory& history, int64_t step, const std::string& matrix, int layer) {
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
    return history.plot(panel, kIterations, step);
}

PlotSpec loss_panel(const Snapshot& snapshot, const MetricHistory& history) {
    for (MetricPlot panel : regression_metric_plots(config_of(snapshot), nullptr))
        if (panel.id == "loss") {
            for (const Scalar& scalar : snapshot.scalars)
                if (scalar.name == "floor") panel.references = {{scalar.label, scalar.value, false}};
            return history.plot(panel, kIterations, snapshot.step);
        }
    throw InputError("plot 'loss': the run has none of that name");
}

void require_layers(const Snapshot& snapshot, bool moved, const char* figure) {
    const RegressionConfig config = config_of(snapshot);
    if (config.num_layers < 2 || moves_points(config) != moved)
        throw InputError(fmt::format("{} shows several layers with restriction = {}; this run has {} with {}",
                                     figure, moved ? "13" : "9", config.num_layers, config.restriction));
}

FigureSpec figure_of_cells(const char* name, const char* title, std::string caption, int rows, int columns) {
    FigureSpec figure;
    figure.name = name;
    figure.title = title;
    figure.caption = std::move(caption);
    figure.row_weights.assign(static_cast<size_t>(rows), 1.0);
    figure.column_weights.assign(static_cast<size_t>(columns), 1.0);
    figure.width_inches = 3.9 * columns;
    figure.height_inches = 3.3 * rows + 0.5;
    return figure;
}

std::string setting(const Snapshot& snapshot, const char* after) {
    const RegressionConfig c = config_of(snapshot);
    return fmt::format(
        "After {} of Ahn et al. 2023: L = {}, d = {}, n = {}, restriction ({}), {} prompts, a new \u03a3 in "
        "each of "
        "{} runs, iteration {}{}. ",
        after, c.num_layers, c.d, c.n, c.restriction, c.num_prompts, snapshot.seeds.size(), snapshot.step,
        c.metric == "whitened" ? ", steps measured in whitened coordinates" : "");
}

const char* const kDistanceCaption =
    "Dist(M, I) = min_a |M - aI|/|M|. Blue: whitened, red dashed: as it is. Lines: mean over runs, bands: "
    "standard "
    "error. Floor: the held-out loss of the best scalars.";

FigureSpec regression_figure_1(const Snapshot& snapshot, const MetricHistory& history) {
    require_layers(snapshot, false, "Figure 1");
    const int layers = config_of(snapshot).num_layers;
    FigureSpec figure =
        figure_of_cells("regression-1", "Gradient steps become preconditioned with the inverse covariance",
                        setting(snapshot, "Figure 1") + kDistanceCaption, 1, layers + 1);
    for (int l = 0; l < layers; ++l)
        figure.cells.push_back({distance_panel(history, snapshot.step, "A", l), 0, l});
    figure.cells.push_back({loss_panel(snapshot, history), 0, layers});
    return figure;
}

FigureSpec regression_figure_3(const Snapshot& snapshot, const MetricHistory& history) {
    require_layers(snapshot, true, "Figure 3");
    const int layers = config_of(snapshot).num_layers;
    FigureSpec figure = figure_of_cells("regression-3", "Preconditioned steps and moved points",
                                        setting(snapshot, "Figure 3") + kDistanceCaption, 2, layers);
    for (int l = 0; l + 1 < layers; ++l)
        figure.cells.push_back({distance_panel(history, snapshot.step, "B", l), 0, l});
    figure.cells.push_back({loss_panel(snapshot, history), 0, layers - 1});
    for (int l = 0; l < layers; ++l)
        figure.cells.push_back({distance_panel(history, snapshot.step, "A", l), 1, l});
    return figure;
}

// The learned matrices of one kind side by side, mean over runs.
FigureSpec weights_figure(const char* name, const char* title, const char* after, const Snapshot& snapshot) {
    std::vector<const NamedMatrix*> shown;
    for (const NamedMatrix& matrix : snapshot.matrices)
        if (matrix.target) shown.push_back(&matrix);
    // B before A, as in the paper.
    std::stable_sort(shown.begin(), shown.end(),
                     [](const auto* a, const auto* b) { return a->name[0] == 'B' && b->name[0] != 'B'; });
    FigureSpec figure =
        figure_of_cells(name, title,
                        setting(snapshot, after) +
                            "Mean over runs of the learned matrices, A whitened, as trained: not scaled.",
                        1, static_cast<int>(shown.size()));
    figure.width_inches = 3.0 * static_cast<double>(shown.size());
    for (size_t i = 0; i < shown.size(); ++i)
        figure.cells.push_back(
            {heatmap_of(snapshot, *shown[i], {MatrixView::Mode::raw}), 0, static_cast<int>(i)});
    return figure;
}

FigureSpec regression_figure_2(const Snapshot& snapshot, const MetricHistory&) {
    require_layers(snapshot, false, "Figure 2");
    return weights_figure("regression-2", "The learned preconditioners, whitened", "Figure 2", snapshot);
}

FigureSpec regression_figure_4(const Snapshot& snapshot, const MetricHistory&) {
    require_layers(snapshot, true, "Figure 4");
    FigureSpec figure =
        weights_figure("regression-4", "The learned moves and preconditioners", "Figure 4", snapshot);
    const int columns = static_cast<int>(figure.column_weights.size());
    figure.column_weights.push_back(1.5);
    figure.width_inches += 4;
    for (const PlotSpec& plot : snapshot.plots)
        if (plot.id == "layer_steps") figure.cells.push_back({plot, 0, columns});
    return figure;
}

// ---- measurements of the same runs

// All seeds' last values of NAME_0 .. NAME_{count-1}.
std::vector<std::vector<double>> last_values(const Snapshot& snapshot, const MetricHistory& history,
                                             const std::string& name, int count) {
    std::vector<std::vector<double>> values;
    for (int l = 0; l < count; ++l) {
        const auto more = final_values(snapshot, history, fmt::format("{}_{}", name, l));
        values.insert(values.end(), more.begin(), more.end());
    }
    return values;
}

MeasuredClaim mean_claim(const char* claim, const std::vector<std::vector<double>>& values) {
    const Summary summary = summarise(values, 0);
    double least = values.empty() ? 0 : values[0][0], most = least;
    for (const auto& value : values) {
        least = std::min(least, value[0]);
        most = std::max(most, value[0]);
    }
    return {claim, {summary.mean, fmt::format("{}, from {:.2g} to {:.2g}", mean_text(summary), least, most)}};
}

MeasuredClaim loss_over_floor(const char* claim, const Snapshot& snapshot, const MetricHistory& history) {
    double floor = 0;
    for (const Scalar& scalar : snapshot.scalars)
        if (scalar.name == "floor") floor = scalar.value;
    const Summary held_out = summarise(final_values(snapshot, history, "held_out_loss"), 0);
    const Summary training = summarise(final_values(snapshot, history, "loss"), 0);
    return {claim,
            {held_out.median / floor,
             fmt::format("median held out {:.3g}, on the training samples {}, floor {:.3g}", held_out.median,
                         mean_text(training), floor)}};
}

std::vector<MeasuredClaim> measure_1(const Snapshot& snapshot, const MetricHistory& history) {
    const int layers = config_of(snapshot).num_layers;
    return {mean_claim("regression-1-whitened", last_values(snapshot, history, "dist_whitened", layers)),
            mean_claim("regression-1-plain", last_values(snapshot, history, "dist_plain", layers)),
            loss_over_floor("regression-1-loss", snapshot, history)};
}

std::vector<MeasuredClaim> measure_2(const Snapshot& snapshot, const MetricHistory& history) {
    const Fraction emerged = emerged_fraction(snapshot);
    const int layers = config_of(snapshot).num_layers;
    double most = 0;
    for (const auto& value : last_values(snapshot, history, "dist_whitened", layers))
        most = std::max(most, value[0]);
    return {{"regression-2-all",
             {emerged.value, fmt::format("{}; farthest Dist {:.2g}", fraction_text(emerged), most)}}};
}

std::vector<MeasuredClaim> measure_3(const Snapshot& snapshot, const MetricHistory& history) {
    const int layers = config_of(snapshot).num_layers;
    return {mean_claim("regression-3-whitened", last_values(snapshot, history, "dist_whitened", layers)),
            mean_claim("regression-3-plain", last_values(snapshot, history, "dist_plain", layers)),
            mean_claim("regression-3-moves", last_values(snapshot, history, "dist_move", layers - 1)),
            loss_over_floor("regression-3-loss", snapshot, history)};
}

std::vector<MeasuredClaim> measure_4(const Snapshot& snapshot, const MetricHistory& history) {
    const int layers = config_of(snapshot).num_layers;
    std::vector<std::vector<std::vector<double>>> steps;  // [layer][seed]
    for (int l = 0; l < layers; ++l)
        steps.push_back(final_values(snapshot, history, fmt::format("step_{}", l)));
    int growing = 0;
    const auto seeds = static_cast<int>(steps[0].size());
    for (size_t k = 0; k < steps[0].size(); ++k) {
        bool grows = true;
        for (size_t l = 1; l < steps.size(); ++l) grows = grows && steps[l][k][0] > steps[l - 1][k][0];
        growing += grows ? 1 : 0;
    }
    std::string means;
    for (const auto& layer : steps)
        means += fmt::format("{}{}", means.empty() ? "" : ", ", mean_text(summarise(layer, 0)));
    const Fraction share = fraction(growing, seeds);
    return {{"regression-4-steps", {share.value, fmt::format("{}; steps {}", fraction_text(share), means)}}};
}

}  // namespace

std::vector<FigureInfo> regression_figures() {
    return {{"regression-1", "Figure 1: whitened, the preconditioners become multiples of I", "regression-1",
             regression_figure_1, measure_1},
            {"regression-2", "Figure 2: the learned preconditioners", "regression-2", regression_figure_2,
             measure_2},
            {"regression-3", "Figure 3: preconditioners and moves", "regression-3", regression_figure_3,
             measure_3},
            {"regression-4", "Figure 4: the learned moves and preconditioners", "regression-4",
             regression_figure_4, measure_4}};
}

std::vector<GridFigureInfo> regression_grid_figures() {
    return {{"regression-theorem-1", "Theorem 1: the closed form and what training finds",
             "regression-theorem-1", figure_theorem_1},
            {"regression-theorem-3", "Theorem 3: two layers, diagonal in one basis", "regression-theorem-3",
             figure_theorem_3}};
}

}  // namespace emergence
