#include "core/algorithms/bandit_policy.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace emergence {

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

std::vector<float> network_actions(const BanditTrajectory& world) {
    std::vector<float> actions;
    for (Index i = 0; i < world.actions.rows(); ++i)
        for (const double x : Vec(world.actions.row(i))) actions.push_back(static_cast<float>(x));
    return actions;
}

void choice_probabilities(const std::vector<float>& logits, double temperature, std::vector<double>& probabilities) {
    probabilities.assign(logits.size(), 0.0);
    const auto greatest = std::max_element(logits.begin(), logits.end());
    if (temperature == 0.0) {
        probabilities[greatest - logits.begin()] = 1.0;
        return;
    }
    double sum = 0;
    for (size_t k = 0; k < logits.size(); ++k) {
        probabilities[k] = std::exp(static_cast<double>(logits[k] - *greatest) / temperature);
        sum += probabilities[k];
    }
    for (double& p : probabilities) p /= sum;
}

TransformerPolicy::TransformerPolicy(const CausalTransformerShape& shape, const std::vector<float>& weights,
                                     double temperature)
    : shape_(shape), rollout_(make_causal_rollout(shape)), temperature_(temperature), logits_(shape.arms) {
    set_weights(weights);
}

void TransformerPolicy::set_weights(const std::vector<float>& weights) {
    check(weights.size() == shape_.num_weights(), "weights of this shape");
    rollout_->set_weights(weights.data());
}

void TransformerPolicy::reset(const BanditTrajectory& world) {
    check(world.arms() == shape_.arms && world.actions.cols() == shape_.d && world.rounds() <= shape_.rounds,
          "an environment that the network's shape fits");
    rollout_->begin(network_actions(world).data());
}

BanditChoice TransformerPolicy::choose(int, Stream& random) {
    rollout_->step(last_arm_, last_reward_, logits_.data());
    choice_probabilities(logits_, temperature_, probabilities_);
    double left = random.uniform();
    size_t arm = 0;
    while (arm + 1 < probabilities_.size() && left >= probabilities_[arm]) left -= probabilities_[arm++];
    return {.arm = static_cast<int>(arm)};
}

void TransformerPolicy::observe(int arm, double reward) {
    last_arm_ = arm;
    last_reward_ = static_cast<float>(reward);
}

BanditBank::BanditBank(const std::vector<BanditOptions>& options, uint64_t seed)
    : seed_(seed), worlds_(options.size()) {
    for (size_t i = 0; i < worlds_.size(); ++i) draw_bandit(options[i], seed, static_cast<uint32_t>(i), worlds_[i]);
}

BanditBank::BanditBank(const BanditFamily& family, uint64_t seed, int size)
    : seed_(seed), worlds_(static_cast<size_t>(size)) {
    for (uint32_t i = 0; i < worlds_.size(); ++i)
        draw_bandit(draw_bandit_options(family, seed, i), seed, i, worlds_[i]);
}

std::vector<double> BanditBank::regrets(BanditPolicy& policy, uint32_t number) const {
    std::vector<double> regrets;
    BanditPlay play;
    for (size_t i = 0; i < worlds_.size(); ++i) {
        Stream random = policy_stream(seed_, static_cast<uint32_t>(i), number);
        play_bandit(worlds_[i], policy, random, play);
        regrets.push_back(play.regret.back());
    }
    return regrets;
}

}  // namespace emergence
