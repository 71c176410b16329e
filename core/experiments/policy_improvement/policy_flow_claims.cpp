// Claims about gradient flow, and the figure of many distances.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/version.h"
#include "core/experiments/figure_runs.h"
#include "core/experiments/policy_improvement/improvement_study.h"
#include "core/experiments/policy_improvement/policy_flow.h"
#include "core/pictures/axis.h"

namespace emergence {
namespace {

constexpr int kStarts = 4;

// A flow that takes seconds: 49 weights.
PolicyFlowConfig quick_flow(double distance) {
    PolicyFlowConfig config;
    config.num_states = 3;
    config.d = 3;
    config.windows = 300;
    config.distance = distance;
    return config;
}

struct Flows {
    std::shared_ptr<const FlowWorld> world;
    std::vector<std::unique_ptr<FlowSeed>> seeds;
};

Flows flow_from(const PolicyFlowConfig& config) {
    Flows flows{std::make_shared<const FlowWorld>(config), {}};
    std::vector<MetricRow> rows;
    for (int k = 0; k < kStarts; ++k) {
        flows.seeds.push_back(std::make_unique<FlowSeed>(config, k, flows.world));
        flows.seeds.back()->advance(config.num_steps, rows);
    }
    return flows;
}

Measurement rate_error() {
    double largest = 0;
    std::string each;
    for (const auto& seed : flow_from(quick_flow(0.1)).seeds) {
        const FlowRates rates = flow_rates(*seed);
        const double error = std::abs(rates.measured / rates.theory - 1);
        if (!(error <= largest)) largest = error;
        each += fmt::format("{}{} and {}", each.empty() ? "" : ", ", readout(rates.measured),
                            readout(rates.theory));
    }
    return {largest, each};
}

// The Polyak-Lojasiewicz inequality, Lemma C.2: the least value along the flows of
//     1/2 |grad L|^2 / (mu L),  mu = m_0^2 / M_0
Measurement least_gradient_share() {
    const PolicyFlowConfig config = quick_flow(0.1);
    const FlowWorld world(config);
    const double mu = world.curvature(config.scale).guaranteed_rate() / 2;
    const Objective objective = world.population().objective();
    double least = std::numeric_limits<double>::infinity();
    Eigen::VectorXd gradient;
    for (int k = 0; k < kStarts; ++k) {
        Stream stream(static_cast<uint64_t>(k), Purpose::initial_weights);
        GradientFlow flow(
            flat_blocks(off_manifold(world.population().target(), config.scale, config.distance, stream)),
            1e-2);
        for (int64_t step = 0; step <= config.num_steps; step += 10) {
            flow.advance(objective, config.interval * static_cast<double>(step));
            const double loss = objective(flow.x(), gradient);
            least = std::min(least, 0.5 * gradient.squaredNorm() / loss / mu);
        }
    }
    return {least, fmt::format("mu = {}", readout(mu))};
}

Measurement balance_error() {
    double largest = 0;
    for (const auto& seed : flow_from(quick_flow(0.5)).seeds) {
        const EffectiveBlocks& target = seed->world().population().target();
        const double c = std::abs(fit_manifold(seed->blocks(), target).c);
        largest = std::max(largest, std::abs(c / scale_of_balance(target, block_balance(seed->start())) - 1));
    }
    return {largest, ""};
}

Measurement arrived_share(double distance) {
    const Flows flows = flow_from(quick_flow(distance));
    int arrived = 0;
    for (const auto& seed : flows.seeds) arrived += seed->status().emerged ? 1 : 0;
    return {static_cast<double>(arrived) / kStarts, fmt::format("{} of {}", arrived, kStarts)};
}

Measurement gradient_at_zero() {
    const FlowWorld world(quick_flow(0.1));
    const ImprovementShape& shape = world.population().shape();
    Eigen::VectorXd gradient;
    const double loss = world.population().loss(
        Eigen::VectorXd::Zero(shape.context() * (shape.query() + shape.outputs())), gradient);
    return {gradient.norm(), fmt::format("the loss is {}", readout(loss))};
}

// ---- the figure

constexpr double kStartDistances[] = {0.1, 0.5, 1, 2, 4, 8};
constexpr const char* kRandomStart = "random start";

const Series& flow_series(const FinishedRun& run) {
    for (const PlotSpec& plot : run.snapshot.plots)
        if (plot.id == "flow_loss") return plot.series.front();
    throw InputError("figure policy-flow: a run has no losses");
}

PlotSpec losses_plot(const FigureRuns& runs) {
    PlotSpec plot;
    plot.id = "losses";
    plot.title = "Loss, median start";
    plot.x = {"flow time", "", Scale::linear, 0.0};
    plot.y = {"loss", "", Scale::logarithmic};
    plot.spread = Spread::median;
    plot.row_word = "start";
    plot.markers = false;
    for (size_t i = 0; i < runs.configs.size(); ++i) {
        Series series = flow_series(runs.grid.runs[i]);
        series.name = runs.configs[i].label;
        series.color = static_cast<int>(i);
        plot.series.push_back(std::move(series));
    }
    plot.note = "Median over starts with the 25 to 75 % band.";
    return plot;
}

// The share of starts that have arrived, by their distance at the start.
PlotSpec arrivals_plot(const FigureRuns& runs) {
    PlotSpec plot;
    plot.id = "arrivals";
    plot.title = "Starts that have arrived";
    plot.x = {"relative distance at the start", "", Scale::logarithmic};
    plot.y = {"share", "", Scale::linear, 0.0, 1.05};
    Series off{"off the manifold", {}, {{}}, kTransformerColor};
    for (size_t i = 0; i < std::size(kStartDistances); ++i) {
        off.x.push_back(kStartDistances[i]);
        off.rows[0].push_back(emerged_fraction(runs.grid.runs[i].snapshot).value);
    }
    plot.series = {std::move(off)};
    plot.lines = {{kRandomStart, emerged_fraction(runs.grid.runs.back().snapshot).value, false}};
    plot.note = "Within 0.1 % of the manifold at the end.";
    return plot;
}

// Theory's rate and the measured rate of every start that has arrived.
std::vector<std::pair<double, double>> arrived_rates(const FlowWorld& world, const FinishedRun& run) {
    std::vector<std::pair<double, double>> pairs;
    for (int k = 0; k < run.history.num_seeds(); ++k) {
        if (!run.snapshot.seeds[static_cast<size_t>(k)].emerged) continue;
        std::vector<std::vector<double>> rows(run.history.steps().size());
        for (const char* metric : {"time", "loss", "manifold_distance", "scale"})
            for (size_t i = 0; i < rows.size(); ++i) rows[i].push_back(run.history.column(metric, k)[i]);
        const FlowRates rates = flow_rates(world, rows);
        pairs.emplace_back(rates.theory, rates.measured);
    }
    return pairs;
}

PlotSpec rates_plot(const FlowWorld& world, const FigureRuns& runs) {
    PlotSpec plot;
    plot.id = "rates";
    plot.title = "Measured rate against theory's";
    plot.x = {"2 x least curvature", "", Scale::logarithmic};
    plot.y = {"measured rate", "", Scale::logarithmic};
    Series points{"a start", {}, {{}}, kTransformerColor};
    points.points = true;
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const FinishedRun& run : runs.grid.runs)
        for (const auto& [theory, measured] : arrived_rates(world, run)) {
            points.x.push_back(theory);
            points.rows[0].push_back(measured);
            least = std::min(least, theory);
            most = std::max(most, theory);
        }
    Series equal{"equal", {least, most}, {{least, most}}, 7, true};
    plot.series = {std::move(points), std::move(equal)};
    plot.note = "A point a start that has arrived, at any distance or from random weights.";
    return plot;
}

}  // namespace

