#include "core/measures/bandit_tuning.h"

#include <limits>

namespace emergence {
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

}  // namespace emergence
