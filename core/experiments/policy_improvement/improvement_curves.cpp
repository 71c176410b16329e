// Curves of policy improvement.
#include <limits>

#include "core/base/types.h"
#include "core/experiments/policy_improvement/improvement_study.h"

namespace emergence {
namespace {

constexpr int kNoUpdateColor = 7, kRateColor = 1, kScaleColor = 2;

// A column of the seeds' traces against the first one. All seeds log at the same steps and rates.
PlotSpec trace_plot(const std::vector<const ImprovementSeed*>& seeds, size_t column) {
    PlotSpec plot;
    plot.x = {"sum of learning rates", "", Scale::linear, 0.0};
    Series series{"", {}, {}, kTransformerColor};
    for (const ImprovementSeed* seed : seeds)
        if (seed->trace().rows().size() > series.x.size()) {
            series.x.clear();
            for (const auto& row : seed->trace().rows()) series.x.push_back(row[0]);
        }
    for (const ImprovementSeed* seed : seeds) {
        std::vector<double> values(series.x.size(), kMissing);
        const auto& rows = seed->trace().rows();
        for (size_t i = 0; i < rows.size(); ++i) values[i] = rows[i][column];
        series.rows.push_back(std::move(values));
        plot.seeds.push_back(seed->status().seed);
    }
    plot.series = {std::move(series)};
    return plot;
}

}  // namespace

std::vector<PlotSpec> improvement_rate_plots(const std::vector<const ImprovementSeed*>& seeds) {
    PlotSpec loss = trace_plot(seeds, 1);
    loss.id = "loss_by_rate";
    loss.title = "Loss against the sum of learning rates";
    loss.y = {"loss", "", Scale::logarithmic};
    loss.series[0].name = "transformer";
    loss.note =
        "The same loss against how far Adam could have gone, the sum of its learning rates (ours). The paper "
        "multiplies the rate by 0.99 every 10 MDPs: a loss that falls exponentially over MDPs may only "
        "follow the rate. Here such a fall is a plunge at the right end.";
    return {std::move(loss)};
}

MetricTable improvement_metrics() {
    return {{"loss", "transformer",
             "Mean of half the squared distance of the written update from the teacher's, since the row "
             "before: windows not trained on before."},
            {"loss_of_no_update", "no update", "The same loss of writing nothing."},
            {"manifold_distance", "relative",
             "Distance of (P12, V21) to the nearest (c P12*, V21*/c), over that point's norm."},
            {"manifold_distance_raw", "absolute", "The distance itself, a Frobenius norm over both blocks."},
            {"scale", "c", "The c of that nearest point; either sign is as good."},
            {"rate_sum", "sum of rates", "Sum of Adam's learning rates over all updates so far."},
            {"learning_rate", "learning rate", "Adam's, of the next update."}};
}

std::vector<MetricPlot> improvement_metric_plots(const ImprovementConfig& config) {
    MetricPlot loss;
    loss.id = "loss";
    loss.title = "Loss: written update against the teacher's";
    loss.lines = {{"loss", "", kTransformerColor}, {"loss_of_no_update", "", kNoUpdateColor, true}};
    loss.y = {"loss", "", Scale::logarithmic};
    loss.note =
        "Figure 4 of Liang and Lai: half the squared distance of the update that the transformer writes from "
        "the teacher's, each window seen for the first time; mean since the point before. Dashed: writing "
        "no update at all.";
    MetricPlot distance;
    distance.id = "distance";
    distance.title = "Distance to the manifold";
    distance.lines = {{"manifold_distance", "", kTransformerColor}};
    distance.y = {"relative distance", "", Scale::logarithmic};
    distance.references = {{"emerged", 0.05, false}};
    distance.note =
        "Distance of the blocks to the nearest point of {(c P12*, V21*/c)}, Eq. (9), c of either sign, over "
        "that point's norm.";
    MetricPlot scale;
    scale.id = "scale";
    scale.title = "Scale c of the nearest point";
    scale.lines = {{"scale", "", kScaleColor}};
    scale.y.label = "c";
    scale.note =
        "(c P12*, V21*/c) is the same update for every c: training settles on one, of a sign that the "
        "initial "
        "weights decide.";
    MetricPlot rate;
    rate.id = "learning_rate";
    rate.title = "Learning rate";
    rate.lines = {{"learning_rate", "", kRateColor}};
    rate.y = {"rate", "", Scale::logarithmic};
    rate.note = "Adam's learning rate: multiplied by the field rate_decay every decay_every MDPs.";
    std::vector<MetricPlot> plots = {loss, distance, scale};
    if (config.rate_decay < 1.0) plots.push_back(rate);
    return plots;
}

}  // namespace emergence
