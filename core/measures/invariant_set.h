#pragma once
// Theorem 2, Wang et al. 2025: for a one-layer transformer, the expected update of multi-task TD does not leave the set
//
//     Theta* = {P[-1,-1] = eta, Q[:d,:d] = c I, Q[d:2d,:d] = c' I, all other entries 0}
//
// With G = Z M Z' (D x D, of the context) and the query's features x, the value of one layer is bilinear:
//
//     TF(Z) = -sum_{efh} P[-1,e] Q[f,h] u_{efh},   u_{efh} = G_ef x_h / n
//
// So the moments of u under the samples determine the expected update at any weights, and only P's last row and Q's
// first d columns ever change.

#include <vector>

#include "core/base/matrix.h"
#include "core/tasks/task.h"

namespace emergence {

/// P and Q of one layer, or an update of them, D x D with D = 2d+1.
struct WeightUpdate {
    Mat P, Q;
};

/// A member of Theta*.
struct InvariantPoint {
    double eta = 1.3, c = -0.8, c_prime = 0.5;
};
WeightUpdate invariant_weights(int d, const InvariantPoint& point);
/// The member nearest to these weights: P's corner and the means of both diagonals.
InvariantPoint nearest_invariant_point(const WeightUpdate& weights);
/// The norm of the part of weights, or of an update, outside Theta*, relative to the whole norm: 0 to 1.
double share_outside_invariant_set(const WeightUpdate& weights);

struct InvariantSetOptions {
    TaskOptions tasks = {};
    int n = 30;
    // Tasks, each with one pair of prompts.
    int samples = 20;
    // The prompt starts after a uniform number of steps from 0 to this.
    int latest_start = 0;
};

/// R_{n+2} and the two prompts of Eq. (11).
struct UpdateSample {
    double reward = 0.0;
    Mat Z, Z_next;
};
/// Sample number `number` of a seed.
UpdateSample update_sample(const InvariantSetOptions& options, uint64_t seed, uint32_t number);

/// reward = E[R u] and values = E[u (u - gamma u')'], with u' of the next prompt. Indices run over e, f, h, the last
/// one fastest.
struct UpdateMoments {
    int d = 0;
    Vec reward;
    Mat values;
};
/// The moments of samples first .. first + samples - 1.
UpdateMoments update_moments(const InvariantSetOptions& options, uint64_t seed, uint32_t first = 0);
/// The expected update of Eq. (10) under these moments, the mean of (R + gamma TF(Z') - TF(Z)) grad TF(Z).
WeightUpdate expected_update(const UpdateMoments& moments, const WeightUpdate& weights);

/// The average of moments over all sign flips and permutations of the features, in closed form. Such a map permutes the
/// entries of u and flips signs, so each entry of a moment becomes the mean of its orbit: 0 if a feature occurs an odd
/// number of times in its indices, else the mean over all entries with equal features in the same places and the same
/// blocks.
class FeatureAverage {
  public:
    explicit FeatureAverage(int d);
    UpdateMoments operator()(const UpdateMoments& moments) const;

  private:
    std::vector<int> reward_orbit_, value_orbit_;  // per entry; -1: the entry becomes 0
};

}  // namespace emergence
