#pragma once
// Experiment "one-layer-flow": draws the expected update of one layer as arrows, in two coordinates that do
// not depend on the scale of P and Q, and real trainings as paths.

#include <memory>
#include <vector>

#include "core/experiments/common_fields.h"
#include "core/experiments/configured_study.h"
#include "core/experiments/in_context_td/td_runs_fields.h"
#include "core/experiments/in_context_td/td_study.h"
#include "core/measures/invariant_set.h"
#include "core/training/thinned_trace.h"

namespace emergence {

/// Every setting of experiment "one-layer-flow".
struct OneLayerFlowConfig : TdRunsConfig {
    OneLayerFlowConfig() {
        num_layers = 1;
        num_mrps = 2000;
        log_interval = 10;
    }
    double balance = 0.0;
    int arrow_mrps = 20000;
    bool zoom = false;

    void fields(Fields& f) {
        f.group("picture");
        f(balance, "balance", "balance",
          "Of the weights that the arrows are drawn for: \u03b7\u00b2 - d(c\u00b2 + c'\u00b2), which the "
          "expected update keeps. From small random weights it is near 0; Adam does not keep it.")
            .range(-10, 10)
            .live();
        f(zoom, "zoom", "zoom to the start",
          "Draw the neighbourhood of zero, where training begins, instead of all the way.")
            .live();
        f(arrow_mrps, "arrow_mrps", "MRPs of the arrows",
          "Random MRPs over which the six moments behind the arrows are averaged.")
            .log_range(100, 100000);
        initial_gain_field(f, initial_gain, "2d+1");
        TdRunsConfig::fields(f);
    }
};

/// One training, with its path and its distance from the set of Theorem 2.
class OneLayerFlowSeed final : public InContextTdSeed {
  public:
    OneLayerFlowSeed(const OneLayerFlowConfig& config, int seed_index,
                     std::shared_ptr<const SeedMeasures> measures);

    void state(Archive& archive) override;
    /// Rows (a, b), see flow_coordinates(), one per logged step.
    const ThinnedTrace& path() const { return path_; }

  protected:
    TdMeasured measure() override;

  private:
    ThinnedTrace path_{2};
};

/// The coordinates of a layer (ours), P and Q: (2d+1) x (2d+1):
///     a = P[-1,-1] tr Q[:d,:d] / d
///     b = P[-1,-1] tr Q[d:2d,:d] / d
/// They do not change when P is multiplied by a number and Q divided by it. On the set of Theorem 2 they are
/// eta c and eta c', and the values depend on nothing else.
Eigen::Vector2d flow_coordinates(const Table& P, const Table& Q);

/// The experiment's entry in the registry.
ExperimentInfo one_layer_flow();

}  // namespace emergence
