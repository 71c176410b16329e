#pragma once
// Pictures in words: the axes, the course of each line, the largest cells. Made from the data that are drawn,
// for people who cannot see the picture and for texts.

#include <optional>
#include <string>
#include <vector>

#include "core/pictures/axis.h"
#include "core/pictures/draw_plot.h"
#include "core/pictures/figure_spec.h"
#include "core/pictures/matrix_cells.h"

namespace emergence {

struct Description {
    std::string id;  // the picture's; "" for a whole figure or run
    std::string title;
    std::vector<std::string> sentences;
};

/// Axes and their ranges; how each line begins, runs and ends, with its extremes; their order at the right end; marks,
/// bars and reference lines.
Description describe(const PlotSpec& plot);

/// Size and blocks, the largest entries, the diagonals of blocks; with `theory`, theory's matrix of the same size: the
/// distance from it and the blocks that agree.
Description describe(const HeatmapSpec& heatmap, const HeatmapSpec* theory = nullptr);

/// Its read-out, its numbers, its labels and its note.
Description describe(const DrawingSpec& drawing);

/// The heatmaps in their order, each beside theory's of the same matrix, which gets no description of its own. Ids are
/// the matrix' name, alone or with "learned", "B" or "theory" behind it, as heatmap_of() and the window write them.
std::vector<Description> describe(const std::vector<HeatmapSpec>& heatmaps);

/// A whole figure: its title and caption first, then its cells.
std::vector<Description> describe(const FigureSpec& figure);

/// A number with three digits, or with all before the point.
std::string spoken(double value);

/// Titles and sentences, a line each, with an empty line between two pictures.
std::string text_of(const std::vector<Description>& descriptions);

/// Which block an index falls into, in words: "R", or "phi, 3 of 4" where the block is longer than one.
std::string block_text(const std::vector<Block>& blocks, int index);

/// A block in which the learned matrix differs from theory's, each divided by its largest entry.
struct Departure {
    BlockPosition block;
    /// The Frobenius norm of the difference over the root of the shorter side: c if a diagonal is off by c.
    double size = 0.0;
    /// "part of the target's gradient, which TD leaves out", "bootstrapping at 0.6 of theory's".
    std::string what;
    std::string measured;  // "0.42 on the diagonal, theory 0"
};
/// A block departs from the first size on. If it departed before, it still does down to the second, so texts do not
/// flicker.
inline constexpr double kDeparts = 0.15, kStillDeparts = 0.12;
/// The departures of all blocks, the largest first. None if the matrices differ in size or one of them is 0.
std::vector<Departure> departures(const HeatmapSpec& learned, const HeatmapSpec& theory);
/// "γφ' by φ"
std::string block_name(const HeatmapSpec& spec, BlockPosition block);

struct CellReading {
    std::string value;                 // as shown: "-0.83"
    std::string unit;                  // "scaled"
    std::string others;                // "raw -4.6, theory -1"
    std::string row, column;           // "row 3: phi, 3 of 4"
    std::vector<std::string> remarks;  // theory's expectation, whether its colour is clipped
};

/// `companion`, named "theory" or "learned", is another picture of the same cells. It may be null, and is ignored if
/// its size differs.
CellReading read_cell(const HeatmapSpec& spec, CellPosition cell, const HeatmapSpec* companion,
                      const std::string& companion_name);

struct NearestPoint {
    size_t series = 0;
    std::optional<size_t> seed;  // if it lies on the line of a seed
    double x = 0.0, y = 0.0;
    double distance = 0.0;  // pixels
};

struct PlotReading {
    double x = 0.0;                       // a measured one; in a histogram, that of the pointer
    std::vector<double> values;           // of each series at that x; NaN if it has none
    std::optional<NearestPoint> nearest;  // if one is near
};

/// What lies at the pointer; nullopt if there is no data. The x is that of the nearest point within `reach`, otherwise
/// the nearest measured one.
std::optional<PlotReading> read_at(const PlotSpec& spec, const std::vector<SeriesShape>& shapes, const PlotPlace& place,
                                   Point pointer, double reach);
/// The values of all series at the measured x that is nearest to `x`.
PlotReading read_at_x(const PlotSpec& spec, const std::vector<SeriesShape>& shapes, double x);

/// The value of a series there: "0.93 ± 0.01".
std::string reading_text(const PlotSpec& spec, size_t series, const SeriesShape& shape, const PlotReading& reading);
/// The x, or "not determined" if the point has none.
std::string reading_of_x(const PlotSpec& spec, const std::vector<SeriesShape>& shapes, const PlotReading& reading);

}  // namespace emergence