GridFigure figure_policy_flow(const ExperimentInfo& info, const Settings& preset,
                              const GridOptions& options) {
    std::vector<GridConfig> configs;
    for (const double distance : kStartDistances)
        configs.push_back(config_with(fmt::format("distance {:g}", distance), preset,
                                      {{"start", std::string("off_manifold")}, {"distance", distance}}));
    configs.push_back(config_with(kRandomStart, preset, {{"start", std::string("random")}}));
    FigureRuns runs = run_all(info, std::move(configs), options);
    if (runs.grid.stopped) return runs.result;
    const FlowWorld world(config_from<PolicyFlowConfig>(preset));
    FigureSpec& figure = runs.result.figure;
    figure.name = "policy-flow";
    figure.title = "Gradient flow to the manifold, from near and from far";
    figure.caption = fmt::format(
        "Theorem 3.2 of Liang and Lai. Gradient flow on the mean loss of {} windows, {} states, {} actions, "
        "d = {}, {} starts each around c = {} and from Xavier's weights. Left: median loss over starts with "
        "the 25 to 75 % band. Middle: starts within 0.1 % of the manifold at time {:g}. Right: the rates of "
        "those. The theorem speaks of distances below {:.1g}. Emergence {}.",
        preset.integer("windows"), preset.integer("num_states"), preset.integer("num_actions"),
        preset.integer("d"), preset.integer("seeds"), readout(preset.number("scale")),
        preset.number("interval") * static_cast<double>(preset.integer("num_steps")),
        world.guaranteed_distance(preset.number("scale")), version());
    figure.column_weights = {1.4, 1, 1};
    figure.row_weights = {1};
    figure.width_inches = 15;
    figure.height_inches = 5;
    figure.cells = {{losses_plot(runs), 0, 0}, {arrivals_plot(runs), 0, 1}, {rates_plot(world, runs), 0, 2}};
    const auto share = [&](size_t run, const char* name) {
        const Fraction arrived = emerged_fraction(runs.grid.runs[run].snapshot);
        runs.result.measured.push_back({name, {arrived.value, fraction_text(arrived)}});
    };
    share(1, "policy-flow-near");
    share(std::size(kStartDistances) - 1, "policy-flow-far");
    share(std::size(kStartDistances), "policy-flow-random");
    return runs.result;
}

