#pragma once
// Places labels near their wanted positions without overlap.

#include <vector>

namespace emergence {

/// Start positions for intervals of the given `extents` near their `centers` (ascending), inside [0, length] and at
/// least `gap` apart. If they cannot all fit, each keeps its centre, and those that would overlap an earlier one are
/// NaN (left out).
std::vector<double> place_side_by_side(const std::vector<double>& centers, const std::vector<double>& extents,
                                       double length, double gap);

}  // namespace emergence
