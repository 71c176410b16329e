#include "core/tasks/task.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/linear_algebra.h"
#include "core/base/ranges.h"
#include "core/base/statistics.h"

namespace emergence {

Vec true_value(const Mrp& mrp, double gamma) {
    const auto m = mrp.transition.rows();
    const Mat bellman = Mat::Identity(m, m) - gamma * mrp.transition;
    return solve(bellman, mrp.reward);
}

Vec differential_value(const Mrp& mrp, const Vec& stationary) {
    // Multiplying (I - p + 1 d') v = r - rbar by d' gives d' v = 0, and then v = r - rbar + p v.
    const auto m = mrp.transition.rows();
    const Mat system = Mat::Identity(m, m) - mrp.transition + Vec::Constant(m, 1.0) * stationary.transpose();
    return solve(system, mrp.reward.cwisePlus(-stationary.dot(mrp.reward)));
}

Vec stationary_distribution(const Mrp& mrp) {
    // (I - p') x = 0 has rank m-1 for a chain with one recurrent class, so sum x = 1 replaces one equation.
    const auto m = mrp.transition.rows();
    Mat balance = Mat::Identity(m, m) - mrp.transition.transpose();
    balance.row(m - 1).setConstant(1.0);
    Vec right = Vec::Zero(m);
    right[m - 1] = 1.0;
    const auto solution = solve_if_regular(balance, right);
    if (!solution) throw InputError("transition: the chain has no unique stationary distribution");
    const Vec result = solution->unaryExpr([](double x) { return x < 0.0 ? 0.0 : x; });
    return result / result.sum();
}

std::vector<int> transient_states(const Mrp& mrp) {
    // The states that can be reached from one that is visited for ever are visited for ever.
    const Vec stationary = stationary_distribution(mrp);
    const auto first = std::max_element(stationary.begin(), stationary.end()) - stationary.begin();
    std::vector<int> reached = {static_cast<int>(first)}, left;
    for (size_t i = 0; i < reached.size(); ++i)
        for (int to = 0; to < mrp.num_states(); ++to)
            if (mrp.transition(reached[i], to) > 0.0 && !contains(reached, to)) reached.push_back(to);
    for (int s = 0; s < mrp.num_states(); ++s)
        if (!contains(reached, s)) left.push_back(s);
    return left;
}

Vec error_weights(const Mrp& mrp, const Vec& stationary) {
    const std::vector<int> left = transient_states(mrp);
    // Values of recurrent states can be wrong only if some of these states pay rewards.
    double paid = 0.0;
    for (int s = 0; s < mrp.num_states(); ++s)
        if (!contains(left, s)) paid += std::abs(mrp.reward[s]);
    const auto n = static_cast<Index>(left.size());
    if (n == 0 || (n + 1 != mrp.num_states() && paid != 0.0)) return stationary;
    // Visits x to the states that are left: x = p_0 + p' x among them.
    Mat balance = Mat::Identity(n, n);
    Vec initial(n);
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) balance(i, j) -= mrp.transition(left[j], left[i]);
        initial[i] = mrp.initial[left[i]];
    }
    const auto visits = solve_if_regular(balance, initial);
    if (!visits || !(visits->sum() > 0.0)) return stationary;  // it never begins in one of them
    Vec weights = Vec::Zero(stationary.size());
    for (Index i = 0; i < n; ++i) weights[left[i]] = larger(0.0, (*visits)[i]) / visits->sum();
    return weights;
}

void RowSampler::reset(const Mat& rows) {
    columns_ = static_cast<int>(rows.cols());
    cumulative_.resize(rows.rows() * (rows.cols() - 1));
    size_t at = 0;
    for (Index row = 0; row < rows.rows(); ++row) {
        Index last = rows.cols() - 1;
        while (last > 0 && rows(row, last) == 0.0) --last;
        double sum = 0.0;
        // From the last possible entry on the sum is 1, except for rounding: no draw passes it.
        for (Index j = 0; j + 1 < rows.cols(); ++j) cumulative_[at++] = j < last ? sum += rows(row, j) : 2.0;
    }
}

std::vector<int> draw_path(const Mrp& mrp, int n, Stream& stream) {
    StateSampler sampler;
    sampler.reset(mrp);
    std::vector<int> path = {sampler.first(stream.uniform())};
    for (int j = 0; j < n; ++j) path.push_back(sampler.next(path.back(), stream.uniform()));
    return path;
}

