#include "core/measures/bandit_measures.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/statistics.h"

namespace emergence {

std::vector<double> optimal_rate(const BanditTrajectory& world, const std::vector<int>& at) {
    std::vector<double> rates;
    double amount = 0.0;
    int segments = 1, seen = 1;  // seen: rounds counted so far
    for (const int t : at) {
        for (; seen < t; ++seen) {
            const double change = (world.means.col(seen) - world.means.col(seen - 1)).cwiseAbs().maxCoeff();
            amount += change;
            if (change != 0.0) ++segments;
        }
        const double by_changes = std::sqrt(static_cast<double>(segments) * t);
        rates.push_back(smaller(by_changes, std::cbrt(amount * t * t) + std::sqrt(static_cast<double>(t))));
    }
    return rates;
}

double fitted_constant(const std::vector<double>& x, const std::vector<double>& y) {
    double xx = 0.0, xy = 0.0;
    for (size_t i = 0; i < x.size(); ++i) {
        xx += x[i] * x[i];
        xy += x[i] * y[i];
    }
    return xx > 0.0 ? xy / xx : 0.0;
}

FittedExponent fitted_exponent(const std::vector<double>& x, const std::vector<std::vector<double>>& rows) {
    const auto slope_of = [&](const Places& places) {
        std::vector<double> sums(x.size(), 0.0), log_x, log_y;
        for (const size_t place : places)
            for (size_t i = 0; i < x.size(); ++i) sums[i] += rows[place][i];
        for (size_t i = 0; i < x.size(); ++i) {
            if (!(x[i] > 0.0 && sums[i] > 0.0)) continue;
            log_x.push_back(std::log(x[i]));
            log_y.push_back(std::log(sums[i]));
        }
        return fit_line(log_x, log_y).slope;
    };
    Places all(rows.size());
    std::iota(all.begin(), all.end(), size_t{0});
    const BootstrapInterval interval = bootstrap_interval(rows.size(), /*resamples=*/400, slope_of);
    return {slope_of(all), interval.low, interval.high};
}

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

std::vector<double> agreement_with(BanditAlgorithm algorithm, const BanditTrajectory& world, const NetworkPlay& play,
                                   Stream& random) {
    std::vector<double> same;
    const auto policy = make_policy(algorithm, {});
    policy->reset(world);
    for (int round = 0; round < world.rounds(); ++round) {
        const int arm = policy->choose(round, random).arm;
        int likeliest = 0;
        for (int k = 1; k < world.arms(); ++k)
            if (play.probabilities(k, round) > play.probabilities(likeliest, round)) likeliest = k;
        same.push_back(arm == likeliest ? 1.0 : 0.0);
        policy->observe(play.arms[round], static_cast<double>(play.rewards[round]));
    }
    return same;
}

}  // namespace emergence
