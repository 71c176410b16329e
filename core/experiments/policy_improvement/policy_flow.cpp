#include "core/experiments/policy_improvement/policy_flow.h"

#include <fmt/format.h>

#include <cmath>

#include "core/experiments/common_fields.h"
#include "core/experiments/policy_improvement/improvement_matrices.h"
#include "core/training/state_arrays.h"
#include "core/training/teacher_mimicking.h"

namespace emergence {

void PolicyFlowConfig::fields(Fields& f) {
    task_fields(f, 10);
    f.group("task");
    f(windows, "windows", "windows",
      "How many, each from an MDP of its own under w ~ U(-1, 1), have the loss's mean in place "
      "of the expectation. On all of them the manifold's loss is 0.")
        .log_range(50, 5000);
    teacher_fields(f);
    f.group("start");
    f(start, "start", "start",
      "off_manifold: at a distance from a point (c P12*, V21*/c), as Theorem 3.2 has it. "
      "random: Xavier's, as in training.")
        .choices({"off_manifold", "random"});
    f(distance, "distance", "distance",
      "Of the start from that point, over the point's norm, in a random direction normal "
      "to the manifold, one a seed.")
        .log_range(0.01, 16);
    f(scale, "scale", "scale c",
      "Of that point. The loss is as flat or steep around the manifold as c has it, "
      "so that the rate depends on it.")
        .log_range(0.1, 5);
    block_gain_field(f).group("start");
    f.group("run");
    f(interval, "interval", "time a step",
      "Flow time from one logged point to the next; gradient flow moves by the loss's gradient "
      "in a unit of it. The solver takes as many small steps as it needs.")
        .log_range(1, 10000);
    stop_after_field(f, num_steps, "num_steps", "steps", "Logged points.", 10000).live();
    first_seed_field(f, seed, "Each has a start of its own; the windows are the first seed's.");
    num_seeds_field(f, seeds, "How many starts.");
}

namespace {

constexpr double kArrived = 1e-3, kFlowTolerance = 1e-2;
const char* const kArrivalRule =
    "A start counts as emerged, as arrived, (this laboratory's rule) when its blocks are within 0.1 % of the "
    "manifold {(c P12*, V21*/c)}: their Frobenius distance to the nearest point over that point's norm.";

ImprovementShape shape_of(const PolicyFlowConfig& c) {
    return {{c.algorithm, c.num_states, c.num_actions, c.d, c.m}, c.n};
}

EffectiveBlocks draw_flow_start(const PolicyFlowConfig& c, const ImprovementPopulation& population,
                                uint64_t seed) {
    if (c.start == "random")
        return blocks_of(population.shape(),
                         initial_improvement_weights(population.shape(), c.initial_gain, seed).data());
    Stream stream(seed, Purpose::initial_weights);
    return off_manifold(population.target(), c.scale, c.distance, stream);
}

}  // namespace

// ---- the world

FlowWorld::FlowWorld(const PolicyFlowConfig& c)
    : population_(shape_of(c), {c.gamma, c.epsilon, c.alpha, c.beta}, c.windows,
                  derive_seed(static_cast<uint64_t>(c.seed), Purpose::held_out)) {}

Curvature FlowWorld::curvature(double c) const {
    const double size = std::abs(c), digits = std::pow(10.0, std::floor(std::log10(size)) - 2.0);
    const double rounded = digits * std::round(size / digits);
    const std::lock_guard lock(mutex_);
    for (const auto& [scale, known] : known_)
        if (scale == rounded) return known;
    const Eigen::VectorXd all = population_.curvatures(rounded);
    known_.emplace_back(rounded, Curvature{all(1), all(all.size() - 1)});
    return known_.back().second;
}

double FlowWorld::guaranteed_distance(double c) const {
    const double C_Q = 0.5 * population_.largest_square() * population_.largest_query();
    const EffectiveBlocks point = rescaled(population_.target(), c);
    return std::sqrt(curvature(c).least) / (3.0 * C_Q) /
           std::sqrt(point.P12.squaredNorm() + point.V21.squaredNorm());
}

// ---- one start

FlowSeed::FlowSeed(const PolicyFlowConfig& config, std::shared_ptr<const FlowWorld> world, int seed_index)
    : interval_(config.interval),
      world_(std::move(world)),
      seed_(static_cast<uint64_t>(config.seed + seed_index)),
      seed_index_(seed_index),
      start_(draw_flow_start(config, world_->population(), seed_)),
      flow_(flat_blocks(start_), kFlowTolerance) {}

void FlowSeed::advance(int64_t target_step, std::vector<MetricRow>& rows) {
    const Objective objective = world_->population().objective();
    if (!logged_) {
        flow_.advance(objective, 0.0);
        log(rows);
    }
    while (step_ < target_step && !flow_.failed()) {
        flow_.advance(objective, interval_ * static_cast<double>(step_ + 1));
        if (flow_.failed()) return;
        ++step_;
        log(rows);
    }
}

void FlowSeed::log(std::vector<MetricRow>& rows) {
    logged_ = true;
    const EffectiveBlocks now = blocks();
    const ManifoldFit fit = fit_manifold(now, world_->population().target());
    arrived_ = fit.relative < kArrived;
    if (arrived_ && arrived_at_ < 0) arrived_at_ = step_;
    trace_.add({flow_.time(), flow_.loss(), fit.relative, fit.c});
    // In the order of the study's metrics.
    rows.push_back({seed_index_,
                    step_,
                    {flow_.time(), flow_.loss(), fit.relative, fit.distance, fit.c, block_balance(now)}});
}

SeedStatus FlowSeed::status() const {
    SeedStatus status{seed_, step_, flow_.failed(), "", arrived_, arrived_at_};
    if (flow_.failed())
        status.reason = fmt::format("no step of the solver is short enough after time {:g}", flow_.time());
    return status;
}

ArrayMap FlowSeed::save() const {
    ArrayMap state;
    state["blocks"] = array_of(std::vector<double>(flow_.x().begin(), flow_.x().end()));
    state["clock"] = array_of(std::vector<double>{flow_.time(), flow_.next_step()});
    state["progress"] = array_of(
        std::vector<int64_t>{step_, logged_ ? 1 : 0, arrived_at_, arrived_ ? 1 : 0, failed() ? 1 : 0});
    trace_.save(state);
    return state;
}

void FlowSeed::load(const ArrayMap& state) {
    require_known(state, save());
    std::vector<double> blocks(static_cast<size_t>(flow_.x().size())), clock(2);
    std::vector<int64_t> progress(5);
    read_array(state, "blocks", blocks);
    read_array(state, "clock", clock);
    read_array(state, "progress", progress);
    require_array(progress[0] >= 0, "progress", "begins with a negative step");
    ArrayMap rest = state;
    ThinnedTrace trace(4);
    trace.take(rest);
    flow_.restore(Eigen::Map<const Eigen::VectorXd>(blocks.data(), flow_.x().size()), clock[0], clock[1],
                  progress[4] != 0);
    trace_ = std::move(trace);
    step_ = progress[0];
    logged_ = progress[1] != 0;
    arrived_at_ = progress[2];
    arrived_ = progress[3] != 0;
}

// ---- all starts

namespace {

MetricTable flow_metrics() {
    return {{"time", "time", "Flow time."},
            {"loss", "loss", "Mean of half the squared distance of the written update from the teacher's."},
            {"manifold_distance", "relative",
             "Distance of (P12, V21) to the nearest (c P12*, V21*/c), over that point's norm."},
            {"manifold_distance_raw", "absolute", "The distance itself, a Frobenius norm over both blocks."},
            {"scale", "c", "The c of that nearest point; either sign is as good."},
            {"balance", "balance", "|P12|^2 - |V21|^2, which gradient flow keeps."}};
}

class FlowStudy final : public ConfiguredStudy<PolicyFlowConfig> {
  public:
    explicit FlowStudy(const Settings& settings)
        : ConfiguredStudy("policy-flow", "steps", settings),
          world_(std::make_shared<const FlowWorld>(config_)) {
        metrics_ = flow_metrics();
    }

