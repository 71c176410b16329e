#pragma once
// Weight vectors of single contexts, from a bank's lanes.

#include <vector>

#include "core/base/linear_algebra.h"

namespace emergence {

/// Contexts per group, see implicit_weights.h.
inline constexpr int kContextsInGroup = 16;

/// Writes weight vector number i, d entries, from weights in the layout of implicit_weights.h.
inline void read_lane_vector(const std::vector<float>& weights, int d, int i, Eigen::VectorXd& w) {
    w.resize(d);
    for (int k = 0; k < d; ++k)
        w[k] = static_cast<double>(weights[(i / kContextsInGroup * d + k) * kContextsInGroup + i % kContextsInGroup]);
}
/// The same as a new vector.
inline Eigen::VectorXd lane_vector(const std::vector<float>& weights, int d, int i) {
    Eigen::VectorXd w;
    read_lane_vector(weights, d, i, w);
    return w;
}

}  // namespace emergence
