#pragma once
// Where the colours of a matrix end.

#include <string>

#include "core/pictures/figure_spec.h"

namespace emergence {

struct ColorLimits {
    enum class Rule {
        automatic,   // the largest |entry|; 1 for scaled matrices
        percentile,  // the given percentage of all |entries| lies inside
        manual,
    };
    Rule rule = Rule::automatic;
    double percentile = 98.0;  // of |entries|, in 0..100
    double manual = 1.0;       // above 0
    bool operator==(const ColorLimits&) const = default;
};

/// The largest |entry|; missing (non-finite) ones do not count, 0 where there is none.
double largest_entry(const Table& table);
/// The percentile of the finite |entries|, interpolated linearly; 0 where there is none.
double magnitude_percentile(const Table& table, double percentile);

/// What a limit set by hand may be.
inline constexpr double kSmallestLimit = 1e-9, kLargestLimit = 1e9;

/// Sets the limit of `heatmap`, whose limit so far is the automatic one, by the rule, and says in its note
/// what was set. A limit that came out as 0 (or not finite) becomes 1: colours need a range.
void apply_limits(HeatmapSpec& heatmap, const ColorLimits& limits);

/// How many cells lie beyond the limit, above and below (missing ones do not count).
struct ClippedCells {
    int above = 0;
    int below = 0;
};
ClippedCells clipped_cells(const HeatmapSpec& heatmap);

}  // namespace emergence
