#pragma once
// The random parts that every kind of random MRP has: Appendix C of Wang et al. 2025. Each part has a stream
// of its own, so that one can be held fixed or changed without touching the others.

#include "core/tasks/mrp.h"

namespace emergence {

/// The range of random probabilities before they are normalised: the authors' code keeps them off 0 and 1.
constexpr double kLowProbability = 0.01, kHighProbability = 0.99;

/// p_0: U(0.01, 0.99) normalised; as long as `m`.
void draw_initial(uint64_t seed, uint32_t index, int m, Mrp& mrp);

/// phi ~ U(-1, 1): d x m, a stream a state, so that more states or features extend the same ones.
void draw_features(uint64_t seed, uint32_t index, int d, int m, Mrp& mrp);

/// r ~ U(-1, 1): m.
void draw_reward(uint64_t seed, uint32_t index, int m, Mrp& mrp);

/// Algorithm 3: r = (I - gamma p) v with v = Phi' w*, w* ~ N(0, I) (the authors' code) or U(-1, 1)^d (the
/// paper). Reads the MRP's transition and features.
void draw_representable_reward(uint64_t seed, uint32_t index, double gamma, bool normal, Mrp& mrp);

}  // namespace emergence
