#include "core/tasks/task.h"

#include "core/base/check.h"
#include "core/tasks/boyan_chain.h"
#include "core/tasks/loop.h"
#include "core/tasks/random_parts.h"

namespace emergence {
namespace {

// The draw of one part of a task: its own, or a common one for all tasks.
DrawKey draw_key(bool fixed, uint64_t seed, uint32_t index) {
    return fixed ? DrawKey{derive_seed(0, Purpose::fixed_world), 0} : DrawKey{seed, index};
}

LoopOptions loop_options(const TaskOptions& options) {
    LoopOptions loop;
    loop.max_states = options.num_states;
    loop.min_states =
        options.min_states == 0 || options.fixed_transition ? options.num_states : options.min_states;
    loop.min_threshold = options.min_threshold;
    loop.max_threshold = options.max_threshold;
    return loop;
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
    explicit CartPoleTask(const TaskOptions& options)
        : options_(options), walk_(options.cart_pole, options.d) {}

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
    if (options.kind == TaskKind::files) {
        check(options.worlds && !options.worlds->empty(), "worlds to draw from");
        mrp = (*options.worlds)[index % options.worlds->size()];
        return;
    }
    const DrawKey dynamics = draw_key(options.fixed_transition, seed, index),
                  features = draw_key(options.fixed_features, seed, index);
    if (options.kind == TaskKind::boyan)
        draw_boyan_transition(dynamics.seed, dynamics.index, options.num_states, mrp);
    else
        draw_loop_transition(loop_options(options), dynamics.seed, dynamics.index, mrp);
    const int m = mrp.num_states();
    draw_initial(dynamics.seed, dynamics.index, m, mrp);
    draw_features(features.seed, features.index, options.d, m, mrp);
    if (options.representable)
        draw_representable_reward(seed, index, options.gamma, options.normal_true_weights, mrp);
    else
        draw_reward(seed, index, m, mrp);
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
