#include <fmt/format.h>

#include <cmath>

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
