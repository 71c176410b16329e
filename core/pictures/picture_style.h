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

/// The samples in a plot's legend.
struct LegendStyle {
    TextStyle text;
    /// Of a sample.
    double width = 16.0;
    LineLook line, marked_line, dashed, thin;
    /// Radii of marks on a line and alone.
    double marker = 3.0, point = 3.0;
    /// How opaque the patch behind the line of a series with a band is; 0: none.
    double patch = 0.0;
    /// Of the line that stands for the highlighted seed.
    Ink note;
};

/// How plots look.
struct PlotStyle {
    /// Numbers of the axes; labels of lines and ranges; what the drawing leaves out.
    TextStyle tick, label, note;
    /// Under labels and the note.
    Ink label_ground, note_ground;
    /// Behind the data.
    Ink shade;
    Stroke grid, minor_grid;
    /// The axes: a frame, or two lines with ticks outside.
    Stroke axis;
    bool framed = false;
    double tick_length = 0.0, minor_tick_length = 0.0;
    /// From the axes to their numbers, and between two numbers of the x axis.
    double x_number_gap = 0.0, y_number_gap = 0.0, numbers_apart = 8.0;
    Stroke reference;
    /// Along the axes' edges, from a reference line to its label, and below the upper edge.
    double gap = 4.0, line_gap = 1.0, top_gap = 2.0;
    /// Labels of upright lines are read from below.
    bool turns_labels = false;
    /// Data moves: labels do not keep off it, and obstacles are where lines will probably go, too.
    bool live = false;
    /// Columns per length that lines are thinned to; and lines as obstacles.
    double columns = 1.0, obstacle_columns = 1.0;

    LineLook center, dashed, seed, raw, highlighted, bars;
    /// How opaque seeds are beside a highlighted one.
    double seeds_behind = 0.25;
    /// How opaque bands and filled bars are.
    double band = 0.2, bar = 0.3;
    /// Radii of marks of measured points, of a point alone, of marks here and there; and the room that they need.
    double marker = 3.0, dot = 3.0, sparse_marker = 4.0;
    double markers_apart = 9.0, sparse_apart = 84.0;
    /// Chevrons where a line leaves a cut axis: half their width, below the edge, their line, from one to the next.
    double exit = 5.0, exit_gap = 2.0, exit_line = 2.0, exits_apart = 40.0;
    /// What the line under the pointer is thicker by.
    double emphasis = 1.0;
    LegendStyle legend;
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
    PlotStyle plot;

    /// How names are spelled, and numbers of axes.
    std::string (*spelled)(std::string_view) = [](std::string_view name) { return std::string(name); };
    std::string (*number)(std::string_view) = [](std::string_view digits) { return std::string(digits); };

    double snapped(double coordinate) const { return snap ? std::round(coordinate) : coordinate; }
};

}  // namespace emergence
