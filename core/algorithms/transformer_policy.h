#pragma once
// The causal transformer as a player of bandits, and its mean regret on a bank of environments.

#include <vector>

#include "core/algorithms/bandit_algorithms.h"
#include "core/models/causal_transformer.h"
#include "core/tasks/bandit_family.h"

namespace emergence {

/// An environment's actions as the network reads them: A x d, row-major.
std::vector<float> network_actions(const BanditTrajectory& world);

/// Draws its arm from softmax(logits / temperature); the arm of the greatest logit at temperature 0. Not
/// thread-safe.
class TransformerPolicy final : public BanditPolicy {
  public:
    /// weights: flat, copied.
    TransformerPolicy(const CausalTransformerShape& shape, const std::vector<float>& weights,
                      double temperature);

    void set_weights(const std::vector<float>& weights);
    void set_temperature(double temperature) { temperature_ = temperature; }

    /// The environment has the shape's A and d and at most its T.
    void reset(const BanditTrajectory& world) override;
    BanditChoice choose(int round, Stream& random) override;
    void observe(int arm, double reward) override;
    bool distribution(std::vector<double>& probabilities) const override;
    /// Of the last choice.
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

/// softmax(logits / temperature), the greatest logit's alone at temperature 0. probabilities: as long.
void choice_probabilities(const std::vector<float>& logits, double temperature,
                          std::vector<double>& probabilities);

/// Environments, drawn once.
class BanditBank {
  public:
    /// Environment i of the world `seed` with options[i].
    BanditBank(const std::vector<BanditOptions>& options, uint64_t seed);
    /// The first `size` of a family.
    BanditBank(const BanditFamily& family, uint64_t seed, int size);

    const std::vector<BanditTrajectory>& worlds() const { return worlds_; }
    /// Each environment's final dynamic regret. `number`: of the policy's randomness, see policy_stream().
    std::vector<double> regrets(BanditPolicy& policy, uint32_t number) const;

  private:
    uint64_t seed_;
    std::vector<BanditTrajectory> worlds_;
};

}  // namespace emergence
