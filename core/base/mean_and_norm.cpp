#include "core/base/mean_and_norm.h"

#include <cmath>
#include <limits>

namespace emergence {

double mean_of(const std::vector<double>& values) {
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

double norm_of(const float* values, size_t size) {
    double sum = 0;
    for (size_t i = 0; i < size; ++i) sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
    return std::sqrt(sum);
}

}  // namespace emergence
