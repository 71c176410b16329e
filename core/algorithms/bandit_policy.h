#pragma once
// What plays a bandit: the classical algorithms here and networks elsewhere.
//
//     BanditTrajectory world;
//     draw_bandit(options, seed, index, world);
//     Stream random = policy_stream(seed, index, number);
//     policy.reset(world);
//     for (int round = 0; round < world.rounds(); ++round) {
//         const int arm = policy.choose(round, random).arm;
//         policy.observe(arm, world.reward(round, arm));
//     }

#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "core/base/rng.h"
#include "core/tasks/bandit.h"

namespace emergence {

/// The arm to pull, and how good the policy thinks it is.
struct BanditChoice {
    int arm = 0;
    /// r~ in Assumption 1, Chen et al. 2025: the arm's upper confidence bound, or <a, w~> of a posterior
    /// sample. NaN where the policy has none; MASTER needs it.
    double optimistic = std::numeric_limits<double>::quiet_NaN();
    /// <a, w^>: the arm's expected reward by the policy's estimate. NaN where it has none.
    double estimate = std::numeric_limits<double>::quiet_NaN();
};

/// Plays one environment at a time. Not thread-safe.
class BanditPolicy {
  public:
    virtual ~BanditPolicy() = default;
    /// Forgets everything and begins a new environment, which outlives the play. A policy that is no oracle
    /// reads only what a player knows: the action vectors, their number and T; practical MASTER also
    /// noise_scale.
    virtual void reset(const BanditTrajectory& world) = 0;
    /// Called once a round, in order. All randomness is `random`'s.
    virtual BanditChoice choose(int round, Stream& random) = 0;
    /// What became of the round's choice.
    virtual void observe(int arm, double reward) = 0;
    /// The probabilities, one an arm, with which the last choose() drew its arm; false where they are not
    /// known (then `probabilities` is left alone).
    virtual bool distribution(std::vector<double>& probabilities) const {
        (void)probabilities;
        return false;
    }
};

using BanditPolicyFactory = std::function<std::unique_ptr<BanditPolicy>()>;

/// The randomness of policy number `number` in environment `index`: not the environment's, nor any other
/// policy's.
inline Stream policy_stream(uint64_t seed, uint32_t index, uint32_t number) {
    return Stream(seed, Purpose::trajectory, index, number);
}

/// Every arm with the same probability.
class UniformPolicy final : public BanditPolicy {
  public:
    void reset(const BanditTrajectory& world) override { arms_ = world.arms(); }
    BanditChoice choose(int round, Stream& random) override;
    void observe(int arm, double reward) override;
    bool distribution(std::vector<double>& probabilities) const override;

  private:
    int arms_ = 1;
};

/// Thompson sampling with discounted statistics of each arm on its own, blind to the action vectors: arm k is
/// worth N(s_k / (n_k + prior), scale^2 / (n_k + prior)), where n_k and s_k, the arm's pulls and rewards,
/// fade by `discount` a round. What the transformer's training contexts are played with.
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

}  // namespace emergence
