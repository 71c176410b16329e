#include "core/algorithms/bandit_policy.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/linear_algebra.h"

namespace emergence {

namespace {

// MASTER's practical constants.
constexpr int kPracticalFirstOrder = 7, kPracticalLeastOrder = 4, kShortestSuffix = 8;
constexpr double kPracticalThreshold = 3.0;  // of both tests, in standard errors

// L with L L' = K for a positive semidefinite K. A direction without variance gets a column of zeros.
void factor_of(const Mat& K, Mat& L) {
    constexpr double kNone = 1e-12;  // relative to the arm's own variance
    const Index n = K.rows();
    L = Mat::Zero(n, n);
    for (Index j = 0; j < n; ++j) {
        const double left = K(j, j) - L.row(j).head(j).squaredNorm();
        if (left <= kNone * K(j, j)) continue;
        L(j, j) = std::sqrt(left);
        for (Index i = j + 1; i < n; ++i) L(i, j) = (K(i, j) - L.row(i).head(j).dot(L.row(j).head(j))) / L(j, j);
    }
}

}  // namespace

void ArmRegression::reset(const Mat& gram, double lambda, const Vec& prior_means) {
    covariance_ = gram / lambda;
    estimates_ = prior_means;
}

void ArmRegression::add(int arm, double reward) {
    column_ = covariance_.col(arm);
    const double share = 1.0 / (1.0 + column_(arm));
    estimates_ += (share * (reward - estimates_(arm))) * column_;
    double* entry = covariance_.data();
    for (const double of_column : column_) {
        const double factor = share * of_column;
        for (const double x : column_) *entry++ -= factor * x;
    }
}

// With C = diag(c) = S S, G = X X' and V = I + X' C X:
//
//     V^-1 = I - X' S (I + S G S)^-1 S X
//     K = X V^-1 X' = G - G S (I + S G S)^-1 S G = G - Y' Y,   I + S G S = L L',   Y = L^-1 S G
//     estimates = K rewards
void ArmRegression::fit(const Mat& gram, const Vec& weights, const Vec& rewards) {
    roots_ = weights.cwiseSqrt();
    scaled_ = roots_.asDiagonal() * gram;
    factor_ = scaled_ * roots_.asDiagonal();
    factor_.diagonal() += 1.0;
    solve_lower_factor(factor_, scaled_);
    covariance_ = gram;
    covariance_ -= scaled_.transpose() * scaled_;
    estimates_ = covariance_ * rewards;
}

const Vec& ArmRegression::sample(double scale, Stream& random) {
    factor_of(covariance_, factor_);
    column_.resize(estimates_.size());
    for (double& x : column_) x = scale * random.normal();
    sample_ = estimates_;
    add_lower_product(factor_, column_, sample_);
    return sample_;
}

namespace {

// Chooses every arm with the same probability.
class UniformPolicy final : public BanditPolicy {
  public:
    void reset(const BanditTrajectory& world) override { arms_ = world.arms(); }
    BanditChoice choose(int, Stream& random) override {
        return {.arm = std::min(static_cast<int>(random.uniform() * arms_), arms_ - 1)};
    }
    void observe(int, double) override {}

  private:
    int arms_ = 1;
};

// LinUCB:
//
//     argmax_k <x_k, w^> + alpha sqrt(x_k' V^-1 x_k),   V = I + sum a a',   w^ = V^-1 sum r a
class LinUcb : public BanditPolicy {
  public:
    explicit LinUcb(double alpha) : alpha_(alpha) {}
    void reset(const BanditTrajectory& world) override {
        world_ = &world;
        regression_.reset(world.gram, 1.0);
    }
    BanditChoice choose(int, Stream&) override { return most_optimistic(regression_.covariance().diagonal()); }
    void observe(int arm, double reward) override { regression_.add(arm, reward); }

  protected:
    // argmax_k estimates_k + alpha sqrt(squares_k), the first if several are equal.
    BanditChoice most_optimistic(const ConstMatView& squares) const {
        const Vec& estimates = regression_.estimates();
        BanditChoice choice;
        for (int k = 0; k < static_cast<int>(estimates.size()); ++k) {
            const double optimistic = estimates(k) + alpha_ * std::sqrt(std::max(squares(k), 0.0));
            if (k == 0 || optimistic > choice.optimistic) choice = {k, optimistic, estimates(k)};
        }
        return choice;
    }

