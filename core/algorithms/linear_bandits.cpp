#include "core/algorithms/linear_bandits.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/linear_algebra.h"

namespace emergence {

namespace {

// argmax_k estimates_k + alpha sqrt(squares_k), the first if several are equal.
BanditChoice most_optimistic(const Eigen::VectorXd& estimates, double alpha,
                             const Eigen::Ref<const Eigen::VectorXd, 0, Eigen::InnerStride<>>& squares) {
    BanditChoice choice;
    for (int k = 0; k < static_cast<int>(estimates.size()); ++k) {
        const double optimistic = estimates(k) + alpha * std::sqrt(std::max(squares(k), 0.0));
        if (k == 0 || optimistic > choice.optimistic) choice = {k, optimistic, estimates(k)};
    }
    return choice;
}

// L with L L' = K for a positive semidefinite K. A direction without variance gets a column of zeros.
void factor_of(const Eigen::MatrixXd& K, Eigen::MatrixXd& L) {
    constexpr double kNone = 1e-12;  // relative to the arm's own variance
    const Eigen::Index n = K.rows();
    L.setZero(n, n);
    for (Eigen::Index j = 0; j < n; ++j) {
        const double left = K(j, j) - L.row(j).head(j).squaredNorm();
        if (left <= kNone * K(j, j)) continue;
        L(j, j) = std::sqrt(left);
        for (Eigen::Index i = j + 1; i < n; ++i) L(i, j) = (K(i, j) - L.row(i).head(j).dot(L.row(j).head(j))) / L(j, j);
    }
}

}  // namespace

void ArmRegression::reset(const Eigen::MatrixXd& gram, double lambda, const Eigen::VectorXd& prior_means) {
    covariance_ = gram / lambda;
    estimates_ = prior_means;
}

void ArmRegression::add(int arm, double reward) {
    column_ = covariance_.col(arm);
    const double share = 1.0 / (1.0 + column_(arm));
    estimates_ += (share * (reward - estimates_(arm))) * column_;
    for (Eigen::Index k = 0; k < column_.size(); ++k) covariance_.col(k) -= (share * column_(k)) * column_;
}

// With C = diag(c) = S S, G = X X' and V = I + X' C X:
//
//     V^-1 = I - X' S (I + S G S)^-1 S X
//     K = X V^-1 X' = G - G S (I + S G S)^-1 S G = G - Y' Y,   I + S G S = L L',   Y = L^-1 S G
//     estimates = K rewards
void ArmRegression::fit(const Eigen::MatrixXd& gram, const Eigen::VectorXd& weights, const Eigen::VectorXd& rewards) {
    roots_ = weights.cwiseSqrt();
    scaled_ = roots_.asDiagonal() * gram;
    factor_ = scaled_ * roots_.asDiagonal();
    factor_.diagonal().array() += 1.0;
    solve_lower_factor(factor_, scaled_);
    covariance_ = gram;
    covariance_.noalias() -= scaled_.transpose() * scaled_;
    estimates_.noalias() = covariance_ * rewards;
}

const Eigen::VectorXd& ArmRegression::sample(double scale, Stream& random) {
    factor_of(covariance_, factor_);
    column_.resize(estimates_.size());
    for (double& x : column_) x = scale * random.normal();
    sample_ = estimates_;
    sample_.noalias() += factor_.triangularView<Eigen::Lower>() * column_;
    return sample_;
}

BanditChoice LinUcb::choose(int, Stream&) {
    return most_optimistic(regression_.estimates(), alpha_, regression_.covariance().diagonal());
}

BanditChoice LinearThompson::choose(int, Stream& random) {
    const Eigen::VectorXd& sample = regression_.sample(std::sqrt(v_), random);
    Eigen::Index arm = 0;
    const double value = sample.maxCoeff(&arm);
    return {static_cast<int>(arm), value, regression_.estimates()(arm)};
}

void SlidingWindowLinUcb::reset(const BanditTrajectory& world) {
    LinUcb::reset(world);
    recent_.clear();
    next_ = 0;
    pulls_.setZero(world.arms());
    rewards_.setZero(world.arms());
}

void SlidingWindowLinUcb::observe(int arm, double reward) {
    if (recent_.size() < window_) recent_.emplace_back();
    recent_[next_] = {.arm = arm, .estimate = reward};
    next_ = (next_ + 1) % window_;
    // Sums the window again each round, so that rounding errors do not accumulate.
    pulls_.setZero();
    rewards_.setZero();
    for (const BanditChoice& one : recent_) {
        pulls_(one.arm) += 1.0;
        rewards_(one.arm) += one.estimate;
    }
    regression_.fit(world_->gram, pulls_, rewards_);
}

void DiscountedLinUcb::reset(const BanditTrajectory& world) {
    LinUcb::reset(world);
    pulls_.setZero(world.arms());
    squared_pulls_.setZero(world.arms());
    rewards_.setZero(world.arms());
}

// The squared bonus is the diagonal of X V^-1 V2 V^-1 X' with V = I + X' C X and V2 = I + X' C2 X:
//
//     X V^-1 V^-1 X' = K - K C K,   so   X V^-1 V2 V^-1 X' = K + K (C2 - C) K
BanditChoice DiscountedLinUcb::choose(int, Stream&) {
    weighted_ = squared_pulls_ - pulls_;
    const Eigen::MatrixXd& K = regression_.covariance();
    const Eigen::VectorXd squares = K.diagonal() + K.cwiseAbs2() * weighted_;
    return most_optimistic(regression_.estimates(), alpha_, squares);
}

void DiscountedLinUcb::observe(int arm, double reward) {
    pulls_ *= discount_;
    squared_pulls_ *= discount_ * discount_;
    rewards_ *= discount_;
    pulls_(arm) += 1.0;
    squared_pulls_(arm) += 1.0;
    rewards_(arm) += reward;
    regression_.fit(world_->gram, pulls_, rewards_);
}

void OracleRestart::reset(const BanditTrajectory& world) {
    world_ = &world;
    next_change_ = 0;
    base_->reset(world);
}

BanditChoice OracleRestart::choose(int round, Stream& random) {
    if (next_change_ < world_->changes.size() && world_->changes[next_change_] == round) {
        base_->reset(*world_);
        ++next_change_;
    }
    return base_->choose(round, random);
}

// The posterior covariance is noise^2 K; K starts as gram / (12 noise^2), from the prior.
void CosineThompson::reset(const BanditTrajectory& world) {
    check(world.options.kind == BanditKind::cosine, "the cosine is known where there is one");
    world_ = &world;
    regression_.reset(world.gram, 12.0 * world.options.noise * world.options.noise,
                      0.5 * world.actions.rowwise().sum());
}

BanditChoice CosineThompson::choose(int round, Stream& random) {
    cosine_ = world_->modifier[round];
    const Eigen::VectorXd& sample = regression_.sample(world_->options.noise, random);
    Eigen::Index arm = 0;
    const double value = (cosine_ * sample).maxCoeff(&arm);
    return {static_cast<int>(arm), value, cosine_ * regression_.estimates()(arm)};
}

void CosineThompson::observe(int arm, double reward) {
    if (cosine_ != 0.0) regression_.add(arm, reward / cosine_);
}

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
