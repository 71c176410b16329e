#pragma once
// Derivatives by finite differences, and how far apart two lists of numbers are.

#include <cmath>
#include <cstddef>
#include <vector>

#include "core/base/array.h"
#include "core/base/statistics.h"

namespace emergence::testing {

/// The derivative of value() by x, which it reads, as a central difference; x is left as it was.
template <class Value>
double slope_by(double& x, const Value& value, double step = 1e-5) {
    const double kept = x;
    x = kept + step;
    const double above = value();
    x = kept - step;
    const double below = value();
    x = kept;
    return (above - below) / (2 * step);
}

/// The same by each of several numbers.
template <class Numbers, class Value>
std::vector<double> slopes_by(Numbers&& numbers, const Value& value) {
    std::vector<double> slopes;
    for (double& x : numbers) slopes.push_back(slope_by(x, value));
    return slopes;
}

/// The largest difference between a and b over the largest size in b.
template <class A, class B>
double relative_difference(const A& a, const B& b) {
    double difference = a.size() == b.size() ? 0 : kMissing, scale = 0;
    for (size_t i = 0; i < b.size(); ++i) {
        difference = larger(difference, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
        scale = larger(scale, std::abs(static_cast<double>(b[i])));
    }
    return difference / scale;
}

}  // namespace emergence::testing
