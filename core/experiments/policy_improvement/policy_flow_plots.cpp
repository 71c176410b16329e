// Curves and read-outs of gradient flow.

#include <cmath>

#include "core/base/array.h"
#include "core/base/statistics.h"
#include "core/experiments/policy_improvement/improvement_study.h"
#include "core/experiments/policy_improvement/policy_flow.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

constexpr int kTheoryColor = 2, kBoundColor = 7;
constexpr double kRoundingLoss = 1e-24;  // smaller losses are rounding
constexpr double kNearRate = 0.1;        // relative distance within which the linear theory applies

// A column of each seed's trace against time. All seeds log at the same times.
Plot flow_plot(std::string id, std::string title, const std::vector<const FlowSeed*>& seeds, size_t column) {
    Plot plot(std::move(id), std::move(title));
    plot.x("flow time").from(0.0);
    plot.spread(Spread::every_seed).no_markers();
    std::vector<double> times;
    for (const FlowSeed* seed : seeds)
        if (seed->trace().rows().size() > times.size()) {
            times.clear();
            for (const auto& row : seed->trace().rows()) times.push_back(row[0]);
        }
    std::vector<std::vector<double>> rows;
    for (const FlowSeed* seed : seeds) {
        std::vector<double> values(times.size(), kMissing);
        for (size_t i = 0; i < seed->trace().rows().size(); ++i) values[i] = seed->trace().rows()[i][column];
        rows.push_back(std::move(values));
        plot.spec().seeds.push_back(seed->status().seed);
    }
    plot.line("gradient flow", std::move(times), std::move(rows)).color(kTransformerColor);
    return plot;
}

// The loss at theory's rate through the last point, over the last half of the time.
Series theory_line(const Series& flow, const std::vector<const FlowSeed*>& seeds) {
    Series line{"at theory's rate, 2 x least curvature", flow.x, {}, kTheoryColor, true};
    for (size_t k = 0; k < seeds.size(); ++k) {
        std::vector<double> row(flow.x.size(), kMissing);
        const double rate = flow_rates(*seeds[k]).theory;
        const size_t last = seeds[k]->trace().rows().empty() ? 0 : seeds[k]->trace().rows().size() - 1;
        for (size_t i = last / 2; std::isfinite(rate) && i <= last; ++i)
            row[i] = flow.rows[k][last] * std::exp(rate * (flow.x[last] - flow.x[i]));
        line.rows.push_back(std::move(row));
    }
    return line;
}

// The bound L(0) exp(-2 mu t) of Theorem 3.2.
Series bound_line(const PolicyFlowConfig& config, const Series& flow, const std::vector<const FlowSeed*>& seeds) {
    Series line{"Theorem 3.2's rate", flow.x, {}, kBoundColor, true};
    const double rate = seeds.front()->world().curvature(config.scale).guaranteed_rate();
    for (size_t k = 0; k < seeds.size(); ++k) {
        std::vector<double> row;
        for (const double t : flow.x) row.push_back(flow.rows[k].front() * std::exp(-rate * t));
        line.rows.push_back(std::move(row));
    }
    return line;
}

PlotSpec loss_plot(const PolicyFlowConfig& config, const std::vector<const FlowSeed*>& seeds) {
    Plot plot = flow_plot("flow_loss", "Loss against flow time", seeds, 1);
    plot.y("loss").logarithmic();
    plot.note(
        "Theorem 3.2: from near enough to the manifold the loss falls exponentially. Dashed: the rate at which it has "
        "to fall in the end, twice the Hessian's least eigenvalue across the manifold where the flow is, and the "
        "theorem's own rate with the tightest constants there are, which is far slower. A flat line is a plateau: a "
        "start that has not arrived, and need not.");
    const Series flow = plot.spec().series[0];
    if (seeds.empty() || flow.x.empty()) return plot;
    plot.add(theory_line(flow, seeds));
    if (config.start == "off_manifold") plot.add(bound_line(config, flow, seeds));
    return plot;
}

