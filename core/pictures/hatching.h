#pragma once
// Hatching of the blocks of a matrix that never change, for the window and for paper.

#include <vector>

#include "core/pictures/figure_spec.h"

namespace emergence {

/// Rows first_row .. last_row - 1 and columns first_column .. last_column - 1.
struct CellRange {
    int first_row = 0, last_row = 0, first_column = 0, last_column = 0;
    bool operator==(const CellRange&) const = default;
};

/// The cells of a block, by its places among the row and column blocks.
CellRange cells_of(const HeatmapSpec& heatmap, int row_block, int column_block);
/// The blocks whose BlockMeaning is hatched.
std::vector<CellRange> hatched_blocks(const HeatmapSpec& heatmap);

struct HatchStroke {
    Point from, to;
};
/// The strokes of a rectangle's hatching, from lower left to upper right (y downwards). They lie on the lines
///
///     x + y = k spacing,    k whole,
///
/// so that the strokes of neighbouring rectangles meet. Empty if the rectangle or `spacing` is.
std::vector<HatchStroke> hatch_strokes(const Rect& rect, double spacing);

}  // namespace emergence