    double alpha_;
    const BanditTrajectory* world_ = nullptr;
    ArmRegression regression_;
};

// The arm with the largest entry of `factor` times a posterior sample.
BanditChoice largest_sampled(ArmRegression& regression, double scale, double factor, Stream& random) {
    const Vec& sample = regression.sample(scale, random);
    const Vec scaled = factor * sample;
    const auto arm = std::max_element(scaled.begin(), scaled.end()) - scaled.begin();
    return {static_cast<int>(arm), scaled(arm), factor * regression.estimates()(arm)};
}

// Thompson sampling, with v a variance:
//
//     argmax_k <x_k, w~>,   w~ ~ N(V^-1 sum r a, v V^-1),   V = v I + sum a a'
class LinearThompson final : public BanditPolicy {
  public:
    explicit LinearThompson(double v) : v_(v) {}
    void reset(const BanditTrajectory& world) override { regression_.reset(world.gram, v_); }
    BanditChoice choose(int, Stream& random) override {
        return largest_sampled(regression_, std::sqrt(v_), 1.0, random);
    }
    void observe(int arm, double reward) override { regression_.add(arm, reward); }

  private:
    double v_;
    ArmRegression regression_;
};

// LinUCB on the last `window` rounds only.
class SlidingWindowLinUcb final : public LinUcb {
  public:
    SlidingWindowLinUcb(double alpha, int window) : LinUcb(alpha), window_(window) {}
    void reset(const BanditTrajectory& world) override {
        LinUcb::reset(world);
        recent_.clear();
        next_ = 0;
    }
    void observe(int arm, double reward) override {
        if (recent_.size() < window_) recent_.emplace_back();
        recent_[next_] = {.arm = arm, .estimate = reward};
        next_ = (next_ + 1) % window_;
        // Sums the window again each round, so that rounding errors do not accumulate.
        pulls_ = Vec(world_->arms());
        rewards_ = Vec(world_->arms());
        for (const BanditChoice& one : recent_) {
            pulls_(one.arm) += 1.0;
            rewards_(one.arm) += one.estimate;
        }
        regression_.fit(world_->gram, pulls_, rewards_);
    }

  private:
    size_t window_;
    std::vector<BanditChoice> recent_;  // a ring of arms; `estimate` holds the reward
    size_t next_ = 0;
    Vec pulls_, rewards_;
};

// Discounted LinUCB: LinUCB with the bonus alpha sqrt(x_k' V^-1 V2 V^-1 x_k), where
//
//     V = I + sum_s gamma^(t-s) a_s a_s',   V2 = I + sum_s gamma^(2(t-s)) a_s a_s'
class DiscountedLinUcb final : public LinUcb {
  public:
    DiscountedLinUcb(double alpha, double discount) : LinUcb(alpha), discount_(discount) {}
    void reset(const BanditTrajectory& world) override {
        LinUcb::reset(world);
        for (Vec* sums : {&pulls_, &squared_pulls_, &rewards_}) *sums = Vec(world.arms());
    }
    // The squared bonus is the diagonal of X V^-1 V2 V^-1 X' with V = I + X' C X and V2 = I + X' C2 X:
    //
    //     X V^-1 V^-1 X' = K - K C K,   so   X V^-1 V2 V^-1 X' = K + K (C2 - C) K
    BanditChoice choose(int, Stream&) override {
        weighted_ = squared_pulls_ - pulls_;
        const Mat& K = regression_.covariance();
        const Vec squares = K.diagonal() + K.cwiseProduct(K) * weighted_;
        return most_optimistic(squares);
    }
    void observe(int arm, double reward) override {
        pulls_ *= discount_;
        squared_pulls_ *= discount_ * discount_;
        rewards_ *= discount_;
        pulls_(arm) += 1.0;
        squared_pulls_(arm) += 1.0;
        rewards_(arm) += reward;
        regression_.fit(world_->gram, pulls_, rewards_);
    }

