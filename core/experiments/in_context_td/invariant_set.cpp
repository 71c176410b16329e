#include "core/experiments/in_context_td/invariant_set.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/rng.h"
#include "core/experiments/common_fields.h"

namespace emergence {

void InvariantSetConfig::fields(Fields& f) {
    f.group("start");
    f(eta, "eta", "\u03b7", "P's corner at the start.").range(-3, 3);
    f(c, "c", "c", "Q's upper-left block is c I at the start: rewards along \u03c6.").range(-3, 3);
    f(c_prime, "c_prime", "c'", "Q's lower-left block is c' I at the start: rewards along \u03b3\u03c6'.").range(-3, 3);
    f(distance, "distance", "distance",
      "How far off the set it starts: in a random direction among the entries that can move, "
      "this many times the norm of the point. 0: on the set.")
        .range(0, 2);
    f.group("training");
    f(learning_rate, "learning_rate", "learning rate",
      "Each update is added to the weights times this: Algorithm 1's own step.")
        .log_range(0, 10);
    f(updates.samples, "samples", "MRPs per update",
      "Fresh random MRPs, one pair of prompts each, over which an update is averaged.")
        .log_range(1, 1000);
    features_field(f, updates.tasks.d, "Features of a state. The average is over 2^d d! maps: 384 for d = 4.", 5);
    context_length_field(f, updates.n, 200);
    states_field(f, updates.tasks.num_states, "States of each random Boyan chain.", 64);
    gamma_field(f, updates.tasks.gamma, "Discount factor.");
    train_for_field(f, num_steps, "num_steps", "updates", "The run stops when every seed has taken this many updates.",
                    1e5)
        .live();
    first_seed_field(f, seed, "Each draws its own MRPs and, off the set, its own direction.");
    num_seeds_field(f, seeds, "How many independent streams of MRPs.");
}

namespace {

constexpr StudyNames kInvariantSetStudy = {"invariant-set", "updates", "num_steps"};

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

class InvariantSetStudy final : public StudyOf<InvariantSetConfig, InvariantSetSeed, FeatureAverage> {
  public:
    explicit InvariantSetStudy(const Settings& settings) : StudyOf(kInvariantSetStudy, settings) {
        shared_ = std::make_shared<const FeatureAverage>(config_.updates.tasks.d);
        metrics_ = invariant_set_metrics().table();
        metric_plots_ = invariant_set_plots();
    }
    static void check(const InvariantSetConfig& c) {
        if (c.eta == 0.0 && c.c == 0.0 && c.c_prime == 0.0)
            throw InputError(
                "eta: with eta = c = c_prime = 0 no weight ever moves. Set one of them to another number.");
    }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override {
        snapshot.matrices = invariant_set_matrices(config_, seeds);
        snapshot.formulas = invariant_set_formulas();
        snapshot.weights = invariant_set_weights(seeds);
        snapshot.scalars = invariant_set_scalars(seeds);
        snapshot.headline = fmt::format("outside the set: {:.1e} averaged over feature maps, {:.1e} plain",
                                        snapshot.scalars[0].value, snapshot.scalars[1].value);
    }
};

}  // namespace

// ---- one seed

InvariantSetSeed::InvariantSetSeed(const InvariantSetConfig& config, int seed_index,
                                   std::shared_ptr<const FeatureAverage> average)
    : CountedSeed(static_cast<uint64_t>(config.seed + seed_index), seed_index, 1, invariant_set_metrics()),
      config_(config),
      average_(std::move(average)),
      start_(draw_invariant_start(config, seed())),
      averaged_(start_),
      plain_(start_) {}

void InvariantSetSeed::take_step() {
    const UpdateMoments moments =
        update_moments(config_.updates, seed(), static_cast<uint32_t>(step_ * config_.updates.samples));
    const double rate = config_.learning_rate;
    const WeightUpdate averaged = moved(averaged_, rate, expected_update((*average_)(moments), averaged_));
    const WeightUpdate plain = moved(plain_, rate, expected_update(moments, plain_));
    failed_ = !finite(averaged) || !finite(plain);
    if (failed_) return;
    averaged_ = averaged;
    plain_ = plain;
    ++step_;
}

InvariantSetMeasured InvariantSetSeed::measure() {
    return {share_outside_invariant_set(averaged_), share_outside_invariant_set(plain_),
            nearest_invariant_point(averaged_), nearest_invariant_point(plain_)};
}

std::string InvariantSetSeed::why_failed() const {
    return fmt::format("diverged at update {}: the learning rate is too large", step_ + 1);
}

void InvariantSetSeed::state(Archive& archive) {
    const auto weights = [&archive](const char* name, WeightUpdate& pair) {
        Eigen::MatrixXd both(pair.P.rows(), 2 * pair.P.cols());
        both << pair.P, pair.Q;
        archive(name, both);
        if (archive.loads()) pair = {both.leftCols(pair.P.cols()), both.rightCols(pair.P.cols())};
    };
    weights("averaged", averaged_);
    weights("plain", plain_);
    progress(archive, failed_);
}

// ---- the registry's entry

ExperimentInfo invariant_set() {
    return experiment_of<InvariantSetStudy>(
        kInvariantSetStudy, "Theorem 2: a set that training does not leave",
        "One layer of linear attention starts on the set of weights that holds in-context TD, or off it, and takes "
        "expected updates of multi-task TD, averaged over all sign flips and permutations of the features: on the set "
        "it stays to rounding. Plain Monte Carlo on the same samples leaves it (Wang et al. 2025, Theorem 2).");
}

}  // namespace emergence
