#pragma once
// The parts that all random MRPs have: Appendix C, Wang et al. 2025. Each part has its own stream, so that one can
// stay fixed or change without the others.

#include "core/tasks/mrp.h"

namespace emergence {

/// The range of random probabilities before normalisation, which excludes 0 and 1 as in the authors' code.
constexpr double kLowProbability = 0.01, kHighProbability = 0.99;

/// Draws p_0 ~ U(0.01, 0.99), normalised: m entries.
void draw_initial(uint64_t seed, uint32_t index, int m, Mrp& mrp);

/// Draws phi ~ U(-1, 1), d x m, with one stream per state, so that more states or features extend the same ones.
void draw_features(uint64_t seed, uint32_t index, int d, int m, Mrp& mrp);

/// Draws r ~ U(-1, 1): m entries.
void draw_reward(uint64_t seed, uint32_t index, int m, Mrp& mrp);

/// Algorithm 3: sets r = (I - gamma p) v, v = Phi' w*, from the MRP's transition and features. normal: w* ~ N(0, I) as
/// in the authors' code, else U(-1, 1)^d as in the paper.
void draw_representable_reward(uint64_t seed, uint32_t index, double gamma, bool normal, Mrp& mrp);

}  // namespace emergence
