#include "core/tasks/loop.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/tasks/random_parts.h"

namespace emergence {

void draw_loop_transition(const LoopOptions& options, uint64_t seed, uint32_t index, Mrp& mrp) {
    check(options.min_states >= 2 && options.min_states <= options.max_states,
          "a loop has at least 2 states");
    Stream shape(seed, Purpose::task_parameters, index);
    const double threshold = shape.uniform(options.min_threshold, options.max_threshold);
    const int sizes = options.max_states - options.min_states + 1;
    const int m = options.min_states + std::min(static_cast<int>(shape.uniform() * sizes), sizes - 1);
    mrp.transition.setZero(m, m);
    for (int i = 0; i < m; ++i) {
        Stream row(seed, Purpose::transition, index, static_cast<uint32_t>(i));
        for (int j = 0; j < m; ++j) {
            const bool kept = row.uniform(kLowProbability, kHighProbability) > threshold;
            const double weight = row.uniform(kLowProbability, kHighProbability);
            if ((kept && j != i) || j == (i + 1) % m) mrp.transition(i, j) = weight;
        }
        mrp.transition.row(i) /= mrp.transition.row(i).sum();
    }
}

void draw_loop(const LoopOptions& options, uint64_t seed, uint32_t index, Mrp& mrp) {
    draw_loop_transition(options, seed, index, mrp);
    const int m = mrp.num_states();
    draw_initial(seed, index, m, mrp);
    draw_features(seed, index, options.d, m, mrp);
    if (options.representable)
        draw_representable_reward(seed, index, options.gamma, options.normal_true_weights, mrp);
    else
        draw_reward(seed, index, m, mrp);
}

}  // namespace emergence