std::vector<Claim> policy_flow_claims() {
    const char* const source = "Theorem 3.2, Liang and Lai";
    const auto from = [](double distance) { return [distance] { return arrived_share(distance); }; };
    return {
        {.name = "policy-theorem-3.2",
         .statement = "From near the manifold gradient flow's loss falls exponentially, at twice the least "
                      "curvature across it",
         .source = source,
         .quantity = "largest relative error of the rate over the last half of the time, four starts at "
                     "distance 0.1",
         .agrees = at_most(0.25),
         .measure = rate_error},
        {.name = "policy-theorem-3.2-pl",
         .statement = "The Polyak-Lojasiewicz inequality holds on the way",
         .source = "Lemma C.2, Liang and Lai",
         .quantity = "least 1/2 |grad L|^2 / (mu L) on the ways of four starts at distance 0.1, mu = m_0^2 / "
                     "M_0 with the tightest constants",
         .agrees = at_least(1.0),
         .measure = least_gradient_share},
        {.name = "policy-theorem-3.2-arrives",
         .statement = "The flow converges to a point of the manifold",
         .source = source,
         .quantity = "share of four starts at distance 0.1 that come within 0.1 % of it",
         .agrees = at_least(1.0),
         .measure = from(0.1)},
        {.name = "policy-theorem-3.2-zero",
         .statement = "At zero weights nothing moves, though the loss is not 0: the theorem is local",
         .source = "negative control",
         .quantity = "norm of the loss's gradient at P12 = 0, V21 = 0",
         .agrees = at_most(0.0),
         .measure = gradient_at_zero},
        {.name = "policy-flow-balance",
         .statement = "The start's |P12|^2 - |V21|^2 says at which scale c the flow ends",
         .source = "this laboratory",
         .quantity = "largest relative error of |c| at the end, four starts at distance 0.5",
         .agrees = at_most(0.01),
         .measure = balance_error},
        {.name = "policy-flow-near",
         .statement = "From a distance of half the point's norm, far beyond the theorem's tube, all arrive",
         .source = "this laboratory",
         .quantity = "share of starts within 0.1 % of the manifold at the end",
         .agrees = at_least(1.0),
         .figure = "policy-flow"},
        {.name = "policy-flow-far",
         .statement = "From eight times its norm most do not arrive in the same time",
         .source = "this laboratory",
         .quantity = "share of starts within 0.1 % of the manifold at the end",
         .agrees = at_most(0.5),
         .figure = "policy-flow"},
        {.name = "policy-flow-random",
         .statement = "From Xavier's weights, of which the theorem does not speak, all arrive",
         .source = "this laboratory",
         .quantity = "share of starts within 0.1 % of the manifold at the end",
         .agrees = at_least(0.9),
         .figure = "policy-flow"}};
}

}  // namespace emergence
