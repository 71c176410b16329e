#include <cmath>

#include "core/base/array.h"
#include "core/base/ranges.h"
#include "core/base/statistics.h"
#include "core/experiments/common_fields.h"
#include "core/experiments/figure_file.h"
#include "core/experiments/policy_improvement/policy_improvement.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

constexpr int kTheoryColor = 2, kBoundColor = 7;
constexpr double kRoundingLoss = 1e-24;  // smaller losses are rounding
constexpr double kNearRate = 0.1;        // relative distance within which the linear theory applies

constexpr double kArrived = 1e-3, kFlowTolerance = 1e-2;

EffectiveBlocks draw_flow_start(const PolicyFlowConfig& c, const ImprovementPopulation& population, uint64_t seed) {
    if (c.start == "random")
        return blocks_of(population.shape(),
                         initial_improvement_weights(population.shape(), c.initial_gain, seed).data());
    Stream stream(seed, Purpose::initial_weights);
    return off_manifold(population.target(), c.scale, c.distance, stream);
}

Plot flow_plot(const char* id, const char* title, const std::vector<const FlowSeed*>& seeds, size_t column) {
    Plot plot(id, title);
    plot.x("flow time").from(0.0);
    plot.spread(Spread::every_seed).no_markers();
    add_trace(plot, "gradient flow", seeds, column);
    return plot;
}

// The loss at theory's rate through the last point, over the last half of the time.
std::vector<std::vector<double>> at_theorys_rate(const Series& flow, const std::vector<const FlowSeed*>& seeds) {
    std::vector<std::vector<double>> rows;
    for (size_t k = 0; k < seeds.size(); ++k) {
        rows.emplace_back(flow.x.size(), kMissing);
        const double rate = flow_rates(seeds[k]->world(), seeds[k]->trace().rows()).theory;
        const size_t last = seeds[k]->trace().rows().empty() ? 0 : seeds[k]->trace().rows().size() - 1;
        for (size_t i = last / 2; std::isfinite(rate) && i <= last; ++i)
            rows[k][i] = flow.rows[k][last] * std::exp(rate * (flow.x[last] - flow.x[i]));
    }
    return rows;
}

PlotSpec loss_plot(const PolicyFlowConfig& config, const std::vector<const FlowSeed*>& seeds) {
    Plot plot = flow_plot("flow_loss", "Loss against flow time", seeds, 1);
    plot.y("loss").logarithmic();
    plot.note(
        "Theorem 3.2: near the manifold the loss falls exponentially. Dashed: at twice the Hessian's least eigenvalue "
        "across the manifold, and at the theorem's own rate. A flat line is a plateau: this start may never arrive.");
    const Series flow = plot.spec().series[0];
    if (seeds.empty() || flow.x.empty()) return plot;
    plot.line("at theory's rate, 2 x least curvature", flow.x, at_theorys_rate(flow, seeds))
        .color(kTheoryColor)
        .dashed();
    if (config.start == "off_manifold") {
        const double rate = seeds.front()->world().curvature(config.scale).guaranteed_rate();
        // The theorem's bound, L(0) exp(-2 mu t).
        auto bounds = mapped(flow.rows, [&](const std::vector<double>& losses) {
            return mapped(flow.x, [&](double t) { return losses.front() * std::exp(-rate * t); });
        });
        plot.line("Theorem 3.2's rate", flow.x, std::move(bounds)).color(kBoundColor).dashed();
    }
    return plot;
}

PlotSpec manifold_distance_plot(const std::vector<const FlowSeed*>& seeds) {
    Plot plot = flow_plot("flow_distance", "Distance to theory's weights", seeds, 2);
    plot.y("distance / norm").logarithmic();
    plot.note(
        "Distance of (P12, V21) from the nearest (c P12*, V21*/c), over its norm. It may grow while the loss falls.");
    return plot;
}

PlotSpec scale_plot(const std::vector<const FlowSeed*>& seeds) {
    Plot plot = flow_plot("flow_scale", "The scale c, and where it must end", seeds, 3);
    plot.y("|c|");
    Series& series = plot.spec().series[0];
    std::vector<std::vector<double>> kept;
    for (size_t k = 0; k < seeds.size(); ++k) {
        for (double& c : series.rows[k]) c = std::abs(c);
        const double end = scale_of_balance(seeds[k]->world().population().target(), block_balance(seeds[k]->start()));
        kept.emplace_back(series.x.size(), end);
    }
    plot.line("from the start's balance", std::vector(series.x), std::move(kept)).color(kTheoryColor).dashed();
    plot.note("Gradient flow keeps |P12|^2 - |V21|^2 (ours), so the start alone decides the final |c| (dashed).");
    return plot;
}