Transitions transitions_along(const Mrp& mrp, double gamma, const std::vector<int>& path) {
    const auto n = static_cast<Index>(path.size()) - 1;
    Transitions context{Mat(mrp.d(), n), Mat(mrp.d(), n), Vec(n)};
    for (Index j = 0; j < n; ++j) {
        context.phi.col(j) = mrp.features.col(path[j]);
        context.gamma_phi_next.col(j) = gamma * mrp.features.col(path[j + 1]);
        context.reward[j] = mrp.reward[path[j]];
    }
    return context;
}

Mat expected_products(const Mrp& mrp, double gamma) {
    const Vec stationary = stationary_distribution(mrp);
    const int d = mrp.d();
    Mat sums = Mat::Zero(2 * d + 1, 2 * d + 1);
    Vec z(2 * d + 1);
    for (int i = 0; i < mrp.num_states(); ++i)
        for (int j = 0; j < mrp.num_states(); ++j) {
            z.head(d) = mrp.features.col(i);
            z.segment(d, d) = gamma * mrp.features.col(j);
            z[2 * d] = mrp.reward[i];
            sums += stationary[i] * mrp.transition(i, j) * z * z.transpose();
        }
    return sums;
}

Mat td_prompt(const Transitions& context, const Vec& query) {
    const auto d = context.phi.rows(), n = context.phi.cols();
    Mat Z = Mat::Zero(2 * d + 1, n + 1);
    Z.topLeftCorner(d, n) = context.phi;
    Z.block(d, 0, d, n) = context.gamma_phi_next;
    Z.bottomRows(1).leftCols(n) = context.reward.transpose();
    Z.col(n).head(d) = query;
    return Z;
}

CartPoleParameters draw_cart_pole(bool heavy_pole, uint64_t seed, uint32_t index) {
    Stream stream(seed, Purpose::task_parameters, index);
    return {.cart_mass = stream.uniform(0.5, 1.5),
            .pole_mass = heavy_pole ? 0.5 + stream.uniform() : 0.05 + 0.1 * stream.uniform(),
            .half_length = stream.uniform(0.5, 1.5),
            .gravity = stream.uniform(7, 12),
            .time_step = stream.uniform(0.01, 0.05),
            .force = stream.uniform(5, 15),
            .push_right = stream.uniform()};
}

CartPoleState cart_pole_step(const CartPoleParameters& p, const CartPoleState& state, double push) {
    const auto [x, x_dot, theta, theta_dot] = state;
    const double cosine = std::cos(theta), sine = std::sin(theta);
    const double total = p.cart_mass + p.pole_mass, moment = p.pole_mass * p.half_length;
    const double pull = (p.force * push + moment * theta_dot * theta_dot * sine) / total;
    const double theta_acceleration =
        (p.gravity * sine - cosine * pull) / (p.half_length * (4.0 / 3.0 - p.pole_mass * cosine * cosine / total));
    const double acceleration = pull - moment * theta_acceleration * cosine / total;
    return {x + p.time_step * x_dot, x_dot + p.time_step * acceleration, theta + p.time_step * theta_dot,
            theta_dot + p.time_step * theta_acceleration};
}

bool cart_pole_failed(const CartPoleState& state) {
    return std::abs(state[0]) > kCartLimit || std::abs(state[2]) > kPoleLimit;
}

CartPoleTiles::CartPoleTiles(const CartPoleOptions& options, int d) : options_(options), d_(d) {
    check(d >= 1 && options.bins >= 1 && options.bins <= 16, "features and bins of a cart-pole");
    place_.assign(tilings_ * width_ * width_ * width_ * width_, -1);
}

void CartPoleTiles::draw(const DrawKey& features, const DrawKey& reward) {
    features_ = features;
    reward_ = reward;
    for (const int tile : visited_) place_[tile] = -1;
    visited_.clear();
    rows_.clear();
}

int CartPoleTiles::tile_of(int tiling, const CartPoleState& state) const {
    constexpr std::array<int, 4> kDisplacement = {1, 3, 5, 7};
    constexpr CartPoleState kRange = {3.0, 2.5, 15 * std::numbers::pi / 180, 2.5};
    int tile = tiling;
    for (size_t i = 0; i < 4; ++i) {
        const double displaced =
            options_.grid ? 0.0 : static_cast<double>(tiling * kDisplacement[i] % kTilings) / kTilings;
        const double bin = (state[i] + kRange[i]) / (2 * kRange[i]) * options_.bins + displaced;
        tile = tile * width_ + std::clamp(static_cast<int>(std::floor(bin)), 0, width_ - 1);
    }
    return tile;
}

