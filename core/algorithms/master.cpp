#include "core/algorithms/master.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace emergence {
namespace {

constexpr int kPracticalFirstOrder = 7;
constexpr int kPracticalLeastOrder = 4;
constexpr double kPracticalThreshold = 3.0;  // of both tests, in standard errors
constexpr int kShortestSuffix = 8;

}  // namespace

void Master::reset(const BanditTrajectory& world) {
    world_ = &world;
    timeline_ = {};
    begin_block(0, options_.theory ? 0 : kPracticalFirstOrder);
}

void Master::begin_block(int round, int order) {
    order_ = order;
    block_begin_ = round;
    slots_.resize(std::max(slots_.size(), static_cast<size_t>(order) + 1));
    for (Slot& slot : slots_) slot.end = 0;
    least_optimistic_ = std::numeric_limits<double>::infinity();
    for (auto* sums : {&rewards_, &optimism_, &surprise_}) sums->assign(1, 0.0);
}

// Algorithm 1, lines 2 to 4, at tau = round - block_begin_, from order n downwards.
void Master::schedule(int round, Stream& random) {
    const int least = options_.theory ? 0 : kPracticalLeastOrder;
    for (int m = order_; m >= least; --m) {
        if ((round - block_begin_) % (1 << m) != 0) continue;
        const double chance = (options_.theory ? 1.0 : options_.probability) * std::exp2(-0.5 * (order_ - m));
        if (m < order_ && !((options_.uniform ? options_.uniform(m) : random.uniform()) < chance)) continue;
        Slot& slot = slots_[m];
        if (!slot.policy) slot.policy = options_.base();
        slot.policy->reset(*world_);
        slot.begin = round;
        slot.end = round + (1 << m);
        slot.recorded = timeline_.instances.size();
        timeline_.instances.push_back({m, round, std::min(slot.end, world_->rounds())});
    }
}

BanditChoice Master::choose(int round, Stream& random) {
    if (round == block_begin_ + (1 << order_)) begin_block(round, order_ + 1);
    if (round == block_begin_) timeline_.blocks.push_back(round);
    schedule(round, random);
    round_ = round;
    active_ = 0;
    while (slots_[active_].end <= round) ++active_;  // order n is always live
    choice_ = slots_[active_].policy->choose(round, random);
    check(std::isfinite(choice_.optimistic) && std::isfinite(choice_.estimate),
          "MASTER's base says how good it thinks its choice is");
    timeline_.active.push_back(active_);
    return choice_;
}

void Master::observe(int arm, double reward) {
    slots_[active_].policy->observe(arm, reward);
    least_optimistic_ = std::min(least_optimistic_, choice_.optimistic);
    rewards_.push_back(rewards_.back() + reward);
    optimism_.push_back(optimism_.back() + choice_.optimistic - reward);
    surprise_.push_back(surprise_.back() + choice_.estimate - reward);
    timeline_.test_1.push_back(test_1());
    timeline_.test_2.push_back(test_2());
    if (timeline_.test_1.back() >= 1.0)
        restart(1);
    else if (timeline_.test_2.back() >= 1.0)
        restart(2);
}

double Master::rho_hat(double rounds) const {
    const double horizon = world_->rounds();
    return 6.0 * (std::log2(horizon) + 1.0) * std::log(horizon) / std::sqrt(rounds);
}

double Master::test_1() const {
    double largest = std::numeric_limits<double>::quiet_NaN();
    for (size_t m = 0; m < slots_.size(); ++m) {
        if (slots_[m].end != round_ + 1) continue;
        const double length = std::exp2(static_cast<double>(m));
        const double sum = rewards_.back() - rewards_[slots_[m].begin - block_begin_];
        const double threshold =
            options_.theory ? 9.0 * rho_hat(length) : kPracticalThreshold * world_->noise_scale / std::sqrt(length);
        largest = std::fmax(largest, (sum / length - least_optimistic_) / threshold);
    }
    return largest;
}

double Master::test_2() const {
    const auto rounds = static_cast<int>(rewards_.size()) - 1;
    if (options_.theory) return optimism_.back() / rounds / (3.0 * rho_hat(rounds));
    double largest = std::numeric_limits<double>::quiet_NaN();
    for (int w = kShortestSuffix; w <= rounds; w *= 2) {
        const double sum = surprise_.back() - surprise_[rounds - w];
        largest = std::fmax(largest, sum / (kPracticalThreshold * world_->noise_scale * std::sqrt(w)));
    }
    return largest;
}

void Master::restart(int test) {
    for (const Slot& slot : slots_)
        if (slot.end > round_ + 1) timeline_.instances[slot.recorded].end = round_ + 1;
    timeline_.restarts.push_back({round_, test});
    begin_block(round_ + 1, options_.theory ? 0 : kPracticalFirstOrder);
}

}  // namespace emergence
