#pragma once
// What bandit players do: the growth of their regret, and the inside of a network that plays.

#include <vector>

#include "core/algorithms/bandit_policy.h"
#include "core/base/array.h"
#include "core/tasks/bandit.h"

namespace emergence {

/// The rate of Corollary 2, Chen et al. 2025, without its constant, after t rounds:
///
///     min(sqrt(J t), Delta^(1/3) t^(2/3) + sqrt(t)),   J, Delta: Definition 1 over these rounds
///
/// at: values of t, ascending, from 0.
std::vector<double> optimal_rate(const BanditTrajectory& world, const std::vector<int>& at);

/// The c that minimises |c x - y|^2; 0 if x is 0.
double fitted_constant(const std::vector<double>& x, const std::vector<double>& y);

/// The slope of log(mean of y) against log x, with a 95 % interval from 400 bootstrap samples of the rows
/// (environments). NaN with fewer than two points that have x > 0 and a mean above 0.
struct FittedExponent {
    double value = 0.0, low = 0.0, high = 0.0;
};
/// rows: y, one row per environment, each as long as x.
FittedExponent fitted_exponent(const std::vector<double>& x, const std::vector<std::vector<double>>& rows);

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
NetworkPlay play_network(TransformerPolicy& policy, const BanditTrajectory& world, Stream& random);

/// T x T: row i holds the attention of round i to rounds j <= i in the network's last pass.
Table attention_map(const CausalTransformer<float>& network, int layer, int head, int rounds);

/// T entries: entry k is the mean attention to the round k rounds back, over the rounds i >= k.
std::vector<double> attention_by_distance(const Table& map);

/// How an algorithm that observes the network's arms and rewards agrees with the network: for each round 1 if it chooses
/// the network's most probable arm, else 0.
std::vector<double> agreement_with(BanditAlgorithm algorithm, const BanditTrajectory& world, const NetworkPlay& play,
                                   Stream& random);

}  // namespace emergence
