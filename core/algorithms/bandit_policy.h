#pragma once
// The interface of bandit players, classical algorithms and networks; play_bandit() lets them play.

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/models/causal_transformer.h"
#include "core/tasks/bandit.h"

namespace emergence {

/// The arm to pull, and the policy's own judgement of it.
struct BanditChoice {
    int arm = 0;
    // r~ in Assumption 1, Chen et al. 2025: the arm's upper confidence bound, or <a, w~> of a posterior sample. NaN if
    // the policy has none; MASTER needs it.
    double optimistic = std::numeric_limits<double>::quiet_NaN();
    // <a, w^>, the policy's estimate of the arm's expected reward. NaN if it has none.
    double estimate = std::numeric_limits<double>::quiet_NaN();
};

/// Plays one environment at a time. Not thread-safe.
class BanditPolicy {
  public:
    virtual ~BanditPolicy() = default;
    /// Forgets everything and starts a new environment, which must outlive the play. Policies other than oracles read
    /// only what a player knows: the action vectors, their number and T; practical MASTER also reads noise_scale.
    virtual void reset(const BanditTrajectory& world) = 0;
    /// The choice of a round; call it once per round, in order. `random` supplies all random numbers.
    virtual BanditChoice choose(int round, Stream& random) = 0;
    /// Receives the arm and the reward of the round.
    virtual void observe(int arm, double reward) = 0;
};

using BanditPolicyFactory = std::function<std::unique_ptr<BanditPolicy>()>;

/// The random numbers of policy number `number` in environment `index`, independent of the environment's and of other
/// policies'.
inline Stream policy_stream(uint64_t seed, uint32_t index, uint32_t number) {
    return Stream(seed, Purpose::trajectory, index, number);
}

/// Thompson sampling per arm with discounted statistics, without the action vectors. It samples the value of arm k from
///
///     N(s_k / (n_k + prior), scale^2 / (n_k + prior))
///
/// where each round multiplies the arm's pulls n_k and rewards s_k by `discount`. It plays the contexts that train the
/// transformer.
class ArmThompson final : public BanditPolicy {
  public:
    struct Options {
        double discount = 0.95;
        double scale = 1.5;
        double prior = 1.0;
    };
    explicit ArmThompson(const Options& options) : options_(options) {}
    void reset(const BanditTrajectory& world) override;
    BanditChoice choose(int round, Stream& random) override;
    void observe(int arm, double reward) override;

