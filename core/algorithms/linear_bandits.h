#pragma once
// What the classical algorithms for linear bandits are made of; make_policy() makes them. An environment's action vectors
// are fixed, so all algorithms use the arms' A x A Gram matrix instead of the d x d matrix V: the same numbers at a tenth
// of the cost.

#include <vector>

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
    void reset(const Eigen::MatrixXd& gram, double lambda) { reset(gram, lambda, Eigen::VectorXd::Zero(gram.rows())); }
    /// Forgets all rewards and starts from these prior means of the arms' rewards (A).
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

// MASTER: instances of a base algorithm at several time scales, with tests that restart them all (Algorithms 1 and 2,
// Appendix C, Chen et al. 2025, after Wei and Luo 2021).
//
// A block of order n lasts 2^n rounds. In it an instance of order m may start at every multiple of 2^m rounds; the
// instance of order n always starts. The live instance of the lowest order acts, and only it learns. After a block
// comes a block of the next order; after a test fires, a block of the first order. Both start without memory.

/// The base algorithm and the constants.
struct MasterOptions {
    BanditPolicyFactory base;
    // The theory's constants: blocks from order 0, and, for a play of T rounds,
    //
    //     probability of an instance   rho(2^n) / rho(2^m)
    //     rho(t) = 1 / sqrt(t),        rho_hat(t) = 6 (log2 T + 1) ln T rho(t)
    //     Test 1                       mean R - U >= 9 rho_hat(2^m), when an instance ends; U: the block's least r~
    //     Test 2                       mean (r~ - R) >= 3 rho_hat(rounds so far) over the block, after every round
    //
    // Otherwise the practical constants, which are ours: blocks from order 7, instances from order 4, and, with sigma
    // the environment's noise_scale,
    //
    //     probability of an instance   q 2^(-(n-m)/2)
    //     Test 1                       mean R - U >= 3 sigma / sqrt(2^m)
    //     Test 2                       sum (<a, w^> - R) >= 3 sigma sqrt(w) over the block's last w rounds, for any
    //                                  w = 8, 16, 32, ...
    bool theory = false;
    double probability = 0.0;  // Practical: q
    // The uniform number that decides whether an instance of this order starts; without it the play's stream.
    std::function<double(int order)> uniform = nullptr;
};

/// The course of a play, for its picture. Rounds count from 0.
struct MasterTimeline {
    // Runs in the rounds begin .. end - 1; a restart cuts it short.
    struct Instance {
        int order = 0;
        int begin = 0, end = 0;
    };
    // Everything restarts after `round`, because of test 1 or 2.
    struct Restart {
        int round = 0;
        int test = 1;
    };
    std::vector<Instance> instances;
    std::vector<int> active;  // per round: the order of the acting instance
    // Per round: each test's statistic divided by its threshold, the largest if several are due; NaN if none is due.
    // A test fires at 1.
    std::vector<double> test_1, test_2;
    std::vector<Restart> restarts;
    std::vector<int> blocks;  // the first round of each block
};

/// The algorithm as a player.
class Master final : public BanditPolicy {
  public:
    explicit Master(const MasterOptions& options) : options_(options) {}
    void reset(const BanditTrajectory& world) override;
    BanditChoice choose(int round, Stream& random) override;
    void observe(int arm, double reward) override;

    const MasterTimeline& timeline() const { return timeline_; }

  private:
    struct Slot {
        std::unique_ptr<BanditPolicy> policy;
        int end = 0;  // the round after its last one: live while round < end
        int begin = 0;
        size_t recorded = 0;  // the index of its instance in the timeline
    };

    void begin_block(int round, int order);
    void schedule(int round, Stream& random);
    double rho_hat(double rounds) const;
    double test_1() const;
    double test_2() const;
    void restart(int test);

    MasterOptions options_;
    const BanditTrajectory* world_ = nullptr;
    std::vector<Slot> slots_;  // by order
    int order_ = 0;            // n
    int block_begin_ = 0;
    int round_ = 0;
    int active_ = 0;
    double least_optimistic_ = 0.0;  // U
    BanditChoice choice_;
    // Running sums of R, of r~ - R and of <a, w^> - R over the block's rounds, starting with 0.
    std::vector<double> rewards_, optimism_, surprise_;
    MasterTimeline timeline_;
};

}  // namespace emergence
