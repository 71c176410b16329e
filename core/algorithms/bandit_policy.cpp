#include "core/algorithms/bandit_policy.h"

#include <algorithm>
#include <cmath>

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

}  // namespace emergence
