#pragma once
// The causal transformer as a bandit player, and a bank of environments that measures regrets.

#include <vector>

#include "core/algorithms/bandit_policy.h"
#include "core/models/causal_transformer.h"
#include "core/tasks/bandit.h"

namespace emergence {

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
    bool distribution(std::vector<double>& probabilities) const override;
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
