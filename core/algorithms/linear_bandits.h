#pragma once
// The classical algorithms for linear bandits. The action vectors of an environment stay the same, so all of
// them work with the arms' A x A Gram matrix in place of the d x d matrix V: the same numbers at a tenth of
// the cost.

#include "core/algorithms/bandit_policy.h"

namespace emergence {

/// Ridge regression of rewards on action vectors, seen from the arms. With V = lambda I + sum_s c_s a_s a_s'
/// and b = sum_s c_s r_s a_s it holds each arm's estimate x_k' V^-1 b and K = X V^-1 X'.
class ArmRegression {
  public:
    /// Forgets all rewards: K = gram / lambda.
    void reset(const Eigen::MatrixXd& gram, double lambda);
    /// One more reward of weight 1, by Sherman and Morrison's formula. A^2 operations.
    void add(int arm, double reward);

    double estimate(int arm) const { return estimates_(arm); }
    const Eigen::VectorXd& estimates() const { return estimates_; }
    /// K: A x A.
    const Eigen::MatrixXd& covariance() const { return covariance_; }

  private:
    Eigen::VectorXd estimates_;
    Eigen::MatrixXd covariance_;
    Eigen::VectorXd column_;
};

/// LinUCB: argmax_k <x_k, w^> + alpha sqrt(x_k' V^-1 x_k), V = I + sum a a', w^ = V^-1 sum r a.
class LinUcb final : public BanditPolicy {
  public:
    explicit LinUcb(double alpha) : alpha_(alpha) {}
    void reset(const BanditTrajectory& world) override { regression_.reset(world.gram, 1.0); }
    BanditChoice choose(int round, Stream& random) override;
    void observe(int arm, double reward) override { regression_.add(arm, reward); }

  private:
    double alpha_;
    ArmRegression regression_;
};

}  // namespace emergence
