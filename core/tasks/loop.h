#pragma once
// Random loops, the environment of Figure 1 of Wang et al. 2025 (defined in the authors' code only).

#include "core/tasks/mrp.h"

namespace emergence {

struct LoopOptions {
    /// m, drawn uniformly from this range for each loop. Figure 1 takes 5 to 15 in the authors' code, 5 to 10
    /// in the paper's text.
    int min_states = 10, max_states = 10;
    /// The threshold, drawn uniformly from this range for each loop: a higher one keeps fewer connections.
    double min_threshold = 0.1, max_threshold = 0.9;
    int d = 4;
    double gamma = 0.9;  // used by the representable variant alone
    /// Algorithm 3: v = Phi' w*, r = (I - gamma p) v, so that features can express the value exactly.
    bool representable = false;
    /// w* ~ N(0, I) as in the authors' code; else U(-1, 1)^d as in the paper.
    bool normal_true_weights = true;
};

/// Loop number `index` of the world `seed`, written into `mrp`. A connection i -> j is kept where U(0.01,
/// 0.99) exceeds the loop's threshold, none i -> i, always i -> i+1 mod m; p is U(0.01, 0.99) on those kept,
/// rows normalised; p_0, r and phi as a Boyan chain's. The draws behind a connection do not depend on the
/// threshold, so that moving it adds and removes connections of the same loop.
void draw_loop(const LoopOptions& options, uint64_t seed, uint32_t index, Mrp& mrp);

/// The loop's transition matrix alone; its size is drawn too.
void draw_loop_transition(const LoopOptions& options, uint64_t seed, uint32_t index, Mrp& mrp);

}  // namespace emergence
