#include "core/tasks/task.h"

#include <algorithm>

#include "core/base/error.h"

namespace emergence {
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
    mrp.transition.setZero(m, m);
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
    mrp.transition.setZero(m, m);
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

// p_0 ~ U(0.01, 0.99), normalised.
void draw_initial(DrawKey key, int m, Mrp& mrp) {
    Stream stream(key.seed, Purpose::initial_distribution, key.index);
    mrp.initial.resize(m);
    for (double& p : mrp.initial) p = stream.uniform(kLowProbability, kHighProbability);
    mrp.initial /= mrp.initial.sum();
}

// phi ~ U(-1, 1), with one stream per state, so that more states or features extend the same ones.
void draw_features(DrawKey key, int d, int m, Mrp& mrp) {
    mrp.features.resize(d, m);
    for (int s = 0; s < m; ++s) {
        Stream stream(key.seed, Purpose::features, key.index, static_cast<uint32_t>(s));
        for (int i = 0; i < d; ++i) mrp.features(i, s) = stream.uniform(-1.0, 1.0);
    }
}

// Algorithm 3, or r ~ U(-1, 1).
void draw_reward(const TaskOptions& options, DrawKey key, Mrp& mrp) {
    if (!options.representable) {
        Stream stream(key.seed, Purpose::reward, key.index);
        mrp.reward.resize(mrp.num_states());
        for (double& r : mrp.reward) r = stream.uniform(-1.0, 1.0);
        return;
    }
    Stream stream(key.seed, Purpose::true_weights, key.index);
    Eigen::VectorXd w(mrp.d());
    for (double& x : w) x = options.normal_true_weights ? stream.normal() : stream.uniform(-1.0, 1.0);
    const Eigen::VectorXd v = mrp.features.transpose() * w;
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

void draw_walk(CartPoleWalk& walk, const TaskOptions& options, uint64_t seed, uint32_t index) {
    walk.draw(draw_key(options.fixed_transition, seed, index), draw_key(options.fixed_features, seed, index),
              {seed, index});
}

class CartPoleTask final : public Task {
  public:
    explicit CartPoleTask(const TaskOptions& options) : options_(options), walk_(options.cart_pole, options.d) {}

    void draw(uint64_t seed, uint32_t index) override { draw_walk(walk_, options_, seed, index); }
    void start(Stream& stream) override { walk_.start(stream); }
    const double* row() const override { return walk_.row(); }
    void step(Stream& stream) override { walk_.step(stream); }

  private:
    TaskOptions options_;
    CartPoleWalk walk_;
};

}  // namespace

void draw_mrp(const TaskOptions& options, uint64_t seed, uint32_t index, Mrp& mrp) {
    check(options.has_values(), "a finite MRP");
    if (options.own) {
        options.own(seed, index, mrp);
        return;
    }
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
    draw_initial(dynamics, mrp.num_states(), mrp);
    draw_features(features, options.d, mrp.num_states(), mrp);
    draw_reward(options, {seed, index}, mrp);
}

std::unique_ptr<Task> make_task(const TaskOptions& options) {
    if (options.kind == TaskKind::cart_pole) return std::make_unique<CartPoleTask>(options);
    return std::make_unique<FiniteTask>(options);
}

CartPoleSimulation simulate_cart_pole(const TaskOptions& options, uint64_t seed, uint32_t index, int steps) {
    CartPoleWalk walk(options.cart_pole, options.d);
    draw_walk(walk, options, seed, index);
    return simulate_cart_pole(walk, options.d, steps, Stream(seed, Purpose::trajectory, index));
}

}  // namespace emergence
