#pragma once
// Looking inside a network that plays bandits: what it did and would have done, how far back it looks, and
// which classical algorithm would have chosen alike.

#include "core/algorithms/transformer_policy.h"
#include "core/base/types.h"

namespace emergence {

/// One environment as the network played it.
struct NetworkPlay {
    std::vector<int> arms;
    std::vector<float> actions, rewards;  // A x d, T
    Table probabilities;  // A x T: softmax of the logits, at temperature 1 whatever was played

    BanditHistory<float> history() const {
        return {static_cast<int>(arms.size()), actions.data(), arms.data(), rewards.data(), nullptr};
    }
};
NetworkPlay play_network(TransformerPolicy& policy, const BanditTrajectory& world, Stream& random);

/// Row i: what round i takes from rounds j <= i in the network's last pass; T x T.
Table attention_map(const CausalTransformer<float>& network, int layer, int head, int rounds);

/// Entry k: the mean of the map's entries k rounds back, over the rounds that have so much past. T entries.
std::vector<double> attention_by_distance(const Table& map);

/// How an algorithm that is told the network's own arms and rewards compares with it, a round each.
struct Agreement {
    BanditAlgorithm algorithm;
    std::vector<double> same;            // 1 where it chooses the network's most probable arm
    std::vector<double> log_likelihood;  // log of the probability, at temperature 1, of what it chooses
};
Agreement agreement_with(BanditAlgorithm algorithm, const BanditTrajectory& world, const NetworkPlay& play,
                         Stream& random);

}  // namespace emergence
