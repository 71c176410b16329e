// Metrics and training curves of experiment "regression".
#include <fmt/format.h>

#include "core/experiments/regression/regression_plots.h"
#include "core/pictures/ordinal_color.h"

namespace emergence {

MetricTable regression_metrics(const RegressionConfig& config) {
    MetricTable table = {
        {"loss", "training", "The in-context loss, Eq. (5), on the sample that is trained on."},
        {"gradient_norm", "|gradient|", "Norm of its gradient by what is trained."},
        {"held_out_loss", "held out", "The in-context loss on prompts that are never trained on."}};
    const auto each = [&](const char* name, const char* label, int count, const char* help) {
        for (int l = 0; l < count; ++l)
            table.push_back({fmt::format("{}_{}", name, l), fmt::format("{}{}", label, l), help});
    };
    const int layers = config.num_layers, moves = moves_points(config) ? layers - 1 : 0;
    each("dist_whitened", "whitened A", layers,
         "Dist(\u03a3^\u00bd A \u03a3^\u00bd, I), Section 5.3 of Ahn et al. 2023: 0 where A is a multiple of "
         "\u03a3\u207b\u00b9.");
    each("dist_plain", "plain A", layers,
         "Dist(A, I): 0 where A is a multiple of I, plain gradient descent.");
    each("step", "a", layers, "-tr(\u03a3^\u00bd A \u03a3^\u00bd)/d: the layer's step.");
    each("dist_move", "B", moves, "Dist(B, I): 0 where B is a multiple of I.");
    each("move", "b", moves, "tr(B)/d: how far the layer moves the x.");
    if (layers == 1)
        table.push_back({"closed_form_error", "from closed form",
                         "Relative Frobenius distance of A from the closed form after the best scale."});
    else
        table.push_back(
            {"off_diagonal_mass", "off-diagonal mass",
             "Share of the whitened A's squares off the diagonals, in the basis that diagonalises "
             "them jointly best."});
    return table;
}

std::vector<MetricPlot> regression_metric_plots(const RegressionConfig& config,
                                                const RegressionWorld* world) {
    MetricPlot distance;
    distance.id = "distance";
    distance.title = "Distance from a multiple of I";
    distance.y = {"Dist(., I)", "", Scale::linear, 0.0, 1.0};
    const int layers = config.num_layers;
    // Blue curves fall to 0 in theory, red ones stay; deeper layers have deeper colours.
    for (int l = 0; l < layers; ++l)
        distance.lines.push_back(
            {fmt::format("dist_whitened_{}", l), "", ordinal_color(Course::blues, l, layers)});
    for (int l = 0; l < layers; ++l)
        distance.lines.push_back(
            {fmt::format("dist_plain_{}", l), "", ordinal_color(Course::reds, l, layers), true});
    distance.note =
        "Figures 1 and 3 of Ahn et al. 2023. Whitened, \u03a3^\u00bd A \u03a3^\u00bd: falls to 0 where the "
        "layer is a "
        "gradient step preconditioned with \u03a3\u207b\u00b9. Plain, A: stays away from 0, it is no plain "
        "gradient step.";
    MetricPlot moves;
    moves.id = "move_distance";
    moves.title = "Moves: distance from a multiple of I";
    moves.y = distance.y;
    for (int l = 0; l + 1 < layers; ++l)
        moves.lines.push_back({fmt::format("dist_move_{}", l), "", ordinal_color(Course::blues, l, layers)});
    moves.note = "Figure 3 of Ahn et al. 2023: Dist(B_i, I). The last layer's B is never read.";
    MetricPlot loss;
    loss.id = "loss";
    loss.title = "In-context loss";
    loss.lines = {{"loss", "", 0}, {"held_out_loss", "", 1}};
    loss.y = {"mean squared error", "", Scale::logarithmic};
    if (world) loss.references = {{world->floor_name(), world->floor(), false}};
    loss.note =
        "Mean squared error of the prediction, Eq. (5), on the sample trained on and on held-out prompts. "
        "Floor: "
        "the held-out loss of theory's form, every A a multiple of \u03a3\u207b\u00b9 (and B of I), with the "
        "best "
        "numbers found.";
    std::vector<MetricPlot> plots = {distance, loss};
    if (moves_points(config)) plots.insert(plots.begin() + 1, moves);
    // Theorem 3 is about isotropic data; elsewhere the distances say more.
    if (layers > 1 && config.spectrum != "identity") return plots;
    MetricPlot extra;
    extra.id = layers == 1 ? "closed_form" : "joint_diagonal";
    extra.title = layers == 1 ? "Error against the closed form" : "Mass off the diagonal";
    extra.lines = {{layers == 1 ? "closed_form_error" : "off_diagonal_mass", "", 2}};
    extra.y = {layers == 1 ? "relative error" : "share", "", Scale::logarithmic};
    extra.note =
        layers == 1
            ? "Relative Frobenius distance of the trained A from the closed form, after the best scale "
              "(a transformer's P and Q share one)."
            : "Theorem 3 of Ahn et al. 2023: some minimisers are diagonal, and a rotation of all layers "
              "together is as good. Share of the squares of the whitened A off the diagonal, in the basis "
              "in which all are as diagonal as can be.";
    plots.push_back(extra);
    return plots;
}

}  // namespace emergence