// Median rates of the starts near the manifold, measured and of theory, and the theorem's largest distance.
std::vector<Scalar> flow_scalars(const PolicyFlowConfig& config, const std::vector<const FlowSeed*>& seeds) {
    std::vector<std::vector<double>> measured, theory;
    for (const FlowSeed* seed : seeds) {
        const FlowRates rates = flow_rates(seed->world(), seed->trace().rows());
        if (!std::isfinite(rates.theory)) continue;
        measured.push_back({rates.measured});
        theory.push_back({rates.theory});
    }
    std::vector<Scalar> scalars = {
        {"rate", "rate", summarise(measured, 0).median, "",
         "Exponential rate of the loss over the second half of the time; median over starts near the manifold."},
        {"theory_rate", "theory's", summarise(theory, 0).median, "",
         "Twice the least eigenvalue of the Hessian across the manifold, at the scales where these starts are."}};
    if (config.start == "off_manifold")
        scalars.push_back(
            {"guaranteed_distance", "largest distance of Theorem 3.2",
             seeds.front()->world().guaranteed_distance(config.scale), "",
             "The largest relative distance that the theorem can cover: its tube's radius is below sqrt(m_0) / (3 C_Q)."});
    return scalars;
}

constexpr StudyNames kPolicyFlowStudy = {
    "policy-flow", "steps", "num_steps",
    "A start counts as emerged (our rule) when it arrives: its blocks are within 0.1 % of the manifold {(c P12*, "
    "V21*/c)}, by their Frobenius distance from the nearest point over that point's norm."};

class FlowStudy final : public StudyOf<PolicyFlowConfig, FlowSeed, FlowWorld> {
  public:
    explicit FlowStudy(const Settings& settings) : StudyOf(kPolicyFlowStudy, settings) {
        shared_ = std::make_shared<const FlowWorld>(config_);
        declare(FlowMeasured());
    }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override {
        const ImprovementPopulation& population = shared_->population();
        const auto blocks = mapped(seeds, [](const FlowSeed* seed) {
            return SeedBlocks{seed->blocks(), seed->start()};
        });
        show_blocks(population.shape(), population.target(), blocks, snapshot);
        snapshot.plots = {loss_plot(config_, seeds), manifold_distance_plot(seeds), scale_plot(seeds)};
        snapshot.scalars = flow_scalars(config_, seeds);
    }
};

// Theory's rate and the measured rate of every start that has arrived.
void draw_policy_flow(Draft& draft) {
    const FlowWorld world(config_from<PolicyFlowConfig>(draft.settings));
    Plot plot("rates", "Measured rate against theory's");
    plot.x("2 x least curvature").logarithmic();
    plot.y("measured rate").logarithmic();
    std::vector<double> x, y;
    for (const FinishedRun& run : draft.runs())
        for (const size_t place : live_seeds(run.snapshot)) {
            if (!run.snapshot.seeds[place].emerged) continue;
            std::vector<std::vector<double>> rows(run.history.steps().size());
            for (const char* metric : {"time", "loss", "manifold_distance", "scale"})
                for (size_t i = 0; i < rows.size(); ++i)
                    rows[i].push_back(run.history.column(metric, static_cast<int>(place))[i]);
            const FlowRates rates = flow_rates(world, rows);
            x.push_back(rates.theory);
            y.push_back(rates.measured);
        }
    const double least = least_of(x), most = largest_of(x);
    plot.points("a start", std::move(x), std::move(y)).color(kTransformerColor);
    if (most > 0) plot.path("equal", {least, most}, {least, most}).color(7).dashed();
    plot.note("Each point is a start that arrived, from any distance or from random weights.");
    draft.add(plot.spec());
    draft.caption += fmt::format(" The theorem covers distances below {:.1g}.",
                                 world.guaranteed_distance(draft.settings.number("scale")));
}

}  // namespace

FlowRates flow_rates(const FlowWorld& world, const std::vector<std::vector<double>>& rows) {
    FlowRates rates{kMissing, kMissing};
    if (rows.empty()) return rates;
    std::vector<double> times, logs;
    for (size_t i = rows.size() / 2; i < rows.size(); ++i) {
        if (!(rows[i][1] > kRoundingLoss)) continue;
        times.push_back(rows[i][0]);
        logs.push_back(std::log(rows[i][1]));
    }
    rates.measured = times.size() < 3 ? kMissing : -fit_line(times, logs).slope;
    if (!(rows.back()[2] < kNearRate)) return rates;
    rates.theory = world.curvature(rows.back()[3]).rate();
    return rates;
}