  private:
    Options options_;
    std::vector<double> pulls_, rewards_;
};

// The classical algorithms by name, with their constants, for experiments and figures.

/// MASTER has practical constants, or with _theory those of the theory.
enum class BanditAlgorithm {
    uniform,
    linucb,
    thompson,
    sliding_window,
    discounted,
    master_linucb,
    master_thompson,
    master_linucb_theory,
    master_thompson_theory,
    oracle_restart,
    cosine_thompson,
};

/// The constants of all algorithms.
struct BanditConstants {
    double alpha = 1.0;             // LinUCB: confidence width
    double restart_alpha = 1.0;     // LinUCB within MASTER and the oracle's restarts: confidence width
    double v = 0.3;                 // Thompson sampling: variance
    int window = 20;                // sliding-window LinUCB: rounds
    double window_alpha = 1.0;      // its confidence width
    double discount = 0.9;          // discounted LinUCB: gamma
    double discounted_alpha = 1.0;  // its confidence width
    double probability = 0.0;       // practical MASTER: q
    bool operator==(const BanditConstants&) const = default;
};

/// An algorithm's row in the table.
struct BanditAlgorithmInfo {
    BanditAlgorithm algorithm;
    std::string name;   // "sliding-window"
    std::string label;  // "SW-LinUCB"
    bool oracle;        // whether it uses knowledge that a player does not have
    // The stream of its random numbers, see policy_stream(). It determines a run's bits: never renumber.
    uint32_t stream;
    std::unique_ptr<BanditPolicy> (*make)(const BanditConstants& constants);
};
/// All algorithms, in the order of the enum.
const std::vector<BanditAlgorithmInfo>& bandit_algorithms();
/// The row of one algorithm.
const BanditAlgorithmInfo& info_of(BanditAlgorithm algorithm);

/// The first stream for policies outside the table.
constexpr uint32_t kFirstOtherPolicyStream = 64;

/// A player with these constants.
std::unique_ptr<BanditPolicy> make_policy(BanditAlgorithm algorithm, const BanditConstants& constants);

/// One play of one environment: the arm of each round, and the dynamic regret up to and including each round,
///
///     sum_t (max_k m_t(k) - m_t(a_t))
struct BanditPlay {
    std::vector<int> arms;
    std::vector<double> regret;
};
/// Plays all rounds of `world` into `play`, whose memory it reuses.
void play_bandit(const BanditTrajectory& world, BanditPolicy& policy, Stream& random, BanditPlay& play);

// What the classical algorithms are made of. An environment's action vectors are fixed, so all algorithms use the arms'
// A x A Gram matrix instead of the d x d matrix V: the same numbers at a tenth of the cost.

/// Ridge regression of rewards on action vectors, in terms of the arms. With
///
///     V = lambda I + sum_s c_s a_s a_s',   b = sum_s c_s r_s a_s
///
/// it stores each arm's estimate x_k' V^-1 b, and K = X V^-1 X'.
class ArmRegression {
  public:
    /// Forgets all rewards: K = gram / lambda. gram: X X', A x A.
    void reset(const Mat& gram, double lambda) { reset(gram, lambda, Vec::Zero(gram.rows())); }
    /// Forgets all rewards and starts from these prior means of the arms' rewards (A).
    void reset(const Mat& gram, double lambda, const Vec& prior_means);
    /// Adds one reward of weight 1 by the Sherman-Morrison formula. A^2 operations.
    void add(int arm, double reward);
    /// Fits from scratch with lambda = 1. weights: sum of c per arm; rewards: sum of c r per arm. A^3 operations.
    void fit(const Mat& gram, const Vec& weights, const Vec& rewards);
    /// X w~ for w~ ~ N(w^, scale^2 V^-1), from a factor of K: A normal draws.
    const Vec& sample(double scale, Stream& random);

    const Vec& estimates() const { return estimates_; }
    /// K: A x A.
    const Mat& covariance() const { return covariance_; }

  private:
    Vec estimates_, column_, sample_, roots_;
    Mat covariance_, factor_, scaled_;
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

// The causal transformer as a bandit player, and a bank of environments that measures regrets.

/// An environment's actions in the network's layout: A x d, row-major.
std::vector<float> network_actions(const BanditTrajectory& world);

/// Draws its arm from softmax(logits / temperature); at temperature 0 it takes the arm with the largest logit. Not
/// thread-safe.
class TransformerPolicy final : public BanditPolicy {
  public:
    /// Copies the flat weights.
    TransformerPolicy(const CausalTransformerShape& shape, const std::vector<float>& weights, double temperature);

    void set_weights(const std::vector<float>& weights);
    void set_temperature(double temperature) { temperature_ = temperature; }

    /// The environment must have the shape's A and d and at most its T.
    void reset(const BanditTrajectory& world) override;
    BanditChoice choose(int round, Stream& random) override;
    void observe(int arm, double reward) override;
    /// The A logits of the last choice.
    const std::vector<float>& logits() const { return logits_; }

  private:
    CausalTransformerShape shape_;
    std::unique_ptr<CausalRollout> rollout_;
    double temperature_;
    int last_arm_ = 0;
    float last_reward_ = 0;
    std::vector<float> logits_;
    std::vector<double> probabilities_;
};

/// probabilities = softmax(logits / temperature); at temperature 0 the first largest logit has probability 1.
void choice_probabilities(const std::vector<float>& logits, double temperature, std::vector<double>& probabilities);

/// A fixed set of environments.
class BanditBank {
  public:
    /// Draws environment i of the world `seed` with options[i].
    BanditBank(const std::vector<BanditOptions>& options, uint64_t seed);
    /// Draws the first `size` environments of a family.
    BanditBank(const BanditFamily& family, uint64_t seed, int size);

    const std::vector<BanditTrajectory>& worlds() const { return worlds_; }
    /// The final dynamic regret in each environment. number: the policy's, see policy_stream().
    std::vector<double> regrets(BanditPolicy& policy, uint32_t number) const;

  private:
    uint64_t seed_;
    std::vector<BanditTrajectory> worlds_;
};

}  // namespace emergence
