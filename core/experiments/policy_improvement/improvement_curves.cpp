// Curves of policy improvement.
#include "core/base/array.h"
#include "core/experiments/policy_improvement/improvement_study.h"
#include "core/lab/views/measured.h"

namespace emergence {
namespace {

constexpr int kNoUpdateColor = 7, kHeldOutColor = 1, kRateColor = 1, kScaleColor = 2;

// A column of the seeds' traces against the first one. All seeds log at the same steps and rates.
void add_trace(Plot& plot, const std::vector<const ImprovementSeed*>& seeds, size_t column) {
    std::vector<double> x;
    for (const ImprovementSeed* seed : seeds)
        if (seed->trace().rows().size() > x.size()) {
            x.clear();
            for (const auto& row : seed->trace().rows()) x.push_back(row[0]);
        }
    std::vector<std::vector<double>> lines;
    for (const ImprovementSeed* seed : seeds) {
        lines.emplace_back(x.size(), kMissing);
        const auto& rows = seed->trace().rows();
        for (size_t i = 0; i < rows.size(); ++i) lines.back()[i] = rows[i][column];
        plot.spec().seeds.push_back(seed->status().seed);
    }
    plot.line("transformer", std::move(x), std::move(lines)).color(kTransformerColor);
}

}  // namespace

std::vector<PlotSpec> improvement_rate_plots(const std::vector<const ImprovementSeed*>& seeds) {
    Plot loss("loss_by_rate", "Loss against the sum of learning rates");
    loss.x("sum of learning rates").from(0.0);
    loss.y("loss").logarithmic();
    add_trace(loss, seeds, 1);
    loss.note(
        "The same loss against how far Adam could have gone, the sum of its learning rates (ours). Liang and "
        "Lai multiply the rate by 0.99 every 10 MDPs: a loss that falls exponentially over MDPs may only follow the "
        "rate. Here such a fall is a plunge at the right end.");
    return {loss};
}

Metrics<ImprovementMeasured> improvement_metrics() {
    using M = ImprovementMeasured;
    using Losses = TeacherMimicking::Losses;
    return {
        {"loss", "transformer",
         "Mean of half the squared distance of the written update from the teacher's, since the row before: "
         "windows not trained on before, of MDPs that Adam is adapting to.",
         of(&M::losses, &Losses::loss)},
        {"held_out_loss", "frozen, unseen MDPs",
         "The same loss of the weights as they are, on 400 windows of the teacher's way through 20 MDPs that no seed is "
         "trained on.",
         &M::held_out_loss},
        {"loss_of_no_update", "no update", "The same loss of writing nothing.", of(&M::losses, &Losses::zero)},
        {"manifold_distance", "relative",
         "Distance of (P12, V21) to the nearest (c P12*, V21*/c), over that point's norm.",
         of(&M::fit, &ManifoldFit::relative)},
        {"manifold_distance_raw", "absolute", "The distance itself, a Frobenius norm over both blocks.",
         of(&M::fit, &ManifoldFit::distance)},
        {"scale", "c", "The c of that nearest point; either sign is as good.", of(&M::fit, &ManifoldFit::c)},
        {"rate_sum", "sum of rates", "Sum of Adam's learning rates over all updates so far.", &M::rate_sum},
        {"learning_rate", "learning rate", "Adam's, of the next update.", &M::learning_rate}};
}

std::vector<MetricPlot> improvement_metric_plots(const ImprovementConfig& config) {
    HistoryPlot loss("loss", "Loss: written update against the teacher's");
    loss.line("loss").color(kTransformerColor);
    loss.line("held_out_loss").color(kHeldOutColor);
    loss.line("loss_of_no_update").color(kNoUpdateColor).dashed();
    loss.y("loss").logarithmic();
    loss.note(
        "Figure 4 of Liang and Lai: half the squared distance of the update that the transformer writes from the "
        "teacher's, each window seen for the first time; mean since the point before, while Adam adapts to the MDP. "
        "Frozen: the weights of that point on MDPs that no seed is trained on. Dashed: writing no update at all.");
    HistoryPlot distance("distance", "Distance to theory's weights");
    distance.line("manifold_distance").color(kTransformerColor);
    distance.y("relative distance").logarithmic();
    distance.level("emerged", 0.05);
    distance.note(
        "How far the weights are from theory's: the distance of the blocks to the nearest point of the manifold {(c P12*, "
        "V21*/c)}, Eq. (9) of Liang and Lai, c of either sign, over that point's norm.");
    HistoryPlot scale("scale", "Scale c of the nearest point");
    scale.line("scale").color(kScaleColor);
    scale.y("c");
    scale.note(
        "(c P12*, V21*/c) is the same update for every c: training settles on one, of a sign that the initial weights "
        "decide.");
    HistoryPlot rate("learning_rate", "Learning rate");
    rate.line("learning_rate").color(kRateColor);
    rate.y("rate").logarithmic();
    rate.note("Adam's learning rate, with its decay.");
    std::vector<MetricPlot> plots = {loss, distance, scale};
    if (config.rate_decay < 1.0) plots.push_back(rate);
    return plots;
}

}  // namespace emergence
