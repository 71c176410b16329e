#pragma once
// Experiment "invariant-set": Theorem 2 of Wang et al. 2025. One layer starts on the set that holds
// in-context TD, or off it, and takes expected updates, averaged over all sign flips and permutations of the
// features; plain Monte Carlo runs beside it on the same samples. One step is one update, in double.

#include <memory>
#include <string>
#include <vector>

#include "core/experiments/common_fields.h"
#include "core/experiments/configured_study.h"
#include "core/measures/invariant_set.h"

namespace emergence {

/// Every setting of experiment "invariant-set".
struct InvariantSetConfig {
    double eta = 1.0, c = -0.5, c_prime = 0.5;
    double distance = 0.0;
    double learning_rate = 0.5;
    int samples = 20;
    int d = 4;
    int n = 30;
    int num_states = 10;
    double gamma = 0.9;
    int64_t num_steps = 400;
    int64_t seed = 0;
    int seeds = 8;
};

template <class Visitor>
void visit_fields(InvariantSetConfig& c, Visitor&& visit) {
    const auto number = [&](const char* name, const char* label, const char* help, double& member) {
        visit(
            FieldInfo{
                .name = name, .label = label, .help = help, .group = "start", .minimum = -3, .maximum = 3},
            member);
    };
    number("eta", "\u03b7", "P's corner at the start.", c.eta);
    number("c", "c", "Q's upper-left block is c I at the start: rewards along \u03c6.", c.c);
    number("c_prime", "c'", "Q's lower-left block is c' I at the start: rewards along \u03b3\u03c6'.",
           c.c_prime);
    visit(FieldInfo{.name = "distance",
                    .label = "distance",
                    .help = "How far off the set it starts: in a random direction among the entries that can "
                            "move, this many times the norm of the point. 0: on the set.",
                    .group = "start",
                    .minimum = 0,
                    .maximum = 2},
          c.distance);
    visit(FieldInfo{.name = "learning_rate",
                    .label = "learning rate",
                    .help = "Each update is added to the weights times this: Algorithm 1's own step.",
                    .group = "training",
                    .minimum = 1e-3,
                    .maximum = 10,
                    .logarithmic = true},
          c.learning_rate);
    visit(FieldInfo{.name = "samples",
                    .label = "MRPs an update",
                    .help = "Fresh random MRPs, one pair of prompts each, over which an update is averaged.",
                    .group = "training",
                    .minimum = 1,
                    .maximum = 1000,
                    .logarithmic = true},
          c.samples);
    visit(features_field("Features of a state. The average is over 2^d d! maps: 384 for d = 4.", 5), c.d);
    visit(context_length_field(200), c.n);
    visit(states_field("States of each random Boyan chain.", 64), c.num_states);
    visit(gamma_field("Discount factor."), c.gamma);
    visit(FieldInfo{.name = "num_steps",
                    .label = "stop after",
                    .help = "The run stops when every seed has taken this many updates.",
                    .group = "run",
                    .unit = "updates",
                    .applies = Applies::live,
                    .minimum = 1,
                    .maximum = 1e5,
                    .logarithmic = true},
          c.num_steps);
    visit(first_seed_field("Each has MRPs and, off the set, a direction of its own."), c.seed);
    visit(num_seeds_field("How many independent streams of MRPs."), c.seeds);
}

/// One seed: both ways of averaging, on the same samples.
class InvariantSetSeed final : public Experiment {
  public:
    InvariantSetSeed(const InvariantSetConfig& config, std::shared_ptr<const FeatureAverage> average,
                     int seed_index);

    void advance(int64_t target_step, std::vector<MetricRow>& rows) override;
    int64_t step() const override { return step_; }
    bool failed() const override { return failed_; }
    SeedStatus status() const override;
    ArrayMap save() const override;
    void load(const ArrayMap& state) override;
    void set_live(const Settings&) override {}  // the only live setting is the last step

    const WeightUpdate& start() const { return start_; }
    const WeightUpdate& averaged() const { return averaged_; }
    const WeightUpdate& plain() const { return plain_; }

  private:
    void log(std::vector<MetricRow>& rows);

    InvariantSetConfig config_;
    std::shared_ptr<const FeatureAverage> average_;
    uint64_t seed_;
    int seed_index_;
    WeightUpdate start_, averaged_, plain_;
    int64_t step_ = 0;
    bool logged_ = false, failed_ = false;
};

/// The shares outside the set and its coordinates eta, c, c' under both ways of averaging.
MetricTable invariant_set_metrics();

/// The distance to the set and its coordinates against updates.
std::vector<MetricPlot> invariant_set_plots();
/// P and Q under both ways of averaging, with the meaning of each block on the set.
std::vector<NamedMatrix> invariant_set_matrices(const InvariantSetConfig& config,
                                                const std::vector<const InvariantSetSeed*>& seeds);

/// The value on the set, and the update of Eq. (10), Wang et al. 2025.
std::vector<Formula> invariant_set_formulas();

/// P and Q under both ways of averaging as arrays: seeds x 1 x D x D, D = 2d+1.
ArrayMap invariant_set_weights(const std::vector<const InvariantSetSeed*>& seeds);

/// The largest share of the norm outside the set, over seeds.
std::vector<Scalar> invariant_set_scalars(const std::vector<const InvariantSetSeed*>& seeds);

/// The experiment's entry in the registry.
ExperimentInfo invariant_set();

}  // namespace emergence
