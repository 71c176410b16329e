#pragma once
// Experiment "policy-flow": Theorem 3.2 of Liang and Lai. Gradient flow on the population loss of SARSA's
// teacher, from a chosen distance off the manifold or from random weights: the loss against time with its
// exponential rate, and where it does not arrive.

#include <memory>
#include <mutex>
#include <vector>

#include "core/experiments/configured_study.h"
#include "core/experiments/policy_improvement/policy_flow_fields.h"
#include "core/measures/improvement_manifold.h"
#include "core/optim/gradient_flow.h"
#include "core/training/improvement_population.h"
#include "core/training/thinned_trace.h"

namespace emergence {

/// What the loss is like around a point (c P12*, V21*/c) of the manifold.
struct Curvature {
    double least = 0.0, largest = 0.0;  // of the Hessian's eigenvalues, the manifold's own direction left out
    /// The loss falls as exp(-this t) in the end, in the slowest direction.
    double rate() const { return 2.0 * least; }
    /// Theorem 3.2's own, 2 mu_r = 2 m_0^2 / M_0 for r to 0, with the tightest constants there are:
    /// m_0 = least, M_0 = largest.
    double guaranteed_rate() const { return 2.0 * least * least / largest; }
};

/// The population of a config, and the curvatures that were asked for. Many threads may ask at once.
class FlowWorld {
  public:
    explicit FlowWorld(const PolicyFlowConfig& config);

    const ImprovementPopulation& population() const { return population_; }
    /// Around the scale c, rounded to three digits, of either sign.
    Curvature curvature(double c) const;
    /// How far from the point at c the theorem's tube can reach, r < sqrt(m_0) / (3 C_Q), over that point's
    /// norm.
    double guaranteed_distance(double c) const;

  private:
    ImprovementPopulation population_;
    mutable std::mutex mutex_;
    mutable std::vector<std::pair<double, Curvature>> known_;
};

/// One start.
class FlowSeed final : public Experiment {
  public:
    FlowSeed(const PolicyFlowConfig& config, std::shared_ptr<const FlowWorld> world, int seed_index);

    void advance(int64_t target_step, std::vector<MetricRow>& rows) override;
    int64_t step() const override { return step_; }
    bool failed() const override { return flow_.failed(); }
    SeedStatus status() const override;
    ArrayMap save() const override;
    void load(const ArrayMap& state) override;
    void set_live(const Settings&) override {}  // all live fields concern the study

    const FlowWorld& world() const { return *world_; }
    EffectiveBlocks blocks() const { return shaped_blocks(world_->population().shape(), flow_.x()); }
    const EffectiveBlocks& start() const { return start_; }
    /// Rows: time, loss, relative distance, c.
    const ThinnedTrace& trace() const { return trace_; }

  private:
    void log(std::vector<MetricRow>& rows);

    double interval_;
    std::shared_ptr<const FlowWorld> world_;
    uint64_t seed_;
    int seed_index_;
    EffectiveBlocks start_;
    GradientFlow flow_;
    ThinnedTrace trace_{4};
    int64_t step_ = 0, arrived_at_ = -1;
    bool logged_ = false, arrived_ = false;
};

/// The loss's exponential rate over the last half of what was logged, and that of theory at the scale where
/// the flow is now; NaN where the loss is at rounding's level, or has not begun to fall.
struct FlowRates {
    double measured = 0.0, theory = 0.0, guaranteed = 0.0;
};
FlowRates flow_rates(const FlowSeed& seed);
/// The same of rows as a FlowSeed's trace has them.
FlowRates flow_rates(const FlowWorld& world, const std::vector<std::vector<double>>& rows);

/// Loss, distance and scale against time.
std::vector<PlotSpec> flow_plots(const PolicyFlowConfig& config, const std::vector<const FlowSeed*>& seeds);
std::vector<Scalar> flow_scalars(const PolicyFlowConfig& config, const std::vector<const FlowSeed*>& seeds);
std::vector<Claim> policy_flow_claims();
/// Many distances, and random starts.
GridFigure figure_policy_flow(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);

/// The experiment's entry in the registry.
ExperimentInfo policy_flow();

}  // namespace emergence
