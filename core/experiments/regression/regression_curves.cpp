// Metrics and training curves of experiment "regression".
#include <fmt/format.h>

#include "core/experiments/regression/regression_study.h"
#include "core/lab/views/measured.h"
#include "core/pictures/pen.h"

namespace emergence {

Metrics<RegressionMeasures> regression_metrics(const RegressionConfig& config) {
    using M = RegressionMeasures;
    Metrics<M> metrics = {
        {"loss", "training", "The in-context loss, Eq. (5), on the sample that is trained on.", &M::loss},
        {"gradient_norm", "|gradient|", "Norm of its gradient by what is trained.", &M::gradient_norm},
        {"held_out_loss", "held out",
         "The mean in-context loss on prompts that are never trained on. With moved points (Eq. 13) a few prompts in "
         "10,000 rule it.",
         &M::held_out_loss}};
    if (moves_points(config))
        metrics.add({"held_out_trimmed", "without the largest",
                     "The held-out loss without the 0.1 % of the prompts with the largest errors.",
                     &M::held_out_trimmed});
    const auto each = [&](const char* name, const char* label, std::vector<double> M::*values, int count,
                          const char* help) {
        for (int l = 0; l < count; ++l)
            metrics.add({fmt::format("{}_{}", name, l), fmt::format("{}{}", label, l), help,
                         [values, l](const M& m) { return (m.*values)[l]; }});
    };
    const int layers = config.layers, moves = moves_points(config) ? layers - 1 : 0;
    each("dist_whitened", "whitened A", &M::whitened, layers,
         "Dist(\u03a3^\u00bd A \u03a3^\u00bd, I), Section 5.3 of Ahn et al. 2023: 0 where A is a multiple of "
         "\u03a3\u207b\u00b9.");
    each("dist_plain", "plain A", &M::plain, layers,
         "Dist(A, I): 0 where A is a multiple of I, plain gradient descent.");
    each("power", "power of \u03a3\u207b\u00b9 in A", &M::powers, layers,
         "The map of regression (ours), in one dimension: the p with which A is nearest to a multiple of "
         "\u03a3^-p. 0 is plain gradient descent, 1 Newton's step. Missing where A's diagonal has two signs.");
    each("step", "a", &M::steps, layers, "-tr(\u03a3^\u00bd A \u03a3^\u00bd)/d: the layer's step.");
    each("dist_move", "B", &M::moves, moves, "Dist(B, I): 0 where B is a multiple of I.");
    each("move", "b", &M::shifts, moves, "tr(B)/d: how far the layer moves the x.");
    if (layers == 1) {
        metrics.add({"closed_form_error", "after the best scale",
                     "Relative Frobenius distance of A from the closed form after the best scale.",
                     &M::closed_form_error});
        metrics.add({"closed_form_unscaled", "as it is",
                     "The same distance without a change of scale, which restriction 9 fixes.",
                     &M::closed_form_unscaled});
    } else
        metrics.add(
            {"off_diagonal_mass", "off-diagonal mass",
             "Share of the whitened A's squares off the diagonals, in the basis that diagonalises them jointly best.",
             &M::off_diagonal_mass});
    return metrics;
}

std::vector<MetricPlot> regression_metric_plots(const RegressionConfig& config, const RegressionWorld* world) {
    const int layers = config.layers;
    // Blue curves fall to 0 in theory, red ones stay; deeper layers have deeper colours.
    HistoryPlot distance("distance", "Distance from a multiple of I");
    distance.y("Dist(., I)").from(0.0).to(1.0);
    for (int l = 0; l < layers; ++l)
        distance.line(fmt::format("dist_whitened_{}", l)).color(ordinal_color(Course::blues, l, layers));
    for (int l = 0; l < layers; ++l)
        distance.line(fmt::format("dist_plain_{}", l)).color(ordinal_color(Course::reds, l, layers)).dashed();
    distance.note(
        "Figures 1 and 3 of Ahn et al. 2023. Whitened, \u03a3^\u00bd A \u03a3^\u00bd: falls to 0 where the layer is a "
        "gradient step preconditioned with \u03a3\u207b\u00b9. Plain, A: stays away from 0, it is no plain gradient "
        "step.");
    HistoryPlot loss("loss", "In-context loss");
    loss.line("loss");
    loss.line("held_out_loss").color(1);
    if (moves_points(config)) loss.line("held_out_trimmed").color(1).dashed();
    loss.y("mean squared error").logarithmic();
    if (world) loss.level(world->floor_name(), world->floor());
    loss.note(
        "Mean squared error of the prediction, Eq. (5), on the sample trained on and on held-out prompts. Floor: the "
        "held-out loss of theory's form, every A a multiple of \u03a3\u207b\u00b9 (and B of I), with the best numbers "
        "found.");
    std::vector<MetricPlot> plots = {distance};
    if (moves_points(config)) {
        HistoryPlot moves("move_distance", "Moves: distance from a multiple of I");
        moves.y("Dist(., I)").from(0.0).to(1.0);
        for (int l = 0; l + 1 < layers; ++l)
            moves.line(fmt::format("dist_move_{}", l)).color(ordinal_color(Course::blues, l, layers));
        moves.note("Figure 3 of Ahn et al. 2023: Dist(B_i, I). The last layer's B is never read.");
        plots.push_back(moves);
    }
    plots.push_back(loss);
    if (layers == 1) {
        HistoryPlot error("closed_form", "Error against the closed form");
        error.line("closed_form_error").color(2);
        error.line("closed_form_unscaled").color(2).dashed();
        error.y("relative error").logarithmic();
        error.note(
            "Relative Frobenius distance of the trained A from the closed form, after the best scale (a transformer's "
            "P and Q share one) and, dashed, as it is.");
        plots.push_back(error);
    } else if (config.spectrum ==
               Spectrum::identity) {  // Theorem 3 is about isotropic data; elsewhere the distances say more
        HistoryPlot mass("joint_diagonal", "Mass off the diagonal");
        mass.line("off_diagonal_mass").color(2);
        mass.y("share").logarithmic();
        mass.note(
            "Theorem 3 of Ahn et al. 2023: some minimisers are diagonal, and a rotation of all layers together is as "
            "good. Share of the squares of the whitened A off the diagonal, in the basis in which all are as diagonal "
            "as can be.");
        plots.push_back(mass);
    }
    return plots;
}

}  // namespace emergence
