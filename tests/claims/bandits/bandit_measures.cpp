// What `verify` measures of classical players, and of the paper's assumptions and bounds: Assumption 1, Table 1, Lemma
// 7, and Appendix E.4.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/statistics.h"
#include "core/experiments/bandits/bandits.h"
#include "core/measures/bandit_measures.h"
#include "tests/claims/measures.h"

namespace emergence {
namespace {

constexpr uint64_t kTheorySeed = 74;  // used by no figure and no training

// Lets a policy play the first environments of these settings and shows each play. seed: of environments and, with
// `stream`, of the policy.
void play_all(const BanditOptions& options, BanditPolicy& policy, uint64_t seed, uint32_t stream, uint32_t environments,
              const std::function<void(const BanditPlay&)>& see) {
    BanditTrajectory world;
    BanditPlay play;
    for (uint32_t index = 0; index < environments; ++index) {
        draw_bandit(options, seed, index, world);
        Stream random = policy_stream(seed, index, stream);
        play_bandit(world, policy, random, play);
        see(play);
    }
}

// ---- Table 1

// Thompson sampling that forgets, as in Kim and Tewari (2020): statistics fade by gamma = 1 - sqrt(Delta / T) a round.
class DiscountedThompson final : public BanditPolicy {
  public:
    explicit DiscountedThompson(double v) : v_(v) {}
    void reset(const BanditTrajectory& world) override {
        world_ = &world;
        gamma_ = 1.0 - smaller(0.5, std::sqrt(variation_of(world).amount / world.rounds()));
        pulls_ = rewards_ = Vec::Zero(world.arms());
        regression_.fit(world.gram, pulls_, rewards_);
    }
    BanditChoice choose(int, Stream& random) override {
        const Vec& sample = regression_.sample(std::sqrt(v_), random);
        return {.arm = static_cast<int>(std::max_element(sample.begin(), sample.end()) - sample.begin())};
    }
    void observe(int arm, double reward) override {
        pulls_ *= gamma_;
        rewards_ *= gamma_;
        pulls_(arm) += 1.0;
        rewards_(arm) += reward;
        regression_.fit(world_->gram, pulls_, rewards_);
    }

  private:
    double v_, gamma_ = 1.0;
    const BanditTrajectory* world_ = nullptr;
    Vec pulls_, rewards_;
    ArmRegression regression_;
};

struct Growth {
    int rounds;
    double angle;
};

constexpr int kGrowthPlays = 200;

// The exponent of the final regret over `x`, in drifting environments.
Measurement exponent_of(BanditPolicy& policy, const std::vector<Growth>& at, const std::vector<double>& x) {
    std::vector<std::vector<double>> rows(kGrowthPlays);
    std::string means;
    for (const Growth& one : at) {
        double sum = 0.0;
        size_t index = 0;
        play_all({.kind = BanditKind::drift, .rounds = one.rounds, .angle = one.angle}, policy, kTheorySeed,
                 kFirstOtherPolicyStream, kGrowthPlays, [&](const BanditPlay& play) {
                     rows[index++].push_back(play.regret.back());
                     sum += play.regret.back();
                 });
        means += fmt::format("{}{:.0f}", means.empty() ? "mean regrets " : ", ", sum / kGrowthPlays);
    }
    return measurement_of(fitted_exponent(x, rows), means, kGrowthPlays);
}

Measurement growth_with_rounds(BanditPolicy& policy) {
    return exponent_of(policy, {{200, 5.0}, {400, 5.0}, {800, 5.0}, {1600, 5.0}}, {200, 400, 800, 1600});
}
Measurement growth_with_change(BanditPolicy& policy) {
    return exponent_of(policy, {{800, 2.5}, {800, 5.0}, {800, 10.0}, {800, 20.0}}, {2.5, 5.0, 10.0, 20.0});
}

// ---- Assumption 1, of LinUCB where rewards drift

constexpr int kAssumptionRounds = 500, kAssumptionPlays = 200;

// The share of plays in which both inequalities hold in all rounds for which the variation so far is at most
// rho(t) = scale / sqrt(t).
Measurement assumption_1(double alpha, double scale) {
    const auto policy = make_policy(BanditAlgorithm::linucb, {.alpha = alpha});
    BanditTrajectory world;
    int holds = 0, optimism_fails = 0, average_fails = 0;
    for (uint32_t index = 0; index < kAssumptionPlays; ++index) {
        draw_bandit({.kind = BanditKind::drift, .rounds = kAssumptionRounds, .angle = 1.0}, kTheorySeed, index, world);
        Stream random = policy_stream(kTheorySeed, index, 0);
        policy->reset(world);
        double change = 0.0, least_best = std::numeric_limits<double>::infinity(), excess = 0.0;
        bool optimistic = true, average = true;
        for (int round = 0; round < world.rounds(); ++round) {
            const double t = round + 1;
            if (round > 0) change += (world.means.col(round) - world.means.col(round - 1)).cwiseAbs().maxCoeff();
            if (change > scale / std::sqrt(t)) break;
            least_best = smaller(least_best, world.best[static_cast<size_t>(round)]);
            const BanditChoice choice = policy->choose(round, random);
            const double reward = world.reward(round, choice.arm);
            policy->observe(choice.arm, reward);
            excess += choice.optimistic - reward;
            optimistic = optimistic && choice.optimistic >= least_best - change;
            average = average && excess / t <= scale / std::sqrt(t) + change;
        }
        holds += optimistic && average ? 1 : 0;
        optimism_fails += optimistic ? 0 : 1;
        average_fails += average ? 0 : 1;
    }
    return {static_cast<double>(holds) / kAssumptionPlays,
            fmt::format("rho(t) = {:.0f} / sqrt(t); the first inequality fails in {}, the second in {} plays", scale,
                        optimism_fails, average_fails)};
}

// ---- Lemma 7

// The largest left side of (16) over its right side; `power` is 2 in the lemma.
Measurement lemma_7(double power) {
    Stream stream(kTheorySeed, Purpose::testing);
    double largest = 0.0;
    constexpr int kCases = 100000;
    for (int i = 0; i < kCases; ++i) {
        const double a = std::exp2(stream.uniform(-6, 12)), b = std::exp2(stream.uniform(-6, 12));
        const double n = std::exp2(stream.uniform(0, 20)), c_2 = std::exp2(stream.uniform(-20, 4));
        // The square roots need C_1 a >= 1 and C_1 b >= 1, which the lemma leaves out.
        const double c_1 = std::exp2(stream.uniform(0, 20)) / smaller(a, b);
        const auto side = [&](double x) { return std::pow(x, power) * (std::sqrt(std::log(c_1 * x) / n) + c_2); };
        largest = larger(largest, (side(a) + side(b)) / side(a + b));
    }
    return {largest, fmt::format("{} draws", kCases)};
}

// ---- Appendix E.4

// The window scheduler of Section 4.1 with one order: the first round of the window that each round lies in, for
// windows of 2^order rounds that begin at t = 1 (mod 2^order), all with probability 1.
class OneOrderScheduler final : public BanditPolicy {
  public:
    explicit OneOrderScheduler(int order) : length_(1 << order) {}
    void reset(const BanditTrajectory& world) override { world_ = &world; }
    BanditChoice choose(int round, Stream& random) override {
        if (round % length_ == 0) base_->reset(*world_);
        return base_->choose(round, random);
    }
    void observe(int arm, double reward) override { base_->observe(arm, reward); }