void PolicyFlowConfig::fields(Fields& f) {
    task_fields(f, 10);
    f.group("task");
    f(windows, "windows", "windows",
      "The mean over this many windows, each of another MDP, replaces the expected loss.")
        .log_range(50, 5000);
    teacher_fields(f);
    // These fields come after teacher_fields(), which declares the fields of the default algorithm.
    f.choice(shape.sizes.algorithm, {{"sarsa", Improvement::sarsa}, {"actor-critic", Improvement::actor_critic}},
             "algorithm", "algorithm", "The algorithm to imitate. Actor-critic's flow is slower.")
        .called({{"sarsa", "SARSA"}});
    f(policy_features, "m", "policy features m",
      "Random features of a state and an action; the actor's logits are linear in them.")
        .range(1, 10)
        .acts_while("algorithm", {"actor-critic"});
    f(agent.beta, "beta", "critic's step \u03b2", "Step size of the teacher's critic, Eq. (3); the actor's is \u03b1.")
        .log_range(0.01, 2)
        .acts_while("algorithm", {"actor-critic"});
    f.group("start");
    f(start, "start", "start",
      "off_manifold: at a distance from a point (c P12*, V21*/c), as in Theorem 3.2. random: Xavier's weights.")
        .choices({"off_manifold", "random"});
    f(distance, "distance", "distance",
      "Distance of the start from that point, over the point's norm, in a random direction normal to the manifold.")
        .log_range(0.01, 16);
    f(scale, "scale", "scale c", "The point's scale c. The loss is steeper at some c, so the rate depends on c.")
        .log_range(0.1, 5);
    block_gain_field(f).group("start");
    f.group("run");
    f(interval, "interval", "time per step",
      "Flow time between logged points. The solver takes as many small steps as it needs.")
        .log_range(1, 10000);
    stop_after_field(f, num_steps, "num_steps", "steps", "Logged points.", 10000).live();
    first_seed_field(f, seed, "Each seed draws its own start; all share the first seed's windows.");
    num_seeds_field(f, seeds, "How many starts.");
}

// ---- the world

FlowWorld::FlowWorld(const PolicyFlowConfig& c)
    : population_(c.teacher_shape(), c.agent, c.windows,
                  derive_seed(static_cast<uint64_t>(c.seed), Purpose::held_out)) {}

Curvature FlowWorld::curvature(double c) const {
    const double size = std::abs(c), digits = std::pow(10.0, std::floor(std::log10(size)) - 2.0);
    const double rounded = digits * std::round(size / digits);
    if (std::isnan(rounded)) return {kMissing, kMissing};  // a map has no order for it
    const std::lock_guard lock(mutex_);
    auto known = known_.find(rounded);
    if (known == known_.end()) {
        const Vec all = population_.curvatures(rounded);
        known = known_.emplace(rounded, Curvature{all(1), all(all.size() - 1)}).first;
    }
    return known->second;
}

double FlowWorld::guaranteed_distance(double c) const {
    const double C_Q = 0.5 * population_.largest_square() * population_.largest_query();
    const EffectiveBlocks point = rescaled(population_.target(), c);
    return std::sqrt(curvature(c).least) / (3.0 * C_Q) / std::sqrt(point.P12.squaredNorm() + point.V21.squaredNorm());
}

// ---- one start

void FlowMeasured::say(Row& row) const {
    row("time", "time", "Flow time.", time);
    row("loss", "loss", "Mean of half the squared distance between the written update and the teacher's.", loss);
    say_fit(fit, row);
    row("balance", "balance", "|P12|^2 - |V21|^2, which gradient flow keeps.", balance);
}

FlowSeed::FlowSeed(const PolicyFlowConfig& config, int seed_index, std::shared_ptr<const FlowWorld> world)
    : CountedSeed(config.seed, seed_index, 1),
      interval_(config.interval),
      world_(std::move(world)),
      start_(draw_flow_start(config, world_->population(), seed())),
      flow_(flat_blocks(start_), kFlowTolerance) {}

FlowMeasured FlowSeed::measure() {
    if (step() == 0) flow_.advance(world_->population().objective(), 0.0);  // computes the loss
    const EffectiveBlocks now = blocks();
    const ManifoldFit fit = fit_manifold(now, world_->population().target());
    judge(fit.relative < kArrived);
    trace_.add({flow_.time(), flow_.loss(), fit.relative, fit.c});
    return {flow_.time(), flow_.loss(), block_balance(now), fit};
}

void FlowSeed::state(Archive& archive) {
    Vec x = flow_.x();
    double time = flow_.time(), next_step = flow_.next_step();
    bool failed = flow_.failed();
    archive("blocks", x);
    archive("clock", time, next_step);
    progress(archive, emerged_at_, holds_, failed);
    trace_.state(archive);
    // Between two steps the flow is at the later one's time, unless it failed on the way to it.
    archive.require(failed || time == interval_ * static_cast<double>(step_), "clock",
                    "is at another time than its step");
    archive.require(next_step >= 0.0, "clock", "has a step back");
    if (!archive.loads()) return;
    hold_as_emerged();
    flow_.restore(std::move(x), time, next_step, failed);
}

ExperimentInfo policy_flow() {
    return experiment_of<FlowStudy>(
        kPolicyFlowStudy, "Policy improvement: gradient flow",
        "Gradient flow learns to imitate SARSA or actor-critic from a chosen distance off the manifold of weights "
        "that run the algorithm. Near it the loss falls exponentially, at the rate of theory; from far away some "
        "starts stay on a plateau (Liang and Lai, Theorem 3.2).",
        {shipped_figure("policy-flow", {.draw = draw_policy_flow})});
}

}  // namespace emergence
