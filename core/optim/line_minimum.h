#pragma once
// The minimum of a function of one variable with several minima.

#include <functional>

namespace emergence {

/// The place of the least value in [low, high]: the best point of a grid of this pace, then `cuts` golden sections
/// around it. A value that is not finite counts as the largest.
double line_minimum(const std::function<double(double)>& value, double low, double high, double pace,
                    int cuts);

}  // namespace emergence
