#pragma once
// Experiment "policy-flow": Theorem 3.2 of Liang and Lai. Gradient flow on the population loss of SARSA's or
// actor-critic's teacher, from a chosen distance off the manifold or from random weights: the loss against time, its
// exponential rate, and the starts that do not arrive.

#include <mutex>

#include "core/experiments/logged_seed.h"
#include "core/experiments/policy_improvement/improvement_study.h"
#include "core/experiments/study_of.h"
#include "core/measures/improvement_measures.h"
#include "core/optim/descent.h"
#include "core/training/teacher_mimicking.h"
#include "core/training/training_log.h"

namespace emergence {

struct PolicyFlowConfig : ImprovementConfig {
    PolicyFlowConfig() {
        shape.sizes.num_states = 4;
        shape.sizes.num_actions = 2;
        shape.sizes.d = 4;
        seeds = 8;
        log_interval = 1;  // not a setting: every step is logged
    }
    std::string start = "off_manifold";
    double distance = 0.5, scale = 0.5;
    int windows = 400;
    // m; only actor-critic has it.
    int policy_features = 3;
    double interval = 100.0;
    int64_t num_steps = 300;

    void fields(Fields& f);
    /// The shape, without policy features for SARSA.
    ImprovementShape teacher_shape() const {
        ImprovementShape of = shape;
        of.sizes.m = is_sarsa() ? 0 : policy_features;
        return of;
    }
};

/// The curvature of the loss around a point (c P12*, V21*/c) of the manifold.
struct Curvature {
    /// The least and the largest eigenvalue of the Hessian, without the manifold's own direction.
    double least = 0.0, largest = 0.0;
    /// In the end the loss falls in the slowest direction as
    ///     exp(-rate() t).
    double rate() const { return 2.0 * least; }
    /// Theorem 3.2's rate for r to 0,
    ///     2 mu_r = 2 m_0^2 / M_0,
    /// with the tightest constants m_0 = least and M_0 = largest.
    double guaranteed_rate() const { return 2.0 * least * least / largest; }
};

/// The population of a config, with a cache of curvatures. Any thread may call it.
class FlowWorld {
  public:
    explicit FlowWorld(const PolicyFlowConfig& config);

    const ImprovementPopulation& population() const { return population_; }
    /// The curvature at scale |c|, rounded to three digits.
    Curvature curvature(double c) const;
    /// The largest radius of the theorem's tube around the point at c, over that point's norm:
    ///     r < sqrt(m_0) / (3 C_Q),  C_Q = B_Sigma B_w / 2
    double guaranteed_distance(double c) const;

  private:
    ImprovementPopulation population_;
    mutable std::mutex mutex_;
    mutable std::vector<std::pair<double, Curvature>> known_;
};

/// What a start measures at a step.
struct FlowMeasured {
    double time = 0, loss = 0, balance = 0;
    ManifoldFit fit;

    void say(Row& row) const;
};

class FlowSeed final : public CountedSeed<FlowMeasured> {
  public:
    FlowSeed(const PolicyFlowConfig& config, int seed_index, std::shared_ptr<const FlowWorld> world);

    void advance(int64_t target_step, std::vector<MetricRow>& rows) override;
    bool failed() const override { return flow_.failed(); }
    void state(Archive& archive) override;

    const FlowWorld& world() const { return *world_; }
    EffectiveBlocks blocks() const { return shaped_blocks(world_->population().shape(), flow_.x()); }
    const EffectiveBlocks& start() const { return start_; }
    /// Rows: time, loss, relative distance, c.
    const ThinnedTrace& trace() const { return trace_; }

  protected:
    void take_step() override;
    FlowMeasured measure() override;
    std::string why_failed() const override;

  private:
    double interval_;
    std::shared_ptr<const FlowWorld> world_;
    EffectiveBlocks start_;
    GradientFlow flow_;
    ThinnedTrace trace_{4};
};

/// From the rows of a FlowSeed's trace, the loss's exponential rate over their last half, and theory's rate at the last
/// scale. NaN if the loss is rounding (measured), or if the flow is not near the manifold (theory).
struct FlowRates {
    double measured = 0.0, theory = 0.0;
};
FlowRates flow_rates(const FlowWorld& world, const std::vector<std::vector<double>>& rows);

ExperimentInfo policy_flow();

}  // namespace emergence
