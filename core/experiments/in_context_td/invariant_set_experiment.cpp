#include "core/experiments/in_context_td/invariant_set_experiment.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/rng.h"
#include "core/experiments/common_fields.h"
#include "core/training/state_arrays.h"

namespace emergence {

void InvariantSetConfig::fields(Fields& f) {
    f.group("start");
    f(eta, "eta", "\u03b7", "P's corner at the start.").range(-3, 3);
    f(c, "c", "c", "Q's upper-left block is c I at the start: rewards along \u03c6.").range(-3, 3);
    f(c_prime, "c_prime", "c'", "Q's lower-left block is c' I at the start: rewards along \u03b3\u03c6'.")
        .range(-3, 3);
    f(distance, "distance", "distance",
      "How far off the set it starts: in a random direction among the entries that can move, "
      "this many times the norm of the point. 0: on the set.")
        .range(0, 2);
    f.group("training");
    f(learning_rate, "learning_rate", "learning rate",
      "Each update is added to the weights times this: Algorithm 1's own step.")
        .log_range(1e-3, 10);
    f(updates.samples, "samples", "MRPs an update",
      "Fresh random MRPs, one pair of prompts each, over which an update is averaged.")
        .log_range(1, 1000);
    features_field(f, updates.tasks.d, "Features of a state. The average is over 2^d d! maps: 384 for d = 4.",
                   5);
    context_length_field(f, updates.n, 200);
    states_field(f, updates.tasks.num_states, "States of each random Boyan chain.", 64);
    gamma_field(f, updates.tasks.gamma, "Discount factor.");
    stop_after_field(f, num_steps, "num_steps", "updates",
                     "The run stops when every seed has taken this many updates.", 1e5)
        .live();
    first_seed_field(f, seed, "Each has MRPs and, off the set, a direction of its own.");
    num_seeds_field(f, seeds, "How many independent streams of MRPs.");
}

namespace {

// A point of the set, moved by `distance` times its norm in a random direction normal to the set. The
// direction has entries in P's last row and Q's first d columns only: updates never change the others.
WeightUpdate draw_invariant_start(const InvariantSetConfig& c, uint64_t seed) {
    WeightUpdate start = invariant_weights(c.updates.tasks.d, {c.eta, c.c, c.c_prime});
    if (c.distance == 0.0) return start;
    const int rows = 2 * c.updates.tasks.d + 1;
    WeightUpdate direction{Eigen::MatrixXd::Zero(rows, rows), Eigen::MatrixXd::Zero(rows, rows)};
    Stream stream(seed, Purpose::initial_weights);
    for (int i = 0; i < rows; ++i) direction.P(rows - 1, i) = stream.normal();
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < c.updates.tasks.d; ++j) direction.Q(i, j) = stream.normal();
    const WeightUpdate along = invariant_weights(c.updates.tasks.d, nearest_invariant_point(direction));
    direction.P -= along.P;
    direction.Q -= along.Q;
    const double size = std::sqrt((start.P.squaredNorm() + start.Q.squaredNorm()) /
                                  (direction.P.squaredNorm() + direction.Q.squaredNorm()));
    start.P += c.distance * size * direction.P;
    start.Q += c.distance * size * direction.Q;
    return start;
}

WeightUpdate moved(const WeightUpdate& weights, double rate, const WeightUpdate& update) {
    return {weights.P + rate * update.P, weights.Q + rate * update.Q};
}

bool finite(const WeightUpdate& weights) { return weights.P.allFinite() && weights.Q.allFinite(); }

std::vector<double> flat(const WeightUpdate& weights) {
    std::vector<double> values(weights.P.reshaped().begin(), weights.P.reshaped().end());
    values.insert(values.end(), weights.Q.reshaped().begin(), weights.Q.reshaped().end());
    return values;
}

WeightUpdate read_weight_update(const ArrayMap& state, const std::string& name, int d) {
    const int rows = 2 * d + 1;
    std::vector<double> values(static_cast<size_t>(2 * rows * rows));
    read_array(state, name, values);
    return {Eigen::Map<const Eigen::MatrixXd>(values.data(), rows, rows),
            Eigen::Map<const Eigen::MatrixXd>(values.data() + rows * rows, rows, rows)};
}

class InvariantSetStudy final : public ConfiguredStudy<InvariantSetConfig> {
  public:
    explicit InvariantSetStudy(const Settings& settings)
        : ConfiguredStudy("invariant-set", "updates", settings),
          average_(std::make_shared<const FeatureAverage>(config_.updates.tasks.d)) {
        metrics_ = invariant_set_metrics();
        metric_plots_ = invariant_set_plots();
    }

