#pragma once
// One context's weight vector among those of a bank.

#include <vector>

#include "core/base/eigen.h"

namespace emergence {

/// Contexts, or weight vectors, that are computed with side by side, see implicit_weights.h.
inline constexpr int kContextsInGroup = 16;

/// Number i of the weight vectors (d) that implicit_weights.h writes.
inline Eigen::VectorXd lane_vector(const std::vector<float>& weights, int d, int i) {
    Eigen::VectorXd w(d);
    for (int k = 0; k < d; ++k)
        w[k] = static_cast<double>(weights[static_cast<size_t>(
            (i / kContextsInGroup * d + k) * kContextsInGroup + i % kContextsInGroup)]);
    return w;
}

}  // namespace emergence
