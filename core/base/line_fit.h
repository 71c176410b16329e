#pragma once
// A straight line through points, by least squares.

#include <vector>

namespace emergence {

struct LineFit {
    /// The number of points whose x and y are both finite.
    int count = 0;
    /// NaN with fewer than two different x.
    double slope = 0.0;
    /// Pearson's correlation; NaN if x or y does not vary.
    double correlation = 0.0;
};
/// The least-squares line through the points (x[i], y[i]) whose coordinates are both finite.
/// x, y: of the same length.
LineFit fit_line(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace emergence