PlotSpec manifold_distance_plot(const std::vector<const FlowSeed*>& seeds) {
    Plot plot = flow_plot("flow_distance", "Distance to theory's weights", seeds, 2);
    plot.y("distance / norm").logarithmic();
    plot.note(
        "How far the weights are from theory's: the distance of (P12, V21) to the nearest (c P12*, V21*/c), over that point's norm. From afar it may grow while "
        "the loss falls.");
    return plot;
}

PlotSpec scale_plot(const std::vector<const FlowSeed*>& seeds) {
    Plot plot = flow_plot("flow_scale", "The scale c, and where it has to end", seeds, 3);
    plot.y("|c|");
    Series& series = plot.spec().series[0];
    Series kept{"from the start's balance", series.x, {}, kTheoryColor, true};
    for (size_t k = 0; k < seeds.size(); ++k) {
        for (double& c : series.rows[k]) c = std::abs(c);
        const double end = scale_of_balance(seeds[k]->world().population().target(), block_balance(seeds[k]->start()));
        kept.rows.push_back(std::vector<double>(series.x.size(), end));
    }
    plot.add(std::move(kept));
    plot.note(
        "Gradient flow keeps |P12|^2 - |V21|^2 (ours: the loss knows only their products), so that the start alone "
        "says at which |c| a flow that arrives will end: dashed.");
    return plot;
}

}  // namespace

FlowRates flow_rates(const FlowSeed& seed) { return flow_rates(seed.world(), seed.trace().rows()); }

FlowRates flow_rates(const FlowWorld& world, const std::vector<std::vector<double>>& rows) {
    FlowRates rates{kMissing, kMissing, kMissing};
    if (rows.empty()) return rates;
    std::vector<double> times, logs;
    for (size_t i = rows.size() / 2; i < rows.size(); ++i) {
        if (!(rows[i][1] > kRoundingLoss)) continue;
        times.push_back(rows[i][0]);
        logs.push_back(std::log(rows[i][1]));
    }
    rates.measured = times.size() < 3 ? kMissing : -fit_line(times, logs).slope;
    if (!(rows.back()[2] < kNearRate)) return rates;
    const Curvature curvature = world.curvature(rows.back()[3]);
    rates.theory = curvature.rate();
    rates.guaranteed = curvature.guaranteed_rate();
    return rates;
}

std::vector<PlotSpec> flow_plots(const PolicyFlowConfig& config, const std::vector<const FlowSeed*>& seeds) {
    return {loss_plot(config, seeds), manifold_distance_plot(seeds), scale_plot(seeds)};
}

std::vector<Scalar> flow_scalars(const PolicyFlowConfig& config, const std::vector<const FlowSeed*>& seeds) {
    std::vector<std::vector<double>> measured, theory;
    for (const FlowSeed* seed : seeds) {
        const FlowRates rates = flow_rates(*seed);
        if (!std::isfinite(rates.theory)) continue;
        measured.push_back({rates.measured});
        theory.push_back({rates.theory});
    }
    std::vector<Scalar> scalars = {
        {"rate", "rate", summarise(measured, 0).median, "",
         "Exponential rate of the loss over the last half of the time, median over the starts that are near "
         "the manifold."},
        {"theory_rate", "theory's", summarise(theory, 0).median, "",
         "Twice the least eigenvalue of the Hessian across the manifold, at the scales where these starts are."}};
    if (config.start == "off_manifold")
        scalars.push_back(
            {"guaranteed_distance", "largest distance of Theorem 3.2",
             seeds.front()->world().guaranteed_distance(config.scale), "",
             "The relative distance up to which the theorem can speak at all: its tube's radius is below sqrt(m_0) / "
             "(3 C_Q), with m_0 measured and C_Q from the largest features, rewards and parameters seen."});
    return scalars;
}

}  // namespace emergence
