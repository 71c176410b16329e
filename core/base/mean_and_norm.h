#pragma once
// The mean and the norm of a vector.

#include <cstddef>
#include <vector>

namespace emergence {

/// The arithmetic mean; NaN for an empty vector.
double mean_of(const std::vector<double>& values);
/// The Euclidean norm of `size` values, summed in double precision.
double norm_of(const float* values, size_t size);

}  // namespace emergence
