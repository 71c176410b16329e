#pragma once
// Windows of transitions that no network is trained on, with the teacher's updates: a held-out loss for Algorithms 1
// and 2, Liang and Lai, whose own loss is measured on MDPs that Adam is adapting to.

#include <vector>

#include "core/algorithms/policy_agent.h"
#include "core/models/improvement_block.h"

namespace emergence {

/// The windows of the teacher's way through MDPs outside training. Its const members are thread-safe.
class HeldOutWindows {
  public:
    /// Of each of `mdps` MDPs the windows in the middle of `per_mdp` equal parts of `frames`, or all if there are
    /// fewer. seed: the world of these MDPs.
    HeldOutWindows(const ImprovementShape& shape, const AgentOptions& agent, int frames, uint64_t seed,
                   int mdps = 20, int per_mdp = 20);

    /// Mean over windows of 1/2 |update - teacher's update|^2. weights: frozen, in the layout of ImprovementLayout.
    double loss(const std::vector<float>& weights) const;
    /// The same loss of writing nothing.
    double loss_of_no_update() const;

  private:
    ImprovementShape shape_;
    std::vector<ImprovementPrompt<float>> windows_;
};

}  // namespace emergence