  private:
    int length_;
    const BanditTrajectory* world_ = nullptr;
    std::unique_ptr<BanditPolicy> base_ = make_policy(BanditAlgorithm::linucb, {});
};

constexpr int kWindowOrder = 4, kWindowPlays = 200;

// The share of rounds in which the scheduler and another policy choose differently on the other's history.
Measurement differs_from_scheduler(BanditPolicy& other, const std::function<void(BanditTrajectory&)>& prepare) {
    OneOrderScheduler scheduler(kWindowOrder);
    BanditTrajectory world;
    int different = 0, rounds = 0;
    for (uint32_t index = 0; index < kWindowPlays; ++index) {
        draw_bandit({}, kTheorySeed, index, world);
        prepare(world);
        Stream random = policy_stream(kTheorySeed, index, 0);
        scheduler.reset(world);
        other.reset(world);
        for (int round = 0; round < world.rounds(); ++round) {
            const int own = scheduler.choose(round, random).arm, arm = other.choose(round, random).arm;
            different += own != arm ? 1 : 0;
            scheduler.observe(arm, world.reward(round, arm));
            other.observe(arm, world.reward(round, arm));
        }
        rounds += world.rounds();
    }
    return {static_cast<double>(different) / rounds,
            fmt::format("LinUCB, windows of {} rounds, {} plays of 200", 1 << kWindowOrder, kWindowPlays)};
}

Measurement scheduler_is_restarts() {
    return differs_from_scheduler(*make_policy(BanditAlgorithm::oracle_restart, {}), [](BanditTrajectory& world) {
        world.changes.clear();
        for (int round = 1 << kWindowOrder; round < world.rounds(); round += 1 << kWindowOrder)
            world.changes.push_back(round);
    });
}

Measurement scheduler_is_sliding() {
    const auto sliding = make_policy(BanditAlgorithm::sliding_window, {.window = 1 << kWindowOrder});
    return differs_from_scheduler(*sliding, [](BanditTrajectory&) {});
}

std::function<Measurement()> of_thompson(Measurement (*measure)(BanditPolicy&)) {
    return [measure] { return measure(*make_policy(BanditAlgorithm::thompson, {})); };
}
std::function<Measurement()> of_discounted_thompson(Measurement (*measure)(BanditPolicy&)) {
    return [measure] {
        DiscountedThompson policy(0.3);
        return measure(policy);
    };
}

constexpr uint64_t kBanditClaimSeed = 71;  // used by no figure
constexpr int kClaimEnvironments = 2000;
constexpr double kReferenceRuns = 200;

// Final regrets of one algorithm with the default constants.
std::vector<double> regrets(const BanditOptions& options, BanditAlgorithm algorithm, int environments) {
    std::vector<double> all;
    play_all(options, *make_policy(algorithm, {}), kBanditClaimSeed, info_of(algorithm).stream,
             static_cast<uint32_t>(environments), [&](const BanditPlay& play) { all.push_back(play.regret.back()); });
    return all;
}

constexpr int kTuningEnvironments = 32;
constexpr double kLargestFrequency = 0.022;

uint64_t validation_seed() { return derive_seed(0, Purpose::held_out); }

// The 32 validation environments of a kind, which nothing else uses, with d = 32, A = 10 and noise 1.5. T = 200 for
// cosine, else 1,000. Cosine: b evenly over 0 .. 0.022; abrupt: J = 2, 4, 8, 16 in turn; drift: 2, 5, 10, 20 radians in
// turn.
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

// The mean regret over the validation environments, or infinity as soon as it cannot be below `limit`: regret never
// falls.
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

// For each algorithm the constants with the least regret in a fixed grid, the first if several are equal: LinUCB's
// alpha, TS's v, the window and the discount each with an alpha, and MASTER's q with its alpha over LinUCB. Takes some
// seconds on one core.
BanditConstants tune_bandits(BanditKind kind) {
    using enum BanditAlgorithm;
    using Constants = BanditConstants;
    Constants best;
    const auto choose = [&](BanditAlgorithm algorithm, const std::vector<double>& values, auto of,
                            double Constants::*alpha = nullptr) {
        double least = std::numeric_limits<double>::infinity();
        Constants constants = best;
        for (const double value : values)
            for (const double with : alpha ? std::vector<double>{0.1, 0.3, 1.0, 2.0} : std::vector<double>{0.0}) {
                constants.*of = static_cast<std::remove_reference_t<decltype(constants.*of)>>(value);
                if (alpha) constants.*alpha = with;
                const double regret = regret_below(kind, algorithm, constants, least);
                if (regret < least) {
                    least = regret;
                    best = constants;
                }
            }
    };
    choose(linucb, {0.1, 0.3, 1.0, 2.0, 4.0, 8.0}, &Constants::alpha);
    choose(thompson, {0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0}, &Constants::v);
    choose(sliding_window, {5, 10, 20, 40, 80, 160, 320, 640}, &Constants::window, &Constants::window_alpha);
    choose(discounted, {0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995}, &Constants::discount,
           &Constants::discounted_alpha);
    choose(master_linucb, {0.0, 0.1}, &Constants::probability, &Constants::restart_alpha);
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
    std::array<double, 3> mean, deviation;  // over 200 runs, in the order of settings()
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
    const auto policy = make_policy(BanditAlgorithm::master_linucb_theory, {});
    for (const Setting& setting : settings())
        play_all(setting.options, *policy, kBanditClaimSeed, 0, 200, [&](const BanditPlay&) {
            restarts += static_cast<int>(dynamic_cast<const Master&>(*policy).timeline().restarts.size());
            ++plays;
        });
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

// The exponent with which LinUCB's regret grows from 200 to 1,600 rounds of environments with this frequency.
Measurement growth_of_linucb(double frequency) {
    const std::vector<double> rounds = {200, 400, 800, 1600};
    std::vector<std::vector<double>> rows;
    play_all({.rounds = 1600, .frequency = frequency}, *make_policy(BanditAlgorithm::linucb, {}), kBanditClaimSeed,
             info_of(BanditAlgorithm::linucb).stream, kGrowthPlays, [&](const BanditPlay& play) {
                 rows.emplace_back();
                 for (const double round : rounds) rows.back().push_back(play.regret[static_cast<size_t>(round) - 1]);
             });
    return measurement_of(fitted_exponent(rounds, rows), "", kGrowthPlays);
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
        {"nonstationary-linucb-stationary", [] { return growth_of_linucb(0.0); }},
        {"nonstationary-thompson-rounds", of_thompson(growth_with_rounds)},
        {"nonstationary-thompson-change", of_thompson(growth_with_change)},
        {"nonstationary-discounted-thompson-rounds", of_discounted_thompson(growth_with_rounds)},
        {"nonstationary-discounted-thompson-change", of_discounted_thompson(growth_with_change)},
        {"nonstationary-assumption-1", [] { return assumption_1(1.0, 32.0); }},
        {"nonstationary-assumption-1-wide", [] { return assumption_1(4.0, 64.0); }},
        {"nonstationary-lemma-7", [] { return lemma_7(2.0); }},
        {"nonstationary-lemma-7-root", [] { return lemma_7(0.5); }},
        {"nonstationary-scheduler-restarts", scheduler_is_restarts},
        {"nonstationary-scheduler-sliding", scheduler_is_sliding}};
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
