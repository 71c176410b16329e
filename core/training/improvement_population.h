#pragma once
// The population loss of Eq. (6) of Liang and Lai, over a fixed sample of windows whose mean stands for the
// expectation, and what Theorem 3.2 needs to know about it. Each window is from an MDP of its own, under the
// agent's first parameters, w ~ U(-1, 1).

#include <vector>

#include "core/algorithms/policy_agent.h"
#include "core/models/improvement_constructions.h"
#include "core/optim/objective.h"

namespace emergence {

/// P12's entries column by column, then V21's.
Eigen::VectorXd flat_blocks(const EffectiveBlocks& blocks);
EffectiveBlocks shaped_blocks(const ImprovementShape& shape, const Eigen::VectorXd& flat);

class ImprovementPopulation {
  public:
    ImprovementPopulation(const ImprovementShape& shape, const AgentOptions& agent, int windows,
                          uint64_t seed);

    const ImprovementShape& shape() const { return shape_; }
    const EffectiveBlocks& target() const { return target_; }  // P12*, V21*
    /// Mean of 1/2 |update - teacher's|^2 over the windows, and its gradient, by flat_blocks(). Keeps no
    /// state: many threads may ask at once.
    double loss(const Eigen::VectorXd& flat, Eigen::VectorXd& gradient) const;
    Objective objective() const;

    /// Eigenvalues of the loss's Hessian at (c P12*, V21*/c), ascending: r c + o r. The manifold's own
    /// direction is the first, 0 up to rounding.
    Eigen::VectorXd curvatures(double c) const;

    /// Assumption 1 (1) on the sample: B_Sigma = max |phi|^2 + |phi'|^2 + r^2, here the largest |x_i|^2, and
    /// B_w, the largest |(1, w)|.
    double largest_square() const { return largest_square_; }
    double largest_query() const { return largest_query_; }

  private:
    void add_window(const ImprovementPrompt<double>& prompt, int index);
    Eigen::MatrixXd hessian_at_one() const;

    ImprovementShape shape_;
    EffectiveBlocks target_;
    std::vector<Eigen::MatrixXd> moments_;  // Sigma(z) = (1/n) sum_i x_i x_i': r x r
    Eigen::MatrixXd queries_, teacher_;     // c x windows, o x windows
    Eigen::MatrixXd hessian_;               // at c = 1
    double largest_square_ = 0.0, largest_query_ = 0.0;
};

}  // namespace emergence
