#pragma once
// The cells of a matrix: which are seen, which never change and are hatched, where their colours end; how several
// matrices share a room; and the parts of a heatmap besides its cells.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/pictures/figure_spec.h"
#include "core/pictures/pen.h"

namespace emergence {

/// A block by its places among the row and the column blocks.
struct BlockPosition {
    int row_block = 0, column_block = 0;
    bool operator==(const BlockPosition&) const = default;
};
/// Which block a cell lies in; none if the matrix has no blocks there.
std::optional<BlockPosition> block_at(const HeatmapSpec& spec, CellPosition cell);

/// The block in which an index lies: its place among the blocks, where it begins and how long it is.
struct BlockRange {
    int block = 0, first = 0, size = 0;
};
/// None if the blocks end before `index`.
std::optional<BlockRange> block_range(const std::vector<Block>& blocks, int index);

/// Rows first_row .. last_row - 1 and columns first_column .. last_column - 1.
struct CellRange {
    int first_row = 0, last_row = 0, first_column = 0, last_column = 0;
    bool operator==(const CellRange&) const = default;
};

/// The cells of a block, by its places among the row and column blocks.
CellRange cells_of(const HeatmapSpec& heatmap, int row_block, int column_block);
/// The blocks whose BlockMeaning is hatched.
std::vector<CellRange> hatched_blocks(const HeatmapSpec& heatmap);

/// The strokes of a rectangle's hatching, from lower left to upper right (y downwards). They lie on the lines
///
///     x + y = k spacing,    k whole,
///
/// so that the strokes of neighbouring rectangles meet. Empty if the rectangle or `spacing` is.
std::vector<Segment> hatch_strokes(const Rect& rect, double spacing);

/// A window of 1/factor of the matrix' width and height, its upper left corner at (left, top); both are
/// shares of the matrix, 0..1. Matrices of equal shape may share one.
struct MatrixZoom {
    double factor = 1.0;
    double left = 0.0, top = 0.0;

    bool zoomed() const { return factor > 1.0; }
    /// Enlarges by `by`, up to `largest`. What lies at (x, y) stays where it is.
    void zoom(double by, double x, double y, double largest);
    /// Moves the matrix by shares of itself, never beyond its edge.
    void pan(double dx, double dy);
    void fit() { *this = {}; }
    bool operator==(const MatrixZoom&) const = default;
};

/// The factor at which about four cells of the shorter side fill the picture; 1 for smaller matrices.
double largest_zoom(int rows, int columns);

struct ColorLimits {
    enum class Rule {
        automatic,  // the largest |entry|; 1 for scaled matrices
        manual,
    };
    Rule rule = Rule::automatic;
    double manual = 1.0;  // above 0
    bool operator==(const ColorLimits&) const = default;
};

inline bool same_size(const Table& a, const Table& b) { return a.rows == b.rows && a.columns == b.columns; }
/// The largest finite |entry|; 0 if none is finite.
double largest_entry(const Table& table);

/// The range of a limit set by hand.
inline constexpr double kSmallestLimit = 1e-9, kLargestLimit = 1e9;

/// Sets the limit of `heatmap` by the rule; one set by hand is added to the heatmap's note. The limit must hold the
/// automatic one before. A limit of 0, or one that is not finite, becomes 1: colours need a range.
void apply_limits(HeatmapSpec& heatmap, const ColorLimits& limits);

/// The numbers of cells beyond the limit, above and below; missing cells do not count.
struct ClippedCells {
    int above = 0, below = 0;
};
ClippedCells clipped_cells(const HeatmapSpec& heatmap);

// How matrices share a room of the window or a page, so that their cells are as large as possible. Lengths are in
// pixels or points.

struct MatrixArrangement {
    int columns = 0;                   // pictures in a row; 0: nothing is arranged yet
    int rows = 0;                      // of pictures, the scrolled ones too
    bool stacked = false;              // a matrix's pictures lie below, not beside each other
    Size picture;                      // the size of one
    double cell = 0.0;                 // of the pictures if nothing had to be scrolled
    std::vector<CellPosition> places;  // where the first picture of each matrix stands, counted in pictures
};

/// The groups of matrices by their names: those that end with the same number, a layer's, belong together.
std::vector<int> groups_by_layer(const std::vector<std::string>& names);

struct ArrangementRoom {
    Size size;
    Size gap;    // between pictures
    Size least;  // size of a picture; where the room is too low for that, pictures pass it
};

/// The arrangement with the largest cells. pictures: how many pictures each matrix has, such as the learned one, run
/// B's and theory's. groups: a number for each matrix; neighbours with the same number, such as a layer's P and Q, stay
/// in one row if they fit. cell_of: the size of the cells in a picture of a given size. Keeps `present` unless another
/// arrangement has clearly larger cells, so matrices do not change places for a pixel.
MatrixArrangement arrange_matrices(const std::vector<int>& pictures, const std::vector<int>& groups,
                                   const ArrangementRoom& room, const std::function<double(Size)>& cell_of,
                                   const MatrixArrangement& present);

/// Large learned matrices with theory's small ones: where the first of each lies, and the step to the next one on its
/// grid.
struct TheoryPlace {
    int columns = 1, theory_columns = 1;
    Size learned, theory;  // of a picture
    Size step, theory_step;
    Point theory_at;     // of the first, from the room's corner
    bool below = false;  // it lies below what was learned, not beside it
    double cell = 0.0;   // of what was learned; 0: there is no room for both
};

/// The places at which the learned matrices of these groups have the largest cells, while the cells of theory's are at
/// least two fifths as large and its pictures at least `room.least`. Groups of equal size stay in one row. With
/// `each_own` theory's matrix lies beside or below each learned one; otherwise theory's matrices stand together.
TheoryPlace place_theory(const std::vector<int>& groups, bool each_own, const ArrangementRoom& room,
                         const std::function<double(Size)>& cell_of);

// Where cells lie, and the parts of a heatmap besides its cells. Each function draws only what a zoomed view shows.

/// Where the columns of a matrix lie from left to right, or its rows from top to bottom.
struct CellSide {
    double start = 0.0, length = 0.0;  // of the part that is seen
    /// The share of the matrix at which that part begins, and how many times as long the whole matrix is.
    double from = 0.0, factor = 1.0;
    int count = 1;
    bool snap = false;  // edges of cells lie on whole pixels

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
struct CellGrid {
    Rect seen;  // the rectangle of the whole matrix, or of the part that `zoom` shows
    MatrixZoom zoom;
    CellSide across, down;

