#pragma once
// Imitation of an oracle: how one seed's causal transformer learns to play bandits (Section 2.1 and eq. (6),
// Chen et al. 2025).
//
// Every step draws fresh environments. In each a context is played: by discounted Thompson sampling blind to
// the action vectors, its constants random, for the first steps; then half of them by the network itself. The
// label of a round is its best arm, argmax_k m_t(k), whatever was played: alg_B sees the environment. The
// loss is the mean cross-entropy over rounds.

#include <memory>
#include <vector>

#include "core/algorithms/transformer_policy.h"
#include "core/base/array.h"
#include "core/optim/adam.h"

namespace emergence {

struct BanditImitationOptions {
    CausalTransformerShape shape;  // its arms, d and rounds are the family's
    BanditFamily family;
    int batch = 8;                   // environments a step
    int64_t steps = 35000;           // over which the learning rate falls
    int warm_up = 100;               // steps over which it rises
    double final_rate = 0.03;        // of the learning rate, at the last step
    int64_t played_by_others = 300;  // steps without contexts of the network's own
    double clip = 1.0;               // greatest norm of the gradient
    AdamOptions adam{.learning_rate = 2e-3, .beta2 = 0.98, .weight_decay = 1e-4, .decoupled = true};
};

/// The learning rate of step `step`, from 0: linear up to the full one, then half a cosine down.
double learning_rate_at(const BanditImitationOptions& options, int64_t step);

/// One seed's training. Its state after k steps depends on the options, the seed and k alone.
class BanditImitation {
  public:
    BanditImitation(const BanditImitationOptions& options, uint64_t seed);

    /// Once diverged() it does nothing.
    void train_one_step();
    int64_t steps() const { return steps_; }
    /// A loss or a weight stopped being finite: the weights are the ones before that step.
    bool diverged() const { return diverged_; }
    const std::vector<float>& weights() const { return weights_; }
    /// Mean cross-entropy of a round over the steps since the last call, in nats; NaN where there was none.
    double take_mean_loss();

    ArrayMap save() const;
    /// Throws InputError, naming the array, where `state` is not that of such a training.
    void load(const ArrayMap& state);

  private:
    /// Plays environment number `index` and leaves it in world_, actions_, play_ and rewards_.
    void play(uint32_t index, bool by_network);

    BanditImitationOptions options_;
    uint64_t world_seed_;  // no evaluation meets its environments
    std::unique_ptr<CausalTransformer<float>> network_;
    TransformerPolicy policy_;
    std::vector<float> weights_, gradient_;
    Adam<float> adam_;
    int64_t steps_ = 0;
    bool diverged_ = false;
    double loss_sum_ = 0;
    int64_t loss_count_ = 0;

    BanditTrajectory world_;
    BanditPlay play_;
    std::vector<float> actions_, rewards_;
};

}  // namespace emergence
