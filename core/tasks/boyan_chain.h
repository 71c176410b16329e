#pragma once
// Random Boyan chains: Algorithms 2 and 3, Appendix C, Wang et al. 2025.

#include "core/tasks/mrp.h"

namespace emergence {

/// The parameters of a random chain.
struct BoyanChainOptions {
    // m >= 3
    int num_states = 10;
    int d = 4;
    // Used only if representable.
    double gamma = 0.9;
    // Algorithm 3: v = Phi' w*, r = (I - gamma p) v, so that the features represent the value exactly.
    bool representable = false;
    // w* ~ N(0, I) as in the authors' code; else U(-1, 1)^d as in the paper.
    bool normal_true_weights = true;
};

/// Writes chain number `index` of the world `seed` into `mrp`, whose memory it reuses. States count from 0:
///
///     p(i, i+1) = eps,   p(i, i+2) = 1 - eps,   eps ~ U(0.01, 0.99)     i < m-2
///     p(m-2, m-1) = 1
///     p(m-1, .), p_0 ~ U(0.01, 0.99), normalised
///     r ~ U(-1, 1),   phi ~ U(-1, 1)^d
///
/// Each part and each state's features have their own stream, so that more states or features extend the same chain.
void draw_boyan_chain(const BoyanChainOptions& options, uint64_t seed, uint32_t index, Mrp& mrp);

/// Draws only the chain's transition matrix, m x m.
void draw_boyan_transition(uint64_t seed, uint32_t index, int m, Mrp& mrp);

}  // namespace emergence
