#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/experiments/bandits/bandit_figures.h"
#include "core/experiments/bandits/bandit_players.h"
#include "core/measures/bandit_tuning.h"
#include "core/measures/regret_law.h"

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
    const char* words;
    BanditOptions options;
};
std::array<Setting, 3> settings() {
    return {{{"high-018", "cosine, b = 0.018", {}},
             {"high-025", "cosine, b = 0.025", {.frequency = 0.025}},
             {"low", "elevated, T = 1,000", low_options()}}};
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

std::vector<Claim> reference_table() {
    std::vector<Claim> claims;
    const auto all = settings();
    for (size_t i = 0; i < all.size(); ++i)
        for (const ReferenceRegrets& row : references()) {
            const BanditAlgorithmInfo& info = info_of(row.algorithm);
            claims.push_back(
                {.name = fmt::format("nonstationary-{}-{}", all[i].name, info.name),
                 .statement = fmt::format("{} has the reference's regret, {}", info.label, all[i].words),
                 .source = our_reference("200 runs"),
                 .quantity = "distance of mean regrets in standard errors of the difference, 2,000 runs",
                 .agrees = at_most(4.0),
                 .measure = [options = all[i].options, row, i] {
                     return distance(options, row.algorithm, row.mean[i], row.deviation[i]);
                 }});
        }
    return claims;
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
Measurement paired(const BanditOptions& options, BanditAlgorithm worse, BanditAlgorithm better,
                   int environments) {
    std::vector<double> differences = regrets(options, worse, environments);
    const std::vector<double> others = regrets(options, better, environments);
    for (size_t i = 0; i < differences.size(); ++i) differences[i] -= others[i];
    const Summary summary = summarise(differences, false);
    return {
        summary.mean / summary.standard_error,
        fmt::format("{:.1f} +- {:.1f}, {} environments", summary.mean, summary.standard_error, environments)};
}

std::vector<Claim> findings() {
    const char* const paired_quantity = "paired difference of mean regrets in standard errors";
    return {{.name = "nonstationary-theory-silent",
             .statement = "With the theory's constants MASTER's tests never fire at these horizons",
             .source = kOurs,
             .quantity = "restarts in 600 plays, T = 200 and 1,000",
             .agrees = at_most(0.0),
             .measure = restarts_in_theory},
            {.name = "nonstationary-low-best-arm",
             .statement = "The +3 of the low setting never changes which arm is best",
             .source = kOursByAlgebra,
             .quantity = "rounds in which another arm is best than in the first",
             .agrees = at_most(0.0),
             .measure = changes_of_best_arm},
            {.name = "nonstationary-oracle-no-bound",
             .statement = "Restarting at the known changes is no bound: at low it loses to LinUCB",
             .source = kOurs,
             .quantity = paired_quantity,
             .agrees = at_least(2.0),
             .measure =
                 [] {
                     return paired(low_options(), BanditAlgorithm::oracle_restart, BanditAlgorithm::linucb,
                                   1000);
                 }},
            {.name = "nonstationary-ceiling",
             .statement = "Who knows the cosine is far ahead of who is told its changes of sign",
             .source = kOurs,
             .quantity = "paired difference of mean regrets in standard errors, b = 0.018",
             .agrees = at_least(10.0),
             .measure = [] {
                 return paired({}, BanditAlgorithm::oracle_restart, BanditAlgorithm::cosine_thompson, 400);
             }}};
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

std::vector<Claim> growth() {
    const char* const exponent = "exponent of the mean regret, T = 200, 400, 800 and 1,600";
    return {{.name = "nonstationary-linucb-linear",
             .statement = "LinUCB's dynamic regret is linear in T if the environment does not stand still",
             .source = "Table 1, Chen et al. 2025",
             .quantity = exponent + std::string(", b = 0.018"),
             .agrees = between(0.9, 1.1),
             .reason = "1 is linear; sqrt(T), the stationary rate, is 0.5.",
             .measure = [] { return growth_of_linucb(0.018); }},
            {.name = "nonstationary-linucb-stationary",
             .statement = "If it stands still the regret grows more slowly",
             .source = kControl,
             .quantity = exponent + std::string(", b = 0"),
             .agrees = at_most(0.8),
             .measure = [] { return growth_of_linucb(0.0); }}};
}

std::vector<Claim> tuned() {
    std::vector<Claim> claims;
    for (const BanditKind kind :
         {BanditKind::cosine, BanditKind::elevated, BanditKind::abrupt, BanditKind::drift})
        claims.push_back({.name = "nonstationary-tuned-" + bandit_kind_names()[static_cast<size_t>(kind)],
                          .statement = "The tuned constants are those of the validation stream",
                          .source = kOurs,
                          .quantity = "1 where tuning again gives other ones",
                          .agrees = at_most(0.0),
                          .measure = [kind] {
                              return Measurement{tune_bandits(kind) == tuned_constants(kind) ? 0.0 : 1.0, ""};
                          }});
    return claims;
}

const char* const kAppendixB = "Appendix B, Chen et al. 2025";

// Explains the points at which the network of the low setting is not the lowest.
const char* const kAsGoodAtLow =
    "Over all rounds it is near LinUCB (80 beside 62 on 2,000 environments, TS 120), which notices no change "
    "and has none to notice: the best arm stays. Point by point another is mostly lower.";

// Why ours is still ahead at b = 0.025, measured on 2,000 environments:
//     run bandit-eval --preset nonstationary-7 --set transformer=memorise --set num_environments=500
const char* const kAheadOfLinUcb =
    "Probably its training: ours had all frequencies up to 0.022 in any phase, theirs four. The same network trained on "
    "those four in one phase (one network, bandit-memorise, which ships) is 17.3 +- 1.6 behind practical MASTER "
    "there, as the paper says, and 17.0 +- 2.2 ahead of LinUCB.";
const char* const kAheadOfThompson =
    "Probably its training: ours had all frequencies up to 0.022 in any phase, theirs four. The same network trained on "
    "those four in one phase (one network, bandit-memorise, which ships) is 20.2 +- 1.6 ahead of practical MASTER "
    "and 73.6 +- 2.2 of TS there, which are weak; what is left of the difference is not explained.";

const char* const kWeakerAtLow =
    "On 2,000 environments our network for this setting is behind LinUCB, which needs to notice no change, since the best "
    "arm stays; more than its 8,000 updates were not tried. Until 23 November 2026 200 environments were played, too few "
    "to see it.";

const char* const kOnceAhead =
    "Until 21 November 2026 a claim of another name, nonstationary-low-transformer, asked that it be ahead by 2.";

std::vector<Claim> figures_3_to_7() {
    const char* const paired_quantity = "paired difference of mean regrets in standard errors";
    const char* const to_nearest =
        "least paired difference of an expert's mean regret to the transformer's, in standard errors";
    const char* const lowest =
        "share of the points behind the first fifth where its mean suboptimality is lowest";
    const char* const halves = "second half's mean suboptimality over the first half's";
    return joined(
        {claims_about(
             "nonstationary-3",
             {{"nonstationary-3-transformer-low",
               "The transformer is comparable to LinUCB, TS and MASTER over them, low",
               "Section 5, Chen et al. 2025", to_nearest, at_least(-2.0), kOnceAhead, kWeakerAtLow,
               between(-15.0, -2.0)},
              {"nonstationary-3-transformer-high", "And below all of them at b = 0.018",
               "Figure 3, Chen et al. 2025", to_nearest, at_least(2.0)},
              {"nonstationary-3-theory-low", "With the theory's constants MASTER loses to its base, low",
               kOurs, paired_quantity, at_least(2.0)},
              {"nonstationary-3-theory-high", "And at high, b = 0.018", kOurs, paired_quantity,
               at_least(2.0)},
              {"nonstationary-3-practical-high", "With practical constants it beats its base at high", kOurs,
               paired_quantity, at_least(2.0)}}),
         claims_about(
             "nonstationary-4", kAppendixB,
             {{"nonstationary-4-consistent", "The transformer outperforms the experts across rounds, low",
               "Figure 4", lowest, at_least(0.9), "", kAsGoodAtLow, between(0.0, 0.9)},
              {"nonstationary-4-settles", "Its suboptimality stays low to the end, low", "Figure 4", halves,
               at_most(1.0)}}),
         claims_about("nonstationary-5", kAppendixB,
                      {{"nonstationary-5-consistent",
                        "The transformer outperforms the experts across rounds, b = 0.018", "Figure 5",
                        lowest, at_least(0.9)},
                       {"nonstationary-5-settles", "Its suboptimality stays low to the end, b = 0.018",
                        "Figure 5", halves, at_most(1.0)}}),
         claims_about("nonstationary-6", kAppendixB,
                      {{"nonstationary-6-transformer",
                        "At b = 0.025 it no longer outperforms LinUCB and MASTER over it", "Figure 6",
                        to_nearest, at_most(2.0), "", kAheadOfLinUcb, between(2.0, 150.0)}}),
         claims_about(
             "nonstationary-7", kAppendixB,
             {{"nonstationary-7-transformer", "At b = 0.025 it no longer outperforms TS and MASTER over it",
               "Figure 7", to_nearest, at_most(2.0), "", kAheadOfThompson, between(2.0, 200.0)}})});
}

const char* const kWithin = "1/3 +- 0.055. Until 23 November 2026 0.22 to 0.42, wider than the measurement.";
const char* const kBelowAThird =
    "The corollary bounds the regret from above; at T = 1,000 the fitted exponent is smaller than its cube root.";

}  // namespace

std::vector<Claim> bandit_eval_claims() {
    return joined({reference_table(), findings(), growth(), tuned(), figures_3_to_7()});
}

std::vector<Claim> bandit_race_claims() {
    return claims_about(
        "nonstationary-2",
        {{"nonstationary-2-lowest-acts", "One instance acts in every round: the live one of the lowest order",
          "Figure 2, Chen et al. 2025", "rounds in which another one acts, practical constants",
          at_most(0.0)},
         {"nonstationary-2-theory-silent", "With the theory's constants no test fires in 200 rounds", kOurs,
          "restarts", at_most(0.0)},
         {"nonstationary-2-practical-restarts", "With the practical ones MASTER restarts", kOurs, "restarts",
          at_least(1.0)}});
}

std::vector<Claim> bandit_sweep_claims() {
    return claims_about(
        "nonstationary-sweeps",
        {{"nonstationary-sqrt-j", "Restarted at every change, LinUCB's regret grows as the square root of J",
          "Corollary 2, Chen et al. 2025", "exponent of J, 1 to 32, T = 1,000", between(0.45, 0.65)},
         {"nonstationary-third-delta",
          "Practical MASTER's regret grows as the cube root of the variation budget",
          "Corollary 2, Chen et al. 2025", "exponent of Delta, T = 1,000", between(0.28, 0.39), kWithin,
          kBelowAThird, between(0.18, 0.28)}});
}

}  // namespace emergence