    CellGrid() = default;
    CellGrid(const Table& values, const Rect& rect, const MatrixZoom& part = {}, bool snap = false)
        : seen(rect),
          zoom(part),
          across{rect.x, rect.width, part.left, part.factor, std::max(1, values.columns), snap},
          down{rect.y, rect.height, part.top, part.factor, std::max(1, values.rows), snap} {}

    /// The rows and columns that are seen at least in part.
    CellRange visible() const { return {down.first_seen(), down.last_seen(), across.first_seen(), across.last_seen()}; }
    /// The visible part of some cells; without width or height if none is visible.
    Rect seen_of(const CellRange& cells) const {
        const double left = across.seen(cells.first_column), top = down.seen(cells.first_row);
        return {left, top, across.seen(cells.last_column) - left, down.seen(cells.last_row) - top};
    }
};

/// Lines between blocks, and the frame.
void draw_borders(Pen& pen, const HeatmapSpec& spec, const CellGrid& place, const PictureStyle& style);
/// Draws strokes over the blocks that never change.
void draw_hatching(Pen& pen, const HeatmapSpec& spec, const CellGrid& place, const PictureStyle& style);
/// Draws each kind of mark in a lane of its own, so that none hides another.
void draw_cell_marks(Pen& pen, const HeatmapSpec& spec, const CellGrid& place, const PictureStyle& style);

/// The label of a block or of a number, beside the cells [first, last).
struct BlockLabel {
    std::vector<std::string> lines;
    int first = 0, last = 0;
};
/// The labels of the rows and of the columns: names of blocks, or numbers if the matrix has a word for them. Each has
/// one line.
std::vector<BlockLabel> row_labels(const HeatmapSpec& spec, const CellGrid& place, const PictureStyle& style);
std::vector<BlockLabel> column_labels(const HeatmapSpec& spec, const CellGrid& place, const PictureStyle& style);
/// Draws the labels beside the visible part of their cells. Labels without room are left out.
void draw_row_labels(Pen& pen, const std::vector<BlockLabel>& labels, const CellGrid& place, const PictureStyle& style);
/// `turned`: they are read from below.
void draw_column_labels(Pen& pen, const std::vector<BlockLabel>& labels, const CellGrid& place, bool turned,
                        const PictureStyle& style);

/// The colour of a value in units of the limit.
using CellColors = std::function<Rgb(double)>;
/// Draws the colour bar with its numbers, and an arrowhead at an end if cells lie beyond it. A bar that is wider than
/// high has its largest number at the right.
void draw_color_bar(Pen& pen, const HeatmapSpec& spec, const CellColors& colors, const Rect& bar,
                    const PictureStyle& style);

/// An entry as it stands in its cell: "−0.83", "12.3", "−416"; with more decimals where colours end at a small limit.
std::string cell_text(double value, double limit = 1.0);
/// The middle of a cell, if a text of this size fits into its visible part. A number that is cut off could be read as
/// another one.
std::optional<Point> number_place(const CellGrid& place, int row, int column, const Size& text);
/// Writes the entries into their cells, if these are large enough.
void draw_cell_numbers(Pen& pen, const HeatmapSpec& spec, const CellColors& colors, const CellGrid& place,
                       const PictureStyle& style);
/// The numbers at the ends of the colour bar, and in the middle of an upright one.
struct BarNumbers {
    std::string most, middle, least;
};
BarNumbers bar_numbers(const HeatmapSpec& spec);
/// "norm 8.25, at the start 0.5": as much of it as there is room for.
std::string norm_text(const HeatmapSpec& spec, const TextRuler& ruler, const TextStyle& text, double room);
/// The norm that fills the strip: at least twice the reference.
double norm_top(const HeatmapSpec& spec);
/// Draws a bar as long as the matrix' norm, with a mark at its norm at step 0. A scaled picture shows initial noise in
/// full colour; the strip tells noise from structure.
void draw_norm_strip(Pen& pen, const HeatmapSpec& spec, const Rect& strip, const PictureStyle& style);

}  // namespace emergence
