#include "core/tasks/boyan_chain.h"

#include "core/base/check.h"
#include "core/tasks/random_parts.h"

namespace emergence {

void draw_boyan_transition(uint64_t seed, uint32_t index, int m, Mrp& mrp) {
    check(m >= 3, "a Boyan chain has at least 3 states");
    mrp.transition.setZero(m, m);
    Stream step(seed, Purpose::transition, index, 0), back(seed, Purpose::transition, index, 1);
    for (int i = 0; i < m - 2; ++i) {
        const double eps = step.uniform(kLowProbability, kHighProbability);
        mrp.transition(i, i + 1) = eps;
        mrp.transition(i, i + 2) = 1.0 - eps;
    }
    mrp.transition(m - 2, m - 1) = 1.0;
    for (int s = 0; s < m; ++s) mrp.transition(m - 1, s) = back.uniform(kLowProbability, kHighProbability);
    mrp.transition.row(m - 1) /= mrp.transition.row(m - 1).sum();
}

void draw_boyan_chain(const BoyanChainOptions& options, uint64_t seed, uint32_t index, Mrp& mrp) {
    const int m = options.num_states;
    draw_initial(seed, index, m, mrp);
    draw_boyan_transition(seed, index, m, mrp);
    draw_features(seed, index, options.d, m, mrp);
    if (options.representable)
        draw_representable_reward(seed, index, options.gamma, options.normal_true_weights, mrp);
    else
        draw_reward(seed, index, m, mrp);
}

}  // namespace emergence