  private:
    double discount_;
    Vec pulls_, squared_pulls_, rewards_, weighted_;
};

// An oracle: LinUCB, restarted at every round of BanditTrajectory::changes.
class OracleRestart final : public LinUcb {
  public:
    using LinUcb::LinUcb;
    void reset(const BanditTrajectory& world) override {
        LinUcb::reset(world);
        next_change_ = 0;
    }
    BanditChoice choose(int round, Stream& random) override {
        if (next_change_ < world_->changes.size() && world_->changes[next_change_] == round) {
            LinUcb::reset(*world_);
            ++next_change_;
        }
        return LinUcb::choose(round, random);
    }

  private:
    size_t next_change_ = 0;
};

// An oracle for BanditKind::cosine. It divides each reward by the cosine, which it knows, and plays Thompson sampling
// under the environment's own prior (mean 1/2 and variance 1/12 per entry of w*) and noise.
class CosineThompson final : public BanditPolicy {
  public:
    // The posterior covariance is noise^2 K; K starts as gram / (12 noise^2), from the prior.
    void reset(const BanditTrajectory& world) override {
        check(world.options.kind == BanditKind::cosine, "the cosine is known where there is one");
        world_ = &world;
        regression_.reset(world.gram, 12.0 * world.options.noise * world.options.noise, 0.5 * world.actions.rowSums());
    }
    BanditChoice choose(int round, Stream& random) override {
        cosine_ = world_->modifier[round];
        return largest_sampled(regression_, world_->options.noise, cosine_, random);
    }
    void observe(int arm, double reward) override {
        if (cosine_ != 0.0) regression_.add(arm, reward / cosine_);
    }

  private:
    const BanditTrajectory* world_ = nullptr;
    double cosine_ = 1.0;
    ArmRegression regression_;
};

// A policy made from these constants.
template <class Policy, auto... Constant>
std::unique_ptr<BanditPolicy> made_of(const BanditConstants& constants) {
    return std::make_unique<Policy>(constants.*Constant...);
}

template <BanditAlgorithm kBase, bool kTheory>
std::unique_ptr<BanditPolicy> master_of(const BanditConstants& constants) {
    BanditConstants own = constants;
    own.alpha = constants.restart_alpha;  // LinUCB's, where it is started again and again
    return std::make_unique<Master>(
        MasterOptions{[own] { return make_policy(kBase, own); }, kTheory, constants.probability});
}

}  // namespace

const std::vector<BanditAlgorithmInfo>& bandit_algorithms() {
    using enum BanditAlgorithm;
    using C = BanditConstants;
    static const std::vector<BanditAlgorithmInfo> table = {
        {uniform, "random", "random", false, 0, made_of<UniformPolicy>},
        {linucb, "linucb", "LinUCB", false, 1, made_of<LinUcb, &C::alpha>},
        {thompson, "thompson", "TS", false, 2, made_of<LinearThompson, &C::v>},
        {sliding_window, "sliding-window", "SW-LinUCB", false, 3,
         made_of<SlidingWindowLinUcb, &C::window_alpha, &C::window>},
        {discounted, "discounted", "D-LinUCB", false, 4, made_of<DiscountedLinUcb, &C::discounted_alpha, &C::discount>},
        {master_linucb, "master-linucb", "MASTER+LinUCB", false, 5, master_of<linucb, false>},
        {master_thompson, "master-thompson", "MASTER+TS", false, 6, master_of<thompson, false>},
        {master_linucb_theory, "master-linucb-theory", "MASTER+LinUCB, theory", false, 7, master_of<linucb, true>},
        {master_thompson_theory, "master-thompson-theory", "MASTER+TS, theory", false, 8, master_of<thompson, true>},
        {oracle_restart, "oracle-restart", "restarted LinUCB", true, 9, made_of<OracleRestart, &C::restart_alpha>},
        {cosine_thompson, "cosine-thompson", "cosine-aware TS", true, 10, made_of<CosineThompson>},
    };
    return table;
}

const BanditAlgorithmInfo& info_of(BanditAlgorithm algorithm) {
    return bandit_algorithms().at(static_cast<size_t>(algorithm));
}

std::unique_ptr<BanditPolicy> make_policy(BanditAlgorithm algorithm, const BanditConstants& constants) {
    return info_of(algorithm).make(constants);
}

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
