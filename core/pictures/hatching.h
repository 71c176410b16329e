#pragma once
// Blocks of a matrix in which nothing ever happens are drawn hatched, in the window as on paper.

#include <vector>

#include "core/pictures/figure_spec.h"

namespace emergence {

/// Rows first_row .. last_row - 1 and columns likewise.
struct CellRange {
    int first_row = 0, last_row = 0, first_column = 0, last_column = 0;
    bool operator==(const CellRange&) const = default;
};

/// The blocks whose meaning says that they are hatched.
std::vector<CellRange> hatched_blocks(const HeatmapSpec& heatmap);

/// The strokes of a rectangle's hatching, from the lower left to the upper right where y points downwards.
/// They lie on x + y = k spacing, so that those of neighbours meet.
struct HatchStroke {
    DrawnPlace from, to;
};
std::vector<HatchStroke> hatch_strokes(double left, double top, double right, double bottom, double spacing);

}  // namespace emergence