    std::unique_ptr<Experiment> make_seed(int seed_index) const override {
        return std::make_unique<InvariantSetSeed>(config_, average_, seed_index);
    }
    int64_t target_step() const override { return config_.num_steps; }
    Snapshot describe(const std::vector<const Experiment*>& seeds) const override {
        Snapshot snapshot = begin_snapshot(seeds);
        std::vector<const InvariantSetSeed*> own;
        for (const Experiment* seed : seeds) own.push_back(&dynamic_cast<const InvariantSetSeed&>(*seed));
        snapshot.matrices = invariant_set_matrices(config_, own);
        snapshot.formulas = invariant_set_formulas();
        snapshot.weights = invariant_set_weights(own);
        snapshot.scalars = invariant_set_scalars(own);
        snapshot.headline = fmt::format("outside the set: {:.1e} averaged over feature maps, {:.1e} plain",
                                        snapshot.scalars[0].value, snapshot.scalars[1].value);
        return snapshot;
    }

  private:
    std::shared_ptr<const FeatureAverage> average_;
};

}  // namespace

// ---- one seed

InvariantSetSeed::InvariantSetSeed(const InvariantSetConfig& config,
                                   std::shared_ptr<const FeatureAverage> average, int seed_index)
    : config_(config),
      average_(std::move(average)),
      seed_(static_cast<uint64_t>(config.seed + seed_index)),
      seed_index_(seed_index),
      start_(draw_invariant_start(config, seed_)),
      averaged_(start_),
      plain_(start_) {}

void InvariantSetSeed::advance(int64_t target_step, std::vector<MetricRow>& rows) {
    if (!logged_) log(rows);
    while (step_ < target_step && !failed_) {
        const UpdateMoments moments =
            update_moments(config_.updates, seed_, static_cast<uint32_t>(step_ * config_.updates.samples));
        const double rate = config_.learning_rate;
        const WeightUpdate averaged =
            moved(averaged_, rate, expected_update((*average_)(moments), averaged_));
        const WeightUpdate plain = moved(plain_, rate, expected_update(moments, plain_));
        if (!finite(averaged) || !finite(plain)) {
            failed_ = true;
            return;
        }
        averaged_ = averaged;
        plain_ = plain;
        ++step_;
        log(rows);
    }
}

void InvariantSetSeed::log(std::vector<MetricRow>& rows) {
    logged_ = true;
    const InvariantPoint averaged = nearest_invariant_point(averaged_),
                         plain = nearest_invariant_point(plain_);
    rows.push_back({seed_index_,
                    step_,
                    {share_outside_invariant_set(averaged_), share_outside_invariant_set(plain_),
                     averaged.eta, averaged.c, averaged.c_prime, plain.eta, plain.c, plain.c_prime}});
}

SeedStatus InvariantSetSeed::status() const {
    SeedStatus status{seed_, step_, failed_, "", false, -1};
    if (failed_)
        status.reason = fmt::format("diverged at update {}: the learning rate is too large", step_ + 1);
    return status;
}

ArrayMap InvariantSetSeed::save() const {
    return {{"averaged", array_of(flat(averaged_))},
            {"plain", array_of(flat(plain_))},
            {"progress", array_of(std::vector<int64_t>{step_, logged_ ? 1 : 0, failed_ ? 1 : 0})}};
}

void InvariantSetSeed::load(const ArrayMap& state) {
    require_known(state, save());
    std::vector<int64_t> progress(3);
    read_array(state, "progress", progress);
    require_array(progress[0] >= 0, "progress", "begins with a negative step");
    const WeightUpdate averaged = read_weight_update(state, "averaged", config_.updates.tasks.d);
    plain_ = read_weight_update(state, "plain", config_.updates.tasks.d);
    averaged_ = averaged;
    step_ = progress[0];
    logged_ = progress[1] != 0;
    failed_ = progress[2] != 0;
}

// ---- the registry's entry

ExperimentInfo invariant_set() {
    ExperimentInfo info;
    info.name = "invariant-set";
    info.title = "Theorem 2: a set that training does not leave";
    info.summary =
        "One layer of linear attention starts on the set of weights that holds in-context TD, or off it, and "
        "takes expected updates of multi-task TD, averaged over all sign flips and permutations of the "
        "features: on the set it stays to rounding. Plain Monte Carlo on the same samples leaves it (Wang et "
        "al. 2025, Theorem 2).";
    info.fields = std::make_shared<const FieldTable>(fields_of<InvariantSetConfig>());
    info.check = [](const Settings& settings) {
        const auto c = config_from<InvariantSetConfig>(settings);
        if (c.eta == 0.0 && c.c == 0.0 && c.c_prime == 0.0)
            throw InputError("eta: found 0, with c = 0 and c_prime = 0 it must be another: zero never moves");
    };
    info.make = [](const Settings& settings) { return std::make_unique<InvariantSetStudy>(settings); };
    return info;
}

}  // namespace emergence
