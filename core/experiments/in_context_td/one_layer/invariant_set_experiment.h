#pragma once
// Experiment "invariant-set": Theorem 2 of Wang et al. 2025. One layer starts on the set that holds
// in-context TD, or off it, and takes expected updates, averaged over all sign flips and permutations of the
// features; plain Monte Carlo runs beside it on the same samples. One step is one update, in double.

#include <memory>
#include <string>
#include <vector>

#include "core/experiments/logged_seed.h"
#include "core/experiments/study_of.h"
#include "core/measures/invariant_set.h"
#include "core/settings/fields.h"

namespace emergence {

/// Every setting of experiment "invariant-set".
struct InvariantSetConfig {
    double eta = 1.0, c = -0.5, c_prime = 0.5;
    double distance = 0.0;
    double learning_rate = 0.5;
    InvariantSetOptions updates;
    int64_t num_steps = 400;
    int64_t seed = 0;
    int seeds = 8;

    void fields(Fields& f);
};

/// What a seed measures: under averaged updates and under plain Monte Carlo, the share outside the set and the nearest
/// point of it.
struct InvariantSetMeasured {
    double distance = 0, distance_plain = 0;
    InvariantPoint point, point_plain;
};
Metrics<InvariantSetMeasured> invariant_set_metrics();

/// One seed: both ways of averaging, on the same samples.
class InvariantSetSeed final : public CountedSeed<InvariantSetMeasured> {
  public:
    InvariantSetSeed(const InvariantSetConfig& config, int seed_index, std::shared_ptr<const FeatureAverage> average);

    bool failed() const override { return failed_; }
    void state(Archive& archive) override;

    const WeightUpdate& start() const { return start_; }
    const WeightUpdate& averaged() const { return averaged_; }
    const WeightUpdate& plain() const { return plain_; }

  protected:
    void take_step() override;
    InvariantSetMeasured measure() override;
    std::string why_failed() const override;

  private:
    InvariantSetConfig config_;
    std::shared_ptr<const FeatureAverage> average_;
    WeightUpdate start_, averaged_, plain_;
    bool failed_ = false;
};

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
/// Likewise of experiment "one-layer-flow", which draws the expected update of one layer as arrows, in two coordinates
/// that do not depend on the scale of P and Q, and real trainings as paths.
ExperimentInfo one_layer_flow();

}  // namespace emergence
