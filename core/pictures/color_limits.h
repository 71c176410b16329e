#pragma once
// The limits of a matrix' colours.

#include <string>

#include "core/pictures/figure_spec.h"

namespace emergence {

struct ColorLimits {
    enum class Rule {
        /// The largest |entry|; 1 for scaled matrices.
        automatic,
        /// The given percentage of all |entries| lies inside.
        percentile,
        manual,
    };
    Rule rule = Rule::automatic;
    double percentile = 98.0;  // of |entries|, in 0..100
    double manual = 1.0;       // above 0
    bool operator==(const ColorLimits&) const = default;
};

/// The largest finite |entry|; 0 if none is finite.
double largest_entry(const Table& table);
/// The percentile (0..100) of the finite |entries|, interpolated linearly; 0 if none is finite.
double magnitude_percentile(const Table& table, double percentile);

/// The range of a limit set by hand.
inline constexpr double kSmallestLimit = 1e-9, kLargestLimit = 1e9;

/// Sets the limit of `heatmap` by the rule and adds it to the heatmap's note. The limit must hold the automatic one
/// before. A limit of 0, or one that is not finite, becomes 1: colours need a range.
void apply_limits(HeatmapSpec& heatmap, const ColorLimits& limits);

/// The numbers of cells beyond the limit, above and below; missing cells do not count.
struct ClippedCells {
    int above = 0;
    int below = 0;
};
ClippedCells clipped_cells(const HeatmapSpec& heatmap);

}  // namespace emergence
