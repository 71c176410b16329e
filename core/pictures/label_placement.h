#pragma once
// Where labels go that would like to stand at their places and must not cover each other.

#include <vector>

namespace emergence {

/// Start positions for intervals of the given `extents` near their `centers` (ascending), inside [0, length]
/// and `gap` apart. Where they cannot all fit, those that would overlap an earlier one are NaN (left out).
std::vector<double> place_side_by_side(const std::vector<double>& centers, const std::vector<double>& extents,
                                       double length, double gap);

}  // namespace emergence
