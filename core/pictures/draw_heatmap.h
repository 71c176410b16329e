#pragma once
// The parts of a heatmap besides its cells, and where cells lie. Each draws what is seen of a zoomed matrix.

#include <functional>
#include <optional>

#include "core/pictures/figure_spec.h"
#include "core/pictures/matrix_cells.h"
#include "core/pictures/pen.h"

namespace emergence {

/// Where the columns of a matrix lie from left to right, or its rows from top to bottom.
struct CellSide {
    /// Of what is seen.
    double start = 0.0, length = 0.0;
    /// The share of the matrix at which that begins, and how often the matrix is as long.
    double from = 0.0, factor = 1.0;
    int count = 1;
    /// Edges of cells lie on whole pixels.
    bool snap = false;

    /// The edge before a cell (or behind the last one).
    double at(int index) const {
        const double place = start + (static_cast<double>(index) / count - from) * length * factor;
        return snap ? std::round(place) : place;
    }
    double end() const { return start + length; }
    /// The cells that are seen at least in part: from the first to before the last.
    int first_seen() const { return static_cast<int>(from * count + 1e-9); }
    int last_seen() const { return std::min(count, static_cast<int>(std::ceil((from + 1.0 / factor) * count - 1e-9))); }
    double seen(int index) const { return std::clamp(at(index), start, end()); }
};

/// Where the rows and columns of a matrix lie.
class CellGrid {
  public:
    /// `seen`: the rectangle of the whole matrix, or of the part that `zoom` shows. Edges of cells lie on whole pixels
    /// if `snap`.
    CellGrid(const Table& values, const Rect& seen, const MatrixZoom& zoom = {}, bool snap = false)
        : seen_(seen),
          zoom_(zoom),
          across_{seen.x, seen.width, zoom.left, zoom.factor, std::max(1, values.columns), snap},
          down_{seen.y, seen.height, zoom.top, zoom.factor, std::max(1, values.rows), snap} {}
    CellGrid() = default;

    const Rect& seen() const { return seen_; }
    const MatrixZoom& zoom() const { return zoom_; }
    const CellSide& across() const { return across_; }
    const CellSide& down() const { return down_; }
    int rows() const { return down_.count; }
    int columns() const { return across_.count; }
    /// The left edge of a column and the upper edge of a row (either may be one past the last).
    double x_of(int column) const { return across_.at(column); }
    double y_of(int row) const { return down_.at(row); }
    /// The rows and columns that are seen at least in part.
    CellRange visible() const {
        return {down_.first_seen(), down_.last_seen(), across_.first_seen(), across_.last_seen()};
    }
    /// What is seen of some cells; no width or height if nothing.
    Rect seen_of(const CellRange& cells) const {
        const double left = across_.seen(cells.first_column), top = down_.seen(cells.first_row);
        return {left, top, across_.seen(cells.last_column) - left, down_.seen(cells.last_row) - top};
    }

  private:
    Rect seen_;
    MatrixZoom zoom_;
    CellSide across_, down_;
};

/// Lines between blocks, and the frame.
void draw_borders(Pen& pen, const HeatmapSpec& spec, const CellGrid& place, const PictureStyle& style);
/// Strokes over the blocks in which nothing ever happens.
void draw_hatching(Pen& pen, const HeatmapSpec& spec, const CellGrid& place, const PictureStyle& style);
/// Each kind of mark in its lane of the cells, so that none hides another.
void draw_cell_marks(Pen& pen, const HeatmapSpec& spec, const CellGrid& place, const PictureStyle& style);

/// The label of a block or of a number, beside the cells [first, last).
struct BlockLabel {
    std::vector<std::string> lines;
    int first = 0, last = 0;
};
/// The labels of the rows, and of the columns: of their blocks, or numbers if the matrix has a word for them. One line
/// each.
std::vector<BlockLabel> row_labels(const HeatmapSpec& spec, const CellGrid& place, const PictureStyle& style);
std::vector<BlockLabel> column_labels(const HeatmapSpec& spec, const CellGrid& place, const PictureStyle& style);
/// Draws them beside what is seen of their cells, side by side; those without room are left out.
void draw_row_labels(Pen& pen, const std::vector<BlockLabel>& labels, const CellGrid& place, const PictureStyle& style);
/// `turned`: they are read from below.
void draw_column_labels(Pen& pen, const std::vector<BlockLabel>& labels, const CellGrid& place, bool turned,
                        const PictureStyle& style);

/// The colour of a value in units of the limit.
using CellColors = std::function<Rgb(double)>;
/// The colour bar with its numbers, and with arrowheads at the ends beyond which cells lie. One that is wider than high
/// has its largest number at the right.
void draw_color_bar(Pen& pen, const HeatmapSpec& spec, const CellColors& colors, const Rect& bar,
                    const PictureStyle& style);

// Numbers.

/// An entry as it stands in its cell: "−0.83", "12.3", "−416"; with more decimals where colours end at a small limit.
std::string cell_text(double value, double limit = 1.0);
/// The middle of a cell, where a text of this size fits into what is seen of the cell: cut off, it could be read as
/// another number.
std::optional<Point> number_place(const CellGrid& place, int row, int column, const Size& text);
/// The entries themselves, if cells are large enough for them.
void draw_cell_numbers(Pen& pen, const HeatmapSpec& spec, const CellColors& colors, const CellGrid& place,
                       const PictureStyle& style);
/// At the ends of the colour bar, and in the middle of one that stands.
struct BarNumbers {
    std::string most, middle, least;
};
BarNumbers bar_numbers(const HeatmapSpec& spec);
/// "norm 8.25, at the start 0.5": as much of it as there is room for.
std::string norm_text(const HeatmapSpec& spec, const TextRuler& ruler, const TextStyle& text, double room);
/// The norm that fills the strip: at least twice the reference.
double norm_top(const HeatmapSpec& spec);
/// A thermometer of the matrix' length, standing or lying, with a mark where it started: a scaled picture shows initial
/// noise in full colour, this tells it apart.
void draw_norm_strip(Pen& pen, const HeatmapSpec& spec, double top, const Rect& strip, const PictureStyle& style);

}  // namespace emergence
