#pragma once
// How pictures look on their ground: paper or one of the window's themes. Lengths are in points or pixels.

#include <cmath>
#include <string>
#include <string_view>

#include "core/pictures/pen.h"

namespace emergence {

/// The look of one kind of line.
struct LineLook {
    double width = 1.0;
    double alpha = 1.0;
    /// Stroke::dash of those that are dashed.
    double dash = 0.0;

    Stroke stroke(const Ink& ink, bool dashed = false, int dashes = 0) const {
        return {ink.faded(alpha), width, dashed, dashes, dash};
    }
};

/// How matrices look.
struct MatrixStyle {
    /// Of block labels and of numbered rows and columns.
    TextStyle text;
    /// Between the cells and their labels: rows', columns' (to the baseline), and from column label to column label.
    double row_gap = 0.0, column_gap = 0.0, labels_apart = 0.0;
    /// Numbers beside counted rows or columns: at most so many, and the length that one takes.
    int most_numbers = 6;
    double number_height = 0.0, number_width = 0.0;
    /// Around the matrix, between its blocks, around the colour bar.
    Stroke frame, border, bar;
    Stroke hatching;
    double hatch_spacing = 5.0;
    /// Marks of cells: the largest one, the smallest with a shape.
    double mark_radius = 3.0, least_mark = 1.2;
    /// The thickness of an edge: its share of the cell's lane, between two lengths.
    double edge_share = 0.2, least_edge = 0.0, most_edge = 1e9;
};

struct PictureStyle {
    Theme theme = Theme::light;
    /// A length of the design in points or pixels.
    double unit = 1.0;
    /// Lines along the axes lie on whole pixels.
    bool snap = false;

    /// Text and axes; notes and captions.
    Ink ink, faint;
    /// The smallest text in a drawing.
    TextStyle label;
    /// Lines of drawings.
    LineLook shape;
    MatrixStyle matrix;

    /// How names are spelled.
    std::string (*spelled)(std::string_view) = [](std::string_view name) { return std::string(name); };

    double snapped(double coordinate) const { return snap ? std::round(coordinate) : coordinate; }
};

}  // namespace emergence
