#pragma once
// A straight line through points, by least squares.

#include <vector>

namespace emergence {

struct LineFit {
    int count = 0;             // points whose x and y are both finite
    double slope = 0.0;        // NaN with fewer than two different x
    double correlation = 0.0;  // Pearson's; NaN where x or y does not vary
};
/// x and y are equally long.
LineFit fit_line(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace emergence
