#pragma once
// What is to be drawn, without saying with what: the window's plot and heatmap widgets and the Cairo exporter
// read the same specifications, so that a panel and its exported file can never disagree.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/types.h"
#include "core/pictures/drawing.h"
#include "core/pictures/palette.h"

namespace emergence {

enum class Scale { linear, logarithmic };

struct AxisSpec {
    std::string label;
    std::string unit;  // shown in brackets; "" where there is none
    Scale scale = Scale::linear;
    std::optional<double> minimum = {};  // fitted to the data where absent
    std::optional<double> maximum = {};
    std::optional<double> cut =
        {};              // a fitted range ends here at the latest: beyond it nothing else could be read
    bool whole = false;  // counts: no tick between two whole numbers
    std::vector<double> ticks = {};  // the values that are labelled, ascending; round ones where empty
};

/// A curve over seeds. Missing values are NaN; rows that are all NaN belong to seeds without data.
struct Series {
    std::string name;
    std::vector<double> x;
    std::vector<std::vector<double>> rows;  // one a seed, each as long as x
    int color = 0;                          // index into the categorical palette
    bool dashed = false;  // references (theory, a classical algorithm) are dashed; a scatter's marks open
    bool hidden = false;  // not drawn, and without a say in fitted ranges
    bool bars = false;    // x are edges of bins: a bar of height row[i] from x[i] to x[i + 1], the last row
                          // entry unused
    bool points = false;  // a scatter: marks at (x[i], rows[0][i]), in any order, and no line. Has one row
};

struct ReferenceLine {
    std::string label;
    double value = 0.0;
    bool vertical = false;
};

/// A stretch of the x axis that means something: the range a network was trained on, say.
struct ShadedRange {
    std::string label;
    double from = 0.0;
    double to = 0.0;
};

/// How a series over seeds is drawn.
enum class Spread {
    standard_error,  // mean, with a band of one standard error
    deviation,       // mean, with a band of one standard deviation
    median,          // median, with a band from the 25 % to the 75 % quantile
    every_seed,      // one thin line a seed, the mean thick
};

struct PlotSpec {
    std::string id;  // stable name, for the window's state and for file names
    std::string title;
    AxisSpec x;
    AxisSpec y;
    std::vector<Series> series;
    std::vector<ReferenceLine> lines;
    Spread spread = Spread::standard_error;
    double smoothing =
        0.0;  // weight of the past in each seed's smoothed line, 0 (off) .. below 1, see smoothed()
    int highlighted_seed = -1;      // its row is drawn as a line of its own; -1: none
    std::vector<uint64_t> seeds;    // of the rows, where they are known
    std::string row_word = "seed";  // what a row is
    bool markers = true;            // on measured points, where there is room between them
    bool sparse_markers = false;    // where there is no room, on one point in so many: colour is then not
                                    // all that tells lines apart. Dashed lines have open ones
    std::string readout;            // the numbers that matter just now, one line; "" where there are none
    std::string note;               // help text: what is drawn and whose definition it is
    std::vector<ShadedRange> shaded = {};  // behind everything; without a say in fitted ranges
    bool leads = false;  // what somebody has asked for: stands before all other plots, and a run leaves it as
                         // a file
};

/// A run of rows or columns of a matrix with a common meaning, e.g. {"phi", 4}.
struct Block {
    std::string label;
    int size = 0;
    bool operator==(const Block&) const = default;
};

/// What a block of a matrix means, e.g. rows 0, columns 1: "+I times a step size: the bootstrapped value".
struct BlockMeaning {
    int row_block = 0;  // index into the row blocks
    int column_block = 0;
    std::string text;
    bool hatched = false;  // nothing ever happens in it: drawn so
    bool operator==(const BlockMeaning&) const = default;
};

/// Cells of a matrix that somebody or something has chosen: the arms an algorithm pulled, say.
struct CellMarks {
    struct Cell {
        int row = 0;
        int column = 0;
        bool operator==(const Cell&) const = default;
    };
    std::string name;  // for legend and read-out
    int color = 0;     // index into the categorical palette
    std::vector<Cell> cells;
    bool edge = false;  // a thin line at the cell's lower edge, which leaves its colour to be read
    bool operator==(const CellMarks&) const = default;
};

/// A matrix as coloured cells. Colours are symmetric about zero, -limit .. +limit, or for magnitudes 0 ..
/// limit; what lies beyond is drawn in the last colour.
struct HeatmapSpec {
    std::string id;
    std::string title;
    Table values;
    std::vector<Block> row_blocks;
    std::vector<Block> column_blocks;
    double limit = 1.0;
    std::optional<double>
        norm;  // Frobenius norm before scaling, drawn as a strip; the reference length is norm_reference
    double norm_reference = 0.0;
    std::string note;         // what was done to the numbers: aligned, averaged, scaled
    bool magnitudes = false;  // values are at least 0 and drawn with a sequential map
    std::string color_map;    // ColorMap::name; the default of its kind where it is "" or unknown
    std::string unit;         // what the values are: "scaled", "raw", "scaled, minus theory"
    Table raw;                // before scaling, subtracting and taking magnitudes; empty for theory's own
    double largest = 0.0;     // largest |raw|, by which scaled ones are divided; 0 where there is none
    std::vector<BlockMeaning> meanings;  // what theory expects in the blocks that it uses
    std::vector<CellMarks> marks = {};   // in the order of the legend
    bool free_aspect = false;  // cells are as wide and as high as there is room; else they are square
    std::string row_word = {}, column_word = {};  // see NamedMatrix
};

/// The map that the cells are drawn with: the one it names where there is such a one for its kind of values,
/// else the default of that kind.
const ColorMap& color_map_of(const HeatmapSpec& heatmap);

struct FigureCell {
    std::variant<PlotSpec, HeatmapSpec, DrawingSpec> content;
    int row = 0;
    int column = 0;
    int row_span = 1;
    int column_span = 1;
};

/// A whole figure: cells on a grid, with a caption that carries config, seeds, version and how many runs were
/// looked at.
struct FigureSpec {
    std::string name;  // "wang-2", also the file name's stem
    std::string title;
    std::string caption;
    std::vector<double> column_weights;  // relative widths; as many as there are columns
    std::vector<double> row_weights;     // relative heights
    double width_inches = 10.0;
    double height_inches = 5.0;
    std::vector<FigureCell> cells;
    std::vector<uint64_t> seeds;  // of the rows of its series, where those are seeds
    std::string config;           // the run's settings and step as TOML, embedded in the file
};

/// Mean, standard deviation (of a sample), standard error of the mean (both 0 for one entry) and quartiles.
/// Without any entry all are NaN.
struct Summary {
    int count = 0;
    double mean = 0.0, deviation = 0.0, standard_error = 0.0;
    double median = 0.0, lower_quartile = 0.0, upper_quartile = 0.0;
};
/// Over the finite entries of one column of `rows`; a row that is too short has none there.
Summary summarise(const std::vector<std::vector<double>>& rows, size_t column);
/// Over finite `values`, which are sorted where quartiles are wanted; otherwise those are NaN.
Summary summarise(std::vector<double>& values, bool quartiles);
/// The finite entries of one column of `rows`, into `values`.
void gather_column(const std::vector<std::vector<double>>& rows, size_t column, std::vector<double>& values);

}  // namespace emergence
