#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/experiments/bandits/bandit_figures.h"
#include "core/experiments/bandits/bandit_players.h"
#include "core/measures/bandit_measures.h"
#include "tests/claims/measures.h"

namespace emergence {
namespace {

constexpr uint64_t kBanditClaimSeed = 71;  // used by no figure
constexpr int kClaimEnvironments = 2000;
constexpr double kReferenceRuns = 200;

// Final regrets of one algorithm with the default constants.
std::vector<double> regrets(const BanditOptions& options, BanditAlgorithm algorithm, int environments) {
    const auto policy = make_policy(algorithm, {});
    BanditTrajectory world;
    BanditPlay play;
    std::vector<double> all;
    for (int e = 0; e < environments; ++e) {
        const auto index = static_cast<uint32_t>(e);
        draw_bandit(options, kBanditClaimSeed, index, world);
        Stream random = policy_stream(kBanditClaimSeed, index, info_of(algorithm).stream);
        play_bandit(world, *policy, random, play);
        all.push_back(play.regret.back());
    }
    return all;
}

constexpr int kTuningEnvironments = 32;
constexpr double kLargestFrequency = 0.022;

uint64_t validation_seed() { return derive_seed(0, Purpose::held_out); }

// The 32 validation environments of a kind, which nothing else uses, with d = 32, A = 10 and noise 1.5. T = 200 for cosine,
// else 1,000. Cosine: b evenly over 0 .. 0.022; abrupt: J = 2, 4, 8, 16 in turn; drift: 2, 5, 10, 20 radians in turn.
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

// For each algorithm the constants with the least regret in a fixed grid: LinUCB's alpha, TS's v, the window and the
// discount each with an alpha, and MASTER's q with its alpha over LinUCB. Takes some seconds on one core.
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

BanditOptions low_options() { return {.kind = BanditKind::elevated, .rounds = 1000}; }

struct Setting {
    const char* name;
    BanditOptions options;
};
std::array<Setting, 3> settings() {
    return {{{"high-018", {}}, {"high-025", {.frequency = 0.025}}, {"low", low_options()}}};
}

struct ReferenceRegrets {
    BanditAlgorithm algorithm;
    // Over 200 runs, in the order of settings().
    std::array<double, 3> mean, deviation;
};
const std::vector<ReferenceRegrets>& references() {
    using enum BanditAlgorithm;
    static const std::vector<ReferenceRegrets> table = {
        {uniform, {382, 373, 499}, {99, 96, 92}},       {linucb, {272, 280, 52}, {97, 89, 78}},
        {thompson, {343, 351, 120}, {97, 89, 108}},     {sliding_window, {196, 211, 326}, {42, 47, 59}},
        {discounted, {160, 216, 319}, {49, 70, 60}},    {master_linucb_theory, {324, 323, 379}, {70, 72, 95}},
        {master_linucb, {222, 251, 104}, {65, 58, 21}}, {master_thompson, {251, 295, 189}, {55, 62, 32}},
        {oracle_restart, {158, 199, 71}, {51, 54, 23}},
    };
    return table;
}

Measurement distance(const BanditOptions& options, BanditAlgorithm algorithm, double mean, double deviation) {
    std::vector<double> all = regrets(options, algorithm, kClaimEnvironments);
    const Summary summary = summarise(all, true);
    const double error = std::hypot(deviation / std::sqrt(kReferenceRuns), summary.standard_error);
    return {std::abs(summary.mean - mean) / error,
            fmt::format("{:.1f} +- {:.1f} (median {:.1f}) beside {} +- {}", summary.mean, summary.deviation,
                        summary.median, mean, deviation)};
}

// Restarts of MASTER + LinUCB with the theory's constants, in 200 environments of each setting.
Measurement restarts_in_theory() {
    int restarts = 0, plays = 0;
    BanditTrajectory world;
    BanditPlay play;
    const auto policy = make_policy(BanditAlgorithm::master_linucb_theory, {});
    for (const Setting& setting : settings())
        for (uint32_t index = 0; index < 200; ++index, ++plays) {
            draw_bandit(setting.options, kBanditClaimSeed, index, world);
            Stream random = policy_stream(kBanditClaimSeed, index, 0);
            play_bandit(world, *policy, random, play);
            restarts += static_cast<int>(dynamic_cast<const Master&>(*policy).timeline().restarts.size());
        }
    return {static_cast<double>(restarts), fmt::format("in {} plays", plays)};
}

Measurement changes_of_best_arm() {
    int changes = 0;
    BanditTrajectory world;
    for (uint32_t index = 0; index < kClaimEnvironments; ++index) {
        draw_bandit(low_options(), kBanditClaimSeed, index, world);
        for (const int arm : world.best_arm) changes += arm != world.best_arm.front() ? 1 : 0;
    }
    return {static_cast<double>(changes), fmt::format("rounds of {} environments", kClaimEnvironments)};
}

// Mean paired difference in standard errors.
Measurement paired(const BanditOptions& options, BanditAlgorithm worse, BanditAlgorithm better, int environments) {
    std::vector<double> differences = regrets(options, worse, environments);
    const std::vector<double> others = regrets(options, better, environments);
    for (size_t i = 0; i < differences.size(); ++i) differences[i] -= others[i];
    const Summary summary = summarise(differences, false);
    return {summary.mean / summary.standard_error,
            fmt::format("{:.1f} +- {:.1f}, {} environments", summary.mean, summary.standard_error, environments)};
}

constexpr int kGrowthEnvironments = 200;

// The exponent with which LinUCB's regret grows from 200 to 1,600 rounds of environments with this frequency.
Measurement growth_of_linucb(double frequency) {
    const std::vector<double> rounds = {200, 400, 800, 1600};
    const BanditOptions options{.rounds = 1600, .frequency = frequency};
    const auto policy = make_policy(BanditAlgorithm::linucb, {});
    BanditTrajectory world;
    BanditPlay play;
    std::vector<std::vector<double>> rows;
    for (uint32_t index = 0; index < kGrowthEnvironments; ++index) {
        draw_bandit(options, kBanditClaimSeed, index, world);
        Stream random = policy_stream(kBanditClaimSeed, index, info_of(BanditAlgorithm::linucb).stream);
        play_bandit(world, *policy, random, play);
        rows.emplace_back();
        for (const double round : rounds) rows.back().push_back(play.regret[static_cast<size_t>(round) - 1]);
    }
    const FittedExponent fitted = fitted_exponent(rounds, rows);
    return {fitted.value, "", Range{fitted.low, fitted.high}, kGrowthEnvironments};
}

}  // namespace

std::vector<NamedMeasure> bandit_eval_measures() {
    using enum BanditAlgorithm;
    std::vector<NamedMeasure> measures = {
        {"nonstationary-theory-silent", restarts_in_theory},
        {"nonstationary-low-best-arm", changes_of_best_arm},
        {"nonstationary-oracle-no-bound", [] { return paired(low_options(), oracle_restart, linucb, 1000); }},
        {"nonstationary-ceiling", [] { return paired({}, oracle_restart, cosine_thompson, 400); }},
        {"nonstationary-linucb-linear", [] { return growth_of_linucb(0.018); }},
        {"nonstationary-linucb-stationary", [] { return growth_of_linucb(0.0); }}};
    for (NamedMeasure& one : bandit_theory_measures()) measures.push_back(std::move(one));
    const auto all = settings();
    for (size_t i = 0; i < all.size(); ++i)
        for (const ReferenceRegrets& row : references())
            measures.push_back({fmt::format("nonstationary-{}-{}", all[i].name, info_of(row.algorithm).name),
                                [options = all[i].options, row, i] {
                                    return distance(options, row.algorithm, row.mean[i], row.deviation[i]);
                                }});
    for (const BanditKind kind : {BanditKind::cosine, BanditKind::elevated, BanditKind::abrupt, BanditKind::drift})
        measures.push_back({"nonstationary-tuned-" + bandit_kind_names()[static_cast<size_t>(kind)],
                            [kind] { return Measurement{tune_bandits(kind) == tuned_constants(kind) ? 0.0 : 1.0}; }});
    return measures;
}

}  // namespace emergence
