#pragma once
// The mean loss over the updates between two rows of a log.

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/base/array.h"

namespace emergence {

/// Training saves both numbers.
struct MeanLoss {
    double sum = 0;
    int64_t count = 0;

    void add(double loss) {
        sum += loss;
        ++count;
    }
    /// The mean since the last call; NaN without losses.
    double take() {
        const double mean = count > 0 ? sum / static_cast<double>(count) : kMissing;
        *this = {};
        return mean;
    }
};

/// Whether no value is infinite or NaN.
inline bool all_finite(const std::vector<float>& values) {
    float sum = 0;  // not finite if any term is not
    for (const float x : values) sum += std::abs(x);
    return std::isfinite(sum);
}

}  // namespace emergence