const double* CartPoleTiles::row_of(int tile) {
    int& place = place_[tile];
    if (place < 0) {
        place = static_cast<int>(rows_.size());
        visited_.push_back(tile);
        Stream features(features_.seed, Purpose::features, features_.index, static_cast<uint32_t>(tile));
        Stream reward(reward_.seed, Purpose::reward, reward_.index, static_cast<uint32_t>(tile));
        for (int i = 0; i < d_; ++i) rows_.push_back(features.uniform(-1, 1));
        rows_.push_back(reward.uniform(-1, 1));
    }
    return rows_.data() + place;
}

void CartPoleTiles::read(const CartPoleState& state, double* row) {
    std::fill(row, row + d_ + 1, 0.0);
    for (int tiling = 0; tiling < tilings_; ++tiling) {
        const double* tile = row_of(tile_of(tiling, state));
        for (int i = 0; i <= d_; ++i) row[i] += tile[i];
    }
    // A sum of eight U(-1, 1) has variance 8/3.
    for (int i = 0; i <= d_ && !options_.grid; ++i) row[i] *= std::sqrt(3.0 / kTilings);
}

namespace {

// The draw of one part of a task: its own, or a common one for all tasks.
DrawKey draw_key(bool fixed, uint64_t seed, uint32_t index) {
    return fixed ? DrawKey{derive_seed(0, Purpose::fixed_world), 0} : DrawKey{seed, index};
}

// The range of random probabilities before normalisation, which excludes 0 and 1 as in the authors' code.
constexpr double kLowProbability = 0.01, kHighProbability = 0.99;

// p(i, i+1) = eps and p(i, i+2) = 1 - eps for i < m-2, p(m-2, m-1) = 1, and a random last row.
void draw_boyan_transition(DrawKey key, int m, Mrp& mrp) {
    check(m >= 3, "a Boyan chain has at least 3 states");
    mrp.transition = Mat::Zero(m, m);
    Stream step(key.seed, Purpose::transition, key.index, 0), back(key.seed, Purpose::transition, key.index, 1);
    for (int i = 0; i < m - 2; ++i) {
        const double eps = step.uniform(kLowProbability, kHighProbability);
        mrp.transition(i, i + 1) = eps;
        mrp.transition(i, i + 2) = 1.0 - eps;
    }
    mrp.transition(m - 2, m - 1) = 1.0;
    for (int s = 0; s < m; ++s) mrp.transition(m - 1, s) = back.uniform(kLowProbability, kHighProbability);
    mrp.transition.row(m - 1) /= mrp.transition.row(m - 1).sum();
}

// State i is connected to i+1 mod m, and to any other j with U(0.01, 0.99) > threshold. The draws do not depend on the
// threshold, so moving it adds or removes connections of the same loop.
void draw_loop_transition(const TaskOptions& options, DrawKey key, Mrp& mrp) {
    const int most = options.num_states;
    const int least = options.min_states == 0 || options.fixed_transition ? most : options.min_states;
    check(least >= 2 && least <= most, "a loop has at least 2 states");
    Stream shape(key.seed, Purpose::task_parameters, key.index);
    const double threshold = shape.uniform(options.min_threshold, options.max_threshold);
    const int sizes = most - least + 1;
    const int m = least + std::min(static_cast<int>(shape.uniform() * sizes), sizes - 1);
    mrp.transition = Mat::Zero(m, m);
    for (int i = 0; i < m; ++i) {
        Stream row(key.seed, Purpose::transition, key.index, static_cast<uint32_t>(i));
        for (int j = 0; j < m; ++j) {
            const bool kept = row.uniform(kLowProbability, kHighProbability) > threshold;
            const double weight = row.uniform(kLowProbability, kHighProbability);
            if ((kept && j != i) || j == (i + 1) % m) mrp.transition(i, j) = weight;
        }
        mrp.transition.row(i) /= mrp.transition.row(i).sum();
    }
}

// phi ~ U(-1, 1), with one stream per state, so that more states or features extend the same ones.
void draw_features(DrawKey key, int d, Mrp& mrp) {
    mrp.features.resize(d, mrp.num_states());
    for (int s = 0; s < mrp.num_states(); ++s) {
        Stream stream(key.seed, Purpose::features, key.index, static_cast<uint32_t>(s));
        for (int i = 0; i < d; ++i) mrp.features(i, s) = stream.uniform(-1.0, 1.0);
    }
}

// Algorithm 3, or r ~ U(-1, 1).
void draw_reward(const TaskOptions& options, DrawKey key, Mrp& mrp) {
    Stream stream(key.seed, options.representable ? Purpose::true_weights : Purpose::reward, key.index);
    const bool normal = options.representable && options.normal_true_weights;
    mrp.reward.resize(options.representable ? mrp.d() : mrp.num_states());  // w* until v is known, or r
    for (double& x : mrp.reward) x = normal ? stream.normal() : stream.uniform(-1.0, 1.0);
    if (!options.representable) return;
    const Vec v = mrp.features.transpose() * mrp.reward;
    mrp.reward = v - options.gamma * (mrp.transition * v);
}

class FiniteTask final : public Task {
  public:
    explicit FiniteTask(const TaskOptions& options) : options_(options) {}

