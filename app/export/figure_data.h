#pragma once
// Collects the numbers of a figure, so that others can redraw it.

#include <string>

#include "core/base/array.h"
#include "core/pictures/figure_spec.h"

namespace emergence {

/// The columns of figure_csv, and what each contains.
struct DataColumn {
    const char* name;
    const char* help;
};
inline constexpr DataColumn kDataColumns[] = {
    {"panel", "the plot's or matrix's name"},
    {"kind",
     "curve, line (a reference line), matrix, number (read off a drawing); of a point x half, y half (of its "
     "intervals), share (its ring) or words (in the column series)"},
    {"series", "the curve's, line's or number's name; empty for a matrix"},
    {"run", "which row of the curve, from 0; empty for lines and matrices"},
    {"seed", "the seed of that row, point or column; empty where it belongs to none"},
    {"x", "where on the x axis; empty for matrices and level lines"},
    {"row", "of the matrix, from 0"},
    {"column", "of the matrix, from 0"},
    {"value", "y, or the matrix's entry as it is drawn"},
};

/// Returns all numbers of the figure as one tidy table with one number per line and the columns above. Doubles have the
/// shortest form that reads back the same, and a missing value is nan.
std::string figure_csv(const FigureSpec& figure);

/// Returns the same as arrays: "PANEL/SERIES" (runs x points) with "PANEL/SERIES/x" (points), "PANEL" for a matrix,
/// "PANEL/NAME" for a number of a drawing, "seeds", and the settings as UTF-8 codes under "emergence-config". A second
/// array of the same name gets a number.
ArrayMap figure_arrays(const FigureSpec& figure);

}  // namespace emergence
