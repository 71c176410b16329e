#pragma once
// What a block that improves policies has learned: returns in closed loop, held-out loss, distance from theory.

#include <vector>

#include "core/algorithms/policy_agent.h"
#include "core/models/constructions.h"
#include "core/models/improvement_block.h"

namespace emergence {

struct ClosedLoopOptions {
    ImprovementShape shape;
    AgentOptions agent;
    int mdps = 100;
    int updates = 500;
    // Updates between two measured policies.
    int every = 10;
    // A return is the mean of this many rollouts; 0: the exact value.
    int rollouts = 32;
    int rollout_steps = 50;
    uint64_t seed = 0;
};

/// Returns per MDP and measured policy: mdps x measured.
using LoopReturns = std::vector<std::vector<double>>;

/// Policy improvement in closed loop, Section 4.2, Liang and Lai, on a fixed set of MDPs outside training. An agent
/// collects a window, the transformer (or the teacher) writes the update of its parameters, and the new policy collects
/// the next window. Both use the same random numbers, so that returns can be compared per MDP. Const members are
/// thread-safe.
class ClosedLoop {
  public:
    explicit ClosedLoop(const ClosedLoopOptions& options);

    const ClosedLoopOptions& options() const { return options_; }
    /// The numbers of updates at which policies are measured: 0, every, 2 every, ...
    const std::vector<double>& measured_at() const { return measured_at_; }
    const LoopReturns& teacher() const { return teacher_; }
    /// Exact returns per MDP: of the greedy policy in Q*, and of the uniformly random policy.
    const std::vector<double>& oracle() const { return oracle_; }
    const std::vector<double>& random() const { return random_; }

    /// The returns of a block with these weights (ImprovementLayout), or of the teacher for null.
    LoopReturns transformer(const float* weights) const;

  private:
    std::vector<double> run_one(size_t mdp, ImprovementBlock<float>& block, const float* weights) const;
    double measure(const PolicyAgent<float>& agent, const Mdp& mdp, uint32_t index, uint32_t update) const;

    ClosedLoopOptions options_;
    std::vector<ImprovementTask> tasks_;
    std::vector<double> measured_at_, oracle_, random_;
    LoopReturns teacher_;
};

/// Windows that the teacher collects in MDPs outside training: a held-out loss for Algorithms 1 and 2, Liang and Lai,
/// whose own loss is measured on MDPs that Adam is adapting to. Const members are thread-safe.
class HeldOutWindows {
  public:
    /// Divides the `frames` windows of each MDP into `per_mdp` equal parts and keeps the middle window of each part, or
    /// all windows if there are fewer. seed: the world of these MDPs.
    HeldOutWindows(const ImprovementShape& shape, const AgentOptions& agent, int frames, uint64_t seed, int mdps = 20,
                   int per_mdp = 20);

    /// Mean over windows of 1/2 |update - teacher's update|^2. weights: frozen, in the layout of ImprovementLayout; null:
    /// of an update of 0.
    double loss(const float* weights) const;

  private:
    ImprovementShape shape_;
    std::vector<ImprovementPrompt<float>> windows_;
};

/// The nearest point of the manifold {(c P12*, V21* / c)} that implements the teacher's update, Eq. (9), Liang and Lai,
/// for c of either sign.
struct ManifoldFit {
    double c = 0.0;
    // Frobenius norm over both blocks.
    double distance = 0.0;
    // distance, divided by the norm of the nearest point.
    double relative = 0.0;
};
/// target: P12* and V21*, both nonzero.
ManifoldFit fit_manifold(const EffectiveBlocks& blocks, const EffectiveBlocks& target);

/// (c P12*, V21*/c) plus `distance` times its norm in a random direction normal to the manifold. For a large distance
/// another point of the manifold may be nearer.
EffectiveBlocks off_manifold(const EffectiveBlocks& target, double c, double distance, Stream& stream);

/// |P12|^2 - |V21|^2. Gradient flow conserves it, since the loss depends only on products of both blocks.
double block_balance(const EffectiveBlocks& blocks);
/// |c| of the manifold's points with this balance, to which a flow with this balance can converge.
double scale_of_balance(const EffectiveBlocks& target, double balance);

}  // namespace emergence