    std::unique_ptr<Experiment> make_seed(int seed_index) const override {
        return std::make_unique<FlowSeed>(config_, world_, seed_index);
    }
    int64_t target_step() const override { return config_.num_steps; }
    Snapshot describe(const std::vector<const Experiment*>& seeds) const override {
        Snapshot snapshot = begin_snapshot(seeds);
        snapshot.emergence_rule = kArrivalRule;
        std::vector<const FlowSeed*> own;
        std::vector<SeedBlocks> blocks;
        for (const Experiment* seed : seeds) {
            own.push_back(&dynamic_cast<const FlowSeed&>(*seed));
            blocks.push_back({own.back()->blocks(), own.back()->start()});
        }
        const ImprovementPopulation& population = world_->population();
        snapshot.matrices = improvement_matrices(population.shape(), population.target(), blocks);
        snapshot.formulas = improvement_formulas(Improvement::sarsa);
        snapshot.weights = improvement_arrays(blocks);
        snapshot.plots = flow_plots(config_, own);
        snapshot.scalars = flow_scalars(config_, own);
        return snapshot;
    }

  private:
    std::shared_ptr<const FlowWorld> world_;
};

}  // namespace

ExperimentInfo policy_flow() {
    ExperimentInfo info;
    info.name = "policy-flow";
    info.title = "Policy improvement: gradient flow";
    info.summary =
        "Gradient flow on the loss that mimics SARSA, from a chosen distance off the manifold of weights "
        "that "
        "are SARSA: near it the loss falls exponentially, at a rate that theory knows; from far away some "
        "starts stay on a plateau (Liang and Lai, Theorem 3.2).";
    info.emergence_rule = kArrivalRule;
    info.fields = std::make_shared<const FieldTable>(fields_of<PolicyFlowConfig>());
    info.check = [](const Settings&) {};
    info.make = [](const Settings& settings) { return std::make_unique<FlowStudy>(settings); };
    info.figures = {figure_of_policy_flow()};
    info.claims = policy_flow_claims();
    return info;
}

}  // namespace emergence
