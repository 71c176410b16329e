#pragma once
// A figure's cells on their grid.

#include "app/export/canvas.h"
#include "core/pictures/figure_spec.h"

namespace emergence::page {

/// The largest scale, at most `wanted`, at which every cell of `figure` has room for its text. small_matrices: square
/// matrices may be small beside their text.
double fitting_scale(const FigureSpec& figure, const Rect& grid, double wanted, bool small_matrices);

/// Draws the cells of `figure` into `grid`. Plots that share a side of the grid have their axes aligned
/// there.
void draw_cells(Canvas& canvas, const FigureSpec& figure, const Rect& grid, const Style& style,
                const TextMeter& meter);

}  // namespace emergence::page
