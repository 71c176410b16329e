#pragma once
// The inside of a network that plays bandits: its choices and probabilities, its attention, and its agreement with the
// classical algorithms.

#include "core/algorithms/transformer_policy.h"
#include "core/base/array.h"

namespace emergence {

/// The network's play of one environment.
struct NetworkPlay {
    std::vector<int> arms;
    // A x d; T.
    std::vector<float> actions, rewards;
    // A x T: softmax of the logits at temperature 1, also if the play has another temperature.
    Table probabilities;

    BanditHistory<float> history() const {
        return {static_cast<int>(arms.size()), actions.data(), arms.data(), rewards.data(), nullptr};
    }
};
/// Plays all rounds of one environment.
NetworkPlay play_network(TransformerPolicy& policy, const BanditTrajectory& world, Stream& random);

/// T x T: row i holds the attention of round i to rounds j <= i in the network's last pass.
Table attention_map(const CausalTransformer<float>& network, int layer, int head, int rounds);

/// T entries: entry k is the mean attention to the round k rounds back, over the rounds i >= k.
std::vector<double> attention_by_distance(const Table& map);

/// The agreement of an algorithm, which observes the network's arms and rewards, with the network, per round.
struct Agreement {
    BanditAlgorithm algorithm;
    // 1 if the algorithm chooses the network's most probable arm, else 0.
    std::vector<double> same;
    // Log of the network's probability, at temperature 1, of the algorithm's choice.
    std::vector<double> log_likelihood;
};
/// The agreement over one play.
Agreement agreement_with(BanditAlgorithm algorithm, const BanditTrajectory& world, const NetworkPlay& play,
                         Stream& random);

}  // namespace emergence
