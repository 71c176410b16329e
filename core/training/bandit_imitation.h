#pragma once
// Imitation of an oracle, which trains one seed's causal transformer to play bandits (Section 2.1 and Eq. (6), Chen et
// al. 2025).
//
// Every step draws new environments, or takes the next ones of a finite data set, and plays a context in each. At first
// the player is discounted Thompson sampling without the action vectors, with random constants; later the network
// itself plays half of the contexts. The label of a round is its best arm, argmax_k m_t(k), since alg_B sees the
// environment. The loss is the mean cross-entropy over rounds.

#include <memory>
#include <vector>

#include "core/algorithms/bandit_policy.h"
#include "core/base/array.h"
#include "core/optim/adam.h"
#include "core/training/training_log.h"

namespace emergence {

struct BanditImitationOptions {
    // Its arms, d and rounds must be the family's.
    CausalTransformerShape shape;
    BanditFamily family;
    // Environments per step.
    int batch = 8;
    // N: each epoch has the same N environments and contexts in another order, and the network plays none, as alg_0 in
    // Section 2.1. 0: all are fresh.
    int64_t trajectories = 0;
    // Steps over which the learning rate falls.
    int64_t steps = 35000;
    // Steps over which the learning rate first rises.
    int warm_up = 100;
    // The last learning rate, relative to the full one.
    double final_rate = 0.03;
    // First steps, in which the network plays no contexts.
    int64_t played_by_others = 300;
    // Largest norm of the gradient.
    double clip = 1.0;
    AdamOptions adam{.learning_rate = 2e-3, .beta2 = 0.98, .weight_decay = 1e-4, .decoupled = true};
};

/// The learning rate of step `step`, from 0: a linear rise to the full rate, then half a cosine down.
double learning_rate_at(const BanditImitationOptions& options, int64_t step);

/// One seed's training. Its state after k steps depends only on the options, the seed and k.
class BanditImitation : public Archived<BanditImitation> {
  public:
    BanditImitation(const BanditImitationOptions& options, uint64_t seed);

    /// One step of Adam on `batch` new environments. Does nothing once diverged().
    void train_one_step();
    int64_t steps() const { return steps_; }
    /// Whether a loss or a gradient was not finite; the weights are those before that step.
    bool diverged() const { return diverged_; }
    const std::vector<float>& weights() const { return weights_; }
    /// Mean cross-entropy per round over the steps since the last call, in nats; NaN without steps.
    double take_mean_loss() { return loss_.take(); }
    void state(Archive& archive);

  private:
    // The index of the k-th environment in training.
    uint32_t index_of(int64_t k);
    // Plays environment number `index` and fills world_, actions_, play_ and rewards_.
    void play(uint32_t index, bool by_network);

    BanditImitationOptions options_;
    uint64_t world_seed_;  // of environments that no evaluation uses
    std::unique_ptr<CausalTransformer<float>> network_ = make_causal_transformer<float>(options_.shape);
    std::vector<float> weights_, gradient_ = weights_;
    TransformerPolicy policy_{options_.shape, weights_, 1.0};
    Adam<float> adam_{weights_.size()};
    int64_t steps_ = 0;
    bool diverged_ = false;
    MeanLoss loss_;
    // The order of the N trajectories in an epoch, which follows from the epoch's number.
    std::vector<uint32_t> order_;
    int64_t epoch_ = -1;

    BanditTrajectory world_;
    BanditPlay play_;
    std::vector<float> actions_, rewards_;
};

}  // namespace emergence
