#include "core/measures/bandit_inside.h"

#include <algorithm>
#include <cmath>

#include "core/base/statistics.h"

namespace emergence {

NetworkPlay play_network(TransformerPolicy& policy, const BanditTrajectory& world, Stream& random) {
    NetworkPlay play;
    play.actions = network_actions(world);
    play.probabilities = Table(world.arms(), world.rounds());
    std::vector<double> probabilities;
    policy.reset(world);
    for (int round = 0; round < world.rounds(); ++round) {
        const int arm = policy.choose(round, random).arm;
        const double reward = world.reward(round, arm);
        policy.observe(arm, reward);
        play.arms.push_back(arm);
        play.rewards.push_back(static_cast<float>(reward));
        choice_probabilities(policy.logits(), 1.0, probabilities);
        for (int k = 0; k < world.arms(); ++k) play.probabilities(k, round) = probabilities[k];
    }
    return play;
}

Table attention_map(const CausalTransformer<float>& network, int layer, int head, int rounds) {
    Table map(rounds, rounds);
    std::vector<float> values(map.values.size());
    network.attention(layer, head, values.data());
    std::copy(values.begin(), values.end(), map.values.begin());
    return map;
}

std::vector<double> attention_by_distance(const Table& map) {
    std::vector<double> mean;
    for (int k = 0; k < map.rows; ++k) {
        double sum = 0;
        for (int i = k; i < map.rows; ++i) sum += map(i, i - k);
        mean.push_back(sum / (map.rows - k));
    }
    return mean;
}

Agreement agreement_with(BanditAlgorithm algorithm, const BanditTrajectory& world, const NetworkPlay& play,
                         Stream& random) {
    Agreement agreement{algorithm, {}, {}};
    const auto policy = make_policy(algorithm, {});
    policy->reset(world);
    for (int round = 0; round < world.rounds(); ++round) {
        const int arm = policy->choose(round, random).arm;
        const auto t = static_cast<size_t>(round);
        int likeliest = 0;
        for (int k = 1; k < world.arms(); ++k)
            if (play.probabilities(k, round) > play.probabilities(likeliest, round)) likeliest = k;
        agreement.same.push_back(arm == likeliest ? 1.0 : 0.0);
        agreement.log_likelihood.push_back(std::log(larger(play.probabilities(arm, round), 1e-12)));
        policy->observe(play.arms[t], static_cast<double>(play.rewards[t]));
    }
    return agreement;
}

}  // namespace emergence
