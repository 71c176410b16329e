#pragma once
// Random Boyan chains: Algorithms 2 and 3 of Wang et al. 2025, Appendix C.

#include "core/tasks/mrp.h"

namespace emergence {

struct BoyanChainOptions {
    int num_states = 10;  // m >= 3
    int d = 4;
    double gamma = 0.9;  // used by the representable variant alone
    /// Algorithm 3: v = Phi' w*, r = (I - gamma p) v, so that features can express the value exactly.
    bool representable = false;
    /// w* ~ N(0, I) as in the authors' code; else U(-1, 1)^d as in the paper.
    bool normal_true_weights = true;
};

/// Chain number `index` of the world `seed`, written into `mrp` (whose memory is used again). For i < m-2
/// (0-based) p(i, i+1) = eps ~ U(0.01, 0.99) and p(i, i+2) = 1 - eps; p(m-2, m-1) = 1; the last row and p_0
/// are U(0.01, 0.99) normalised; r ~ U(-1, 1); phi ~ U(-1, 1)^d. Each part has a stream of its own and each
/// state's features a stream of theirs, so that more states or features extend the same chain.
void draw_boyan_chain(const BoyanChainOptions& options, uint64_t seed, uint32_t index, Mrp& mrp);

/// The chain's transition matrix alone: m x m.
void draw_boyan_transition(uint64_t seed, uint32_t index, int m, Mrp& mrp);

}  // namespace emergence
