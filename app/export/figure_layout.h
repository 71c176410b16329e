#pragma once
// A figure's cells on their grid.

#include <memory>

#include "app/export/cell_picture.h"
#include "core/pictures/figure_spec.h"

namespace emergence::page {

/// A cell's picture in `rect`. All arguments must outlive it.
std::unique_ptr<CellPicture> picture_of(const FigureCell& cell, const Rect& rect, const Style& style,
                                        const TextMeter& meter);

/// The largest scale, at most `wanted`, at which every cell of a figure on its own page has room for its text.
double fitting_scale(const FigureSpec& figure, const Rect& grid, double wanted);

/// Draws the cells of `figure` into `grid`. Plots that share a side of the grid have their axes aligned
/// there.
void draw_cells(Canvas& canvas, const FigureSpec& figure, const Rect& grid, const Style& style, const TextMeter& meter);

}  // namespace emergence::page
