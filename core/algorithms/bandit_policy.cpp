#include "core/algorithms/bandit_policy.h"

#include <algorithm>
#include <cmath>

#include "core/algorithms/linear_bandits.h"
#include "core/algorithms/master.h"
#include "core/base/error.h"

namespace emergence {

BanditChoice UniformPolicy::choose(int, Stream& random) {
    return {.arm = std::min(static_cast<int>(random.uniform() * arms_), arms_ - 1)};
}

void UniformPolicy::observe(int, double) {}

bool UniformPolicy::distribution(std::vector<double>& probabilities) const {
    probabilities.assign(arms_, 1.0 / arms_);
    return true;
}

void ArmThompson::reset(const BanditTrajectory& world) {
    pulls_.assign(world.arms(), 0.0);
    rewards_.assign(world.arms(), 0.0);
}

BanditChoice ArmThompson::choose(int, Stream& random) {
    BanditChoice choice;
    for (size_t k = 0; k < pulls_.size(); ++k) {
        const double weight = pulls_[k] + options_.prior;
        const double mean = rewards_[k] / weight;
        const double sample = mean + options_.scale / std::sqrt(weight) * random.normal();
        if (k == 0 || sample > choice.optimistic) choice = {static_cast<int>(k), sample, mean};
    }
    return choice;
}

void ArmThompson::observe(int arm, double reward) {
    for (double& n : pulls_) n *= options_.discount;
    for (double& s : rewards_) s *= options_.discount;
    pulls_[arm] += 1.0;
    rewards_[arm] += reward;
}

const std::vector<BanditAlgorithmInfo>& bandit_algorithms() {
    using enum BanditAlgorithm;
    static const std::vector<BanditAlgorithmInfo> table = {
        {uniform, "random", "random", false, 0},
        {linucb, "linucb", "LinUCB", false, 1},
        {thompson, "thompson", "TS", false, 2},
        {sliding_window, "sliding-window", "SW-LinUCB", false, 3},
        {discounted, "discounted", "D-LinUCB", false, 4},
        {master_linucb, "master-linucb", "MASTER+LinUCB", false, 5},
        {master_thompson, "master-thompson", "MASTER+TS", false, 6},
        {master_linucb_theory, "master-linucb-theory", "MASTER+LinUCB, theory", false, 7},
        {master_thompson_theory, "master-thompson-theory", "MASTER+TS, theory", false, 8},
        {oracle_restart, "oracle-restart", "restarted LinUCB", true, 9},
        {cosine_thompson, "cosine-thompson", "cosine-aware TS", true, 10},
    };
    return table;
}

const BanditAlgorithmInfo& info_of(BanditAlgorithm algorithm) {
    return bandit_algorithms().at(static_cast<size_t>(algorithm));
}

std::unique_ptr<BanditPolicy> make_policy(BanditAlgorithm algorithm, const BanditConstants& constants) {
    using enum BanditAlgorithm;
    BanditConstants restarted = constants;
    restarted.alpha = constants.restart_alpha;
    const auto master = [&restarted](BanditAlgorithm base, bool theory) {
        return std::make_unique<Master>(
            MasterOptions{[base, restarted] { return make_policy(base, restarted); }, theory, restarted.probability});
    };
    switch (algorithm) {
        case uniform:
            return std::make_unique<UniformPolicy>();
        case linucb:
            return std::make_unique<LinUcb>(constants.alpha);
        case thompson:
            return std::make_unique<LinearThompson>(constants.v);
        case sliding_window:
            return std::make_unique<SlidingWindowLinUcb>(constants.window_alpha, constants.window);
        case discounted:
            return std::make_unique<DiscountedLinUcb>(constants.discounted_alpha, constants.discount);
        case master_linucb:
            return master(linucb, false);
        case master_thompson:
            return master(thompson, false);
        case master_linucb_theory:
            return master(linucb, true);
        case master_thompson_theory:
            return master(thompson, true);
        case oracle_restart:
            return std::make_unique<OracleRestart>(make_policy(linucb, restarted));
        case cosine_thompson:
            return std::make_unique<CosineThompson>();
    }
    check(false, "every algorithm has a policy");
    return nullptr;
}

bool applies_to(BanditAlgorithm algorithm, BanditKind kind) {
    return algorithm != BanditAlgorithm::cosine_thompson || kind == BanditKind::cosine;
}

void play_bandit(const BanditTrajectory& world, BanditPolicy& policy, Stream& random, BanditPlay& play) {
    const int rounds = world.rounds();
    play.arms.clear();
    play.regret.clear();
    policy.reset(world);
    double regret = 0.0;
    for (int round = 0; round < rounds; ++round) {
        const int arm = policy.choose(round, random).arm;
        policy.observe(arm, world.reward(round, arm));
        regret += world.suboptimality(round, arm);
        play.arms.push_back(arm);
        play.regret.push_back(regret);
    }
}

}  // namespace emergence
