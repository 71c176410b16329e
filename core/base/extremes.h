#pragma once
// The larger and the smaller of two numbers, one of which may not be known: std::max and std::min lose a NaN.

#include <cmath>

namespace emergence {

/// NaN if one of both is.
inline double larger(double a, double b) { return std::isnan(b) || b > a ? b : a; }
inline double smaller(double a, double b) { return std::isnan(b) || b < a ? b : a; }

}  // namespace emergence