    void draw(uint64_t seed, uint32_t index) override {
        draw_mrp(options_, seed, index, mrp_);
        sampler_.reset(mrp_);
        const int d = mrp_.d();
        rows_.resize(mrp_.num_states() * (d + 1));
        for (int s = 0; s < mrp_.num_states(); ++s) {
            double* row = rows_.data() + s * (d + 1);
            for (int i = 0; i < d; ++i) row[i] = mrp_.features(i, s);
            row[d] = mrp_.reward[s];
        }
    }
    const Mrp* mrp() const override { return &mrp_; }
    void start(Stream& stream) override { state_ = sampler_.first(stream.uniform()); }
    const double* row() const override { return rows_.data() + state_ * (options_.d + 1); }
    void step(Stream& stream) override { state_ = sampler_.next(state_, stream.uniform()); }

  private:
    TaskOptions options_;
    Mrp mrp_;
    StateSampler sampler_;
    std::vector<double> rows_;  // m x (d+1): phi(s), r(s)
    int state_ = 0;
};

class CartPoleTask final : public Task {
  public:
    explicit CartPoleTask(const TaskOptions& options)
        : options_(options), tiles_(options.cart_pole, options.d), row_(options.d + 1), entered_(row_) {}

    // Physics and policy, features, and rewards each have their own draw.
    void draw(uint64_t seed, uint32_t index) override {
        const DrawKey physics = draw_key(options_.fixed_transition, seed, index);
        parameters_ = draw_cart_pole(options_.cart_pole.heavy_pole, physics.seed, physics.index);
        tiles_.draw(draw_key(options_.fixed_features, seed, index), {seed, index});
    }
    void start(Stream& stream) override {
        state_ = first(stream);
        look(stream);
    }
    const double* row() const override { return row_.data(); }
    void step(Stream& stream) override {
        state_ = next_;
        look(stream);
    }

  private:
    // A draw from p_0 = U(-0.05, 0.05)^4.
    static CartPoleState first(Stream& stream) {
        CartPoleState state{};
        for (double& x : state) x = stream.uniform(-0.05, 0.05);
        return state;
    }
    // Draws the next move of the random policy already, since a grid pays for the cell that it enters. A draw from p_0
    // replaces a failed state at once.
    void look(Stream& stream) {
        const double push = stream.uniform() < parameters_.push_right ? 1 : -1;
        next_ = cart_pole_step(parameters_, state_, push);
        if (cart_pole_failed(next_)) next_ = first(stream);
        tiles_.read(state_, row_.data());
        if (!options_.cart_pole.grid) return;
        tiles_.read(next_, entered_.data());
        row_.back() = entered_.back();
    }

    TaskOptions options_;
    CartPoleTiles tiles_;
    CartPoleParameters parameters_{};
    CartPoleState state_{}, next_{};
    std::vector<double> row_, entered_;
};

}  // namespace

void draw_mrp(const TaskOptions& options, uint64_t seed, uint32_t index, Mrp& mrp) {
    check(options.has_values(), "a finite MRP");
    if (options.own) return options.own(seed, index, mrp);
    if (options.kind == TaskKind::files) {
        check(options.worlds && !options.worlds->empty(), "worlds to draw from");
        mrp = (*options.worlds)[index % options.worlds->size()];
        return;
    }
    const DrawKey dynamics = draw_key(options.fixed_transition, seed, index),
                  features = draw_key(options.fixed_features, seed, index);
    if (options.kind == TaskKind::boyan)
        draw_boyan_transition(dynamics, options.num_states, mrp);
    else
        draw_loop_transition(options, dynamics, mrp);
    // p_0 ~ U(0.01, 0.99), normalised.
    Stream stream(dynamics.seed, Purpose::initial_distribution, dynamics.index);
    mrp.initial.resize(mrp.num_states());
    for (double& p : mrp.initial) p = stream.uniform(kLowProbability, kHighProbability);
    mrp.initial /= mrp.initial.sum();
    draw_features(features, options.d, mrp);
    draw_reward(options, {seed, index}, mrp);
}

std::unique_ptr<Task> make_task(const TaskOptions& options) {
    if (options.kind == TaskKind::cart_pole) return std::make_unique<CartPoleTask>(options);
    return std::make_unique<FiniteTask>(options);
}

}  // namespace emergence
