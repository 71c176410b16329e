#include "core/measures/bandit_measures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/statistics.h"

namespace emergence {

namespace {

constexpr int kSlopeResamples = 400;

// The slope of the line through (log x, log y), over the points with x > 0 and y > 0.
double log_slope(const std::vector<double>& x, const std::vector<double>& y) {
    std::vector<double> log_x, log_y;
    for (size_t i = 0; i < x.size(); ++i) {
        if (!(x[i] > 0.0 && y[i] > 0.0)) continue;
        log_x.push_back(std::log(x[i]));
        log_y.push_back(std::log(y[i]));
    }
    return fit_line(log_x, log_y).slope;
}

}  // namespace

std::vector<double> optimal_rate(const BanditTrajectory& world, const std::vector<int>& at) {
    std::vector<double> rates;
    double amount = 0.0;
    int segments = 1, seen = 1;  // seen: rounds counted so far
    for (const int t : at) {
        for (; seen < t; ++seen) {
            const double change =
                (world.means.col(seen) - world.means.col(seen - 1)).cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
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
        std::vector<double> sums(x.size(), 0.0);
        for (const size_t place : places)
            for (size_t i = 0; i < x.size(); ++i) sums[i] += rows[place][i];
        return log_slope(x, sums);
    };
    Places all(rows.size());
    std::iota(all.begin(), all.end(), size_t{0});
    const BootstrapInterval interval = bootstrap_interval(rows.size(), kSlopeResamples, slope_of);
    return {slope_of(all), interval.low, interval.high};
}

namespace {

constexpr int kTuningEnvironments = 32;
constexpr double kLargestFrequency = 0.022;

uint64_t validation_seed() { return derive_seed(0, Purpose::held_out); }

// The mean regret over the validation environments, or infinity as soon as it cannot be below `limit`: regret never falls.
double regret_below(BanditKind kind, BanditAlgorithm algorithm, const BanditConstants& constants, double limit) {
    const auto policy = make_policy(algorithm, constants);
    const auto environments = validation_environments(kind);
    const auto count = static_cast<double>(environments.size());
    BanditTrajectory world;
    BanditPlay play;
    double sum = 0.0;
    for (uint32_t index = 0; index < environments.size(); ++index) {
        draw_bandit(environments[index], validation_seed(), index, world);
        Stream random = policy_stream(validation_seed(), index, info_of(algorithm).stream);
        play_bandit(world, *policy, random, play);
        sum += play.regret.back();
        if (sum / count >= limit) return std::numeric_limits<double>::infinity();
    }
    return sum / count;
}

// Sets `best` to the candidate with the least regret, the first if several are equal.
template <class Candidates, class Set>
void choose_constants(BanditKind kind, BanditAlgorithm algorithm, const Candidates& candidates, const Set& set,
                      BanditConstants& best) {
    double least = std::numeric_limits<double>::infinity();
    const BanditConstants start = best;
    for (const auto& candidate : candidates) {
        BanditConstants constants = start;
        set(constants, candidate);
        const double regret = regret_below(kind, algorithm, constants, least);
        if (regret < least) {
            least = regret;
            best = constants;
        }
    }
}

template <class T>
std::vector<std::pair<T, double>> with_each_alpha(const std::vector<T>& values) {
    std::vector<std::pair<T, double>> pairs;
    for (const T& value : values)
        for (const double alpha : {0.1, 0.3, 1.0, 2.0}) pairs.emplace_back(value, alpha);
    return pairs;
}

}  // namespace

std::vector<BanditOptions> validation_environments(BanditKind kind) {
    std::vector<BanditOptions> all;
    for (int i = 0; i < kTuningEnvironments; ++i) {
        BanditOptions options{.kind = kind, .rounds = kind == BanditKind::cosine ? 200 : 1000};
        const auto turn = static_cast<size_t>(i % 4);
        options.frequency = kLargestFrequency * (i + 0.5) / kTuningEnvironments;
        options.segments = std::vector<int>{2, 4, 8, 16}[turn];
        options.angle = std::vector<double>{2, 5, 10, 20}[turn];
        all.push_back(options);
    }
    return all;
}

BanditConstants tune_bandits(BanditKind kind) {
    using enum BanditAlgorithm;
    BanditConstants best;
    choose_constants(
        kind, linucb, std::vector<double>{0.1, 0.3, 1.0, 2.0, 4.0, 8.0},
        [](BanditConstants& c, double alpha) { c.alpha = alpha; }, best);
    choose_constants(
        kind, thompson, std::vector<double>{0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0},
        [](BanditConstants& c, double v) { c.v = v; }, best);
    choose_constants(
        kind, sliding_window, with_each_alpha<int>({5, 10, 20, 40, 80, 160, 320, 640}),
        [](BanditConstants& c, const std::pair<int, double>& pair) {
            c.window = pair.first;
            c.window_alpha = pair.second;
        },
        best);
    choose_constants(
        kind, discounted, with_each_alpha<double>({0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995}),
        [](BanditConstants& c, const std::pair<double, double>& pair) {
            c.discount = pair.first;
            c.discounted_alpha = pair.second;
        },
        best);
    choose_constants(
        kind, master_linucb, with_each_alpha<double>({0.0, 0.1}),
        [](BanditConstants& c, const std::pair<double, double>& pair) {
            c.probability = pair.first;
            c.restart_alpha = pair.second;
        },
        best);
    return best;
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
