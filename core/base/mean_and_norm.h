#pragma once
// The two sums over a vector that many files need.

#include <cstddef>
#include <vector>

namespace emergence {

/// The arithmetic mean; NaN for no values.
double mean_of(const std::vector<double>& values);
/// The Euclidean norm of `size` values, summed in double precision.
double norm_of(const float* values, size_t size);

}  // namespace emergence
