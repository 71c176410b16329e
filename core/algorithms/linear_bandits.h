#pragma once
// The classical algorithms for linear bandits. An environment's action vectors are fixed, so all algorithms use the
// arms' A x A Gram matrix instead of the d x d matrix V: the same numbers at a tenth of the cost.

#include "core/algorithms/bandit_policy.h"

namespace emergence {

/// Ridge regression of rewards on action vectors, in terms of the arms. With
///
///     V = lambda I + sum_s c_s a_s a_s',   b = sum_s c_s r_s a_s
///
/// it stores each arm's estimate x_k' V^-1 b, and K = X V^-1 X'.
class ArmRegression {
  public:
    /// Forgets all rewards: K = gram / lambda. gram: X X', A x A.
    void reset(const Eigen::MatrixXd& gram, double lambda);
    /// The same, with prior means of the arms' rewards (A) other than 0.
    void reset(const Eigen::MatrixXd& gram, double lambda, const Eigen::VectorXd& prior_means);
    /// Adds one reward of weight 1 by the Sherman-Morrison formula. A^2 operations.
    void add(int arm, double reward);
    /// Fits from scratch with lambda = 1. weights: sum of c per arm; rewards: sum of c r per arm. A^3 operations.
    void fit(const Eigen::MatrixXd& gram, const Eigen::VectorXd& weights, const Eigen::VectorXd& rewards);
    /// X w~ for w~ ~ N(w^, scale^2 V^-1), from a factor of K: A normal draws.
    const Eigen::VectorXd& sample(double scale, Stream& random);

    const Eigen::VectorXd& estimates() const { return estimates_; }
    /// K: A x A.
    const Eigen::MatrixXd& covariance() const { return covariance_; }

  private:
    Eigen::VectorXd estimates_, column_, sample_, roots_;
    Eigen::MatrixXd covariance_, factor_, scaled_;
};

/// LinUCB:
///
///     argmax_k <x_k, w^> + alpha sqrt(x_k' V^-1 x_k),   V = I + sum a a',   w^ = V^-1 sum r a
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

/// Thompson sampling, with v a variance:
///
///     argmax_k <x_k, w~>,   w~ ~ N(V^-1 sum r a, v V^-1),   V = v I + sum a a'
class LinearThompson final : public BanditPolicy {
  public:
    explicit LinearThompson(double v) : v_(v) {}
    void reset(const BanditTrajectory& world) override { regression_.reset(world.gram, v_); }
    BanditChoice choose(int round, Stream& random) override;
    void observe(int arm, double reward) override { regression_.add(arm, reward); }

  private:
    double v_;
    ArmRegression regression_;
};

/// LinUCB on the last `window` rounds only.
class SlidingWindowLinUcb final : public BanditPolicy {
  public:
    SlidingWindowLinUcb(double alpha, int window) : alpha_(alpha), window_(window) {}
    void reset(const BanditTrajectory& world) override;
    BanditChoice choose(int round, Stream& random) override;
    void observe(int arm, double reward) override;

  private:
    double alpha_;
    size_t window_;
    const BanditTrajectory* world_ = nullptr;
    std::vector<BanditChoice> recent_;  // a ring of arms; `estimate` holds the reward
    size_t next_ = 0;
    Eigen::VectorXd pulls_, rewards_;
    ArmRegression regression_;
};

/// Discounted LinUCB: LinUCB with the bonus alpha sqrt(x_k' V^-1 V2 V^-1 x_k), where
///
///     V = I + sum_s gamma^(t-s) a_s a_s',   V2 = I + sum_s gamma^(2(t-s)) a_s a_s'
class DiscountedLinUcb final : public BanditPolicy {
  public:
    DiscountedLinUcb(double alpha, double discount) : alpha_(alpha), discount_(discount) {}
    void reset(const BanditTrajectory& world) override;
    BanditChoice choose(int round, Stream& random) override;
    void observe(int arm, double reward) override;

  private:
    double alpha_, discount_;
    const BanditTrajectory* world_ = nullptr;
    Eigen::VectorXd pulls_, squared_pulls_, rewards_, weighted_;
    ArmRegression regression_;
};

/// An oracle: `base`, restarted at every round of BanditTrajectory::changes.
class OracleRestart final : public BanditPolicy {
  public:
    explicit OracleRestart(std::unique_ptr<BanditPolicy> base) : base_(std::move(base)) {}
    void reset(const BanditTrajectory& world) override;
    BanditChoice choose(int round, Stream& random) override;
    void observe(int arm, double reward) override { base_->observe(arm, reward); }

  private:
    std::unique_ptr<BanditPolicy> base_;
    const BanditTrajectory* world_ = nullptr;
    size_t next_change_ = 0;
};

/// An oracle for BanditKind::cosine. It divides each reward by the cosine, which it knows, and plays Thompson sampling
/// under the environment's own prior (mean 1/2 and variance 1/12 per entry of w*) and noise.
class CosineThompson final : public BanditPolicy {
  public:
    void reset(const BanditTrajectory& world) override;
    BanditChoice choose(int round, Stream& random) override;
    void observe(int arm, double reward) override;

  private:
    const BanditTrajectory* world_ = nullptr;
    double cosine_ = 1.0;
    ArmRegression regression_;
};

}  // namespace emergence
