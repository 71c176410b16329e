#pragma once
// Random loops, the environment of Figure 1, Wang et al. 2025, which only the authors' code defines.

#include "core/tasks/mrp.h"

namespace emergence {

/// The parameters of a random loop.
struct LoopOptions {
    // m is uniform in this range for each loop. Figure 1: 5 to 15 in the authors' code, 5 to 10 in the paper's text.
    int min_states = 10, max_states = 10;
    // The threshold is uniform in this range for each loop. A higher threshold leaves fewer connections.
    double min_threshold = 0.1, max_threshold = 0.9;
    int d = 4;
    // Used only if representable.
    double gamma = 0.9;
    // Algorithm 3: v = Phi' w*, r = (I - gamma p) v, so that the features represent the value exactly.
    bool representable = false;
    // w* ~ N(0, I) as in the authors' code; else U(-1, 1)^d as in the paper.
    bool normal_true_weights = true;
};

/// Writes loop number `index` of the world `seed` into `mrp`. State i is connected to j if
///
///     j = i+1 mod m,   or   j != i and U(0.01, 0.99) > threshold
///
/// p is U(0.01, 0.99) on the connections, rows normalised; p_0, r and phi are those of a Boyan chain. The draws do not
/// depend on the threshold, so moving it adds or removes connections of the same loop.
void draw_loop(const LoopOptions& options, uint64_t seed, uint32_t index, Mrp& mrp);

/// Draws only the loop's transition matrix, m x m, and m.
void draw_loop_transition(const LoopOptions& options, uint64_t seed, uint32_t index, Mrp& mrp);

}  // namespace emergence
