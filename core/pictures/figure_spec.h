#pragma once
// Figures as data. The window's plot and heatmap widgets and the Cairo exporter read the same specifications, so that a
// panel and its exported file can never disagree.

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/array.h"
#include "core/pictures/drawing.h"
#include "core/pictures/pen.h"

namespace emergence {

enum class Scale { linear, logarithmic };

struct AxisSpec {
    std::string label;
    std::string unit;  // shown in brackets; "" if none
    Scale scale = Scale::linear;
    std::optional<double> minimum = {};  // fitted to the data if absent
    std::optional<double> maximum = {};
    /// The largest upper end of a fitted range, so that one large value does not hide the others.
    std::optional<double> cut = {};
    bool whole = false;  // the axis shows counts: no tick between two whole numbers
    /// The values that get labels, ascending. If the list is empty, round values get them.
    std::vector<double> ticks = {};
    std::optional<double> largest = {};  // the largest value, if outliers are the reason for the cut
};

/// What a scatter shows of its points besides their places. Each list is empty or has an entry per point.
struct PointDetails {
    /// Half the intervals along x and y, and their correlation, drawn as an ellipse. An infinite half means that the
    /// coordinate is not known: a bar crosses the plot instead of a mark.
    std::vector<double> half_x, half_y, tilt;
    std::vector<double> ring;         // a share, 0 to 1, drawn as the area of a ring around the point
    std::vector<std::string> labels;  // the texts beside the points
    std::vector<std::string> words;   // what the read-out says of a point under the pointer

    bool knows_x(size_t i) const { return i >= half_x.size() || !std::isinf(half_x[i]); }
    bool knows_y(size_t i) const { return i >= half_y.size() || !std::isinf(half_y[i]); }
};

/// A curve over seeds. Missing values are NaN; a row of NaN belongs to a seed without data.
struct Series {
    std::string name;
    std::vector<double> x;
    std::vector<std::vector<double>> rows;  // one per seed, each as long as x
    int color = 0;                          // index into the categorical palette
    /// Marks references, such as theory or a classical algorithm. A dashed scatter has open marks.
    bool dashed = false;
    bool hidden = false;  // not drawn; fitted ranges ignore it
    bool share = false;   // the rows are 0 or 1: their mean is a share, whose band is Wilson's 95 % interval
    /// x are edges of bins: a bar of height row[i] from x[i] to x[i + 1]; the last entry of a row is unused.
    bool bars = false;
    bool points = false;  // A scatter: marks at (x[i], rows[0][i]), in any order, without a line. It has one row.
    /// The seed of each point, if the points of a scatter are seeds; the one seed of a trail.
    std::vector<uint64_t> seeds = {};
    PointDetails details = {};
    /// A thin line that leads to a seed's point. The legend, the pointer and fitted ranges ignore it.
    bool trail = false;
};

struct ReferenceLine {
    std::string label;
    double value = 0.0;
    bool vertical = false;
};

/// A shaded range of the x axis, e.g. the range that a network was trained on.
struct ShadedRange {
    std::string label;
    double from = 0.0, to = 0.0;
};

/// The statistics with which a plot draws a series over seeds.
enum class Spread {
    standard_error,  // mean, with a band of one standard error
    deviation,       // mean, with a band of one standard deviation
    median,          // median, with a band from the 25 % to the 75 % quantile
    every_seed,      // one thin line per seed and a thick mean
};

struct PlotSpec {
    std::string id;  // a stable name, for the window's state and for file names
    std::string title;
    AxisSpec x, y;
    std::vector<Series> series;
    std::vector<ReferenceLine> lines;
    Spread spread = Spread::standard_error;
    /// The weight of the past in each seed's smoothed line, from 0 (off) to below 1; see smoothed().
    double smoothing = 0.0;
    int highlighted_seed = -1;    // the index of the row that gets its own line; -1: none
    std::vector<uint64_t> seeds;  // the seeds of the rows, if known
    std::string row_word = "seed";
    bool markers = true;  // marks measured points if there is room between them
    /// If there is no room, marks every k-th point, so that lines differ in more than colour. Dashed lines have open
    /// marks.
    bool sparse_markers = false;
    std::string readout;                   // the present numbers that matter, in one line; "" if none
    std::string note;                      // help text: the meaning of the plot and the source of the definition
    std::vector<ShadedRange> shaded = {};  // drawn behind everything; fitted ranges ignore them
    bool leads = false;  // the user asked for this plot: it precedes all others, and a run writes it as a file
};

/// Consecutive rows or columns of a matrix with a common meaning, e.g. {"phi", 4}.
struct Block {
    std::string label;
    int size = 0;
    bool operator==(const Block&) const = default;
};

/// The meaning of a block of a matrix, e.g. rows 0, columns 1: "+I times a step size: the bootstrapped value".
struct BlockMeaning {
    int row_block = 0, column_block = 0;  // indices into the row and column blocks
    std::string text;
    bool hatched = false;  // the block never changes; it is drawn hatched
    /// In a few words what the block carries in theory ("bootstrapping"), or what its entries would do if theory has
    /// none there. `text` may then be "".
    std::string brief = {};
};

struct CellPosition {
    int row = 0, column = 0;
    bool operator==(const CellPosition&) const = default;
};

/// Marked cells of a matrix, e.g. the arms that an algorithm pulled.
struct CellMarks {
    using Cell = CellPosition;
    std::string name;  // for the legend and the read-out
    int color = 0;     // index into the categorical palette
    std::vector<Cell> cells;
    /// Marks only the lower edge of the cell, with a thin line, so that its colour stays visible.
    bool edge = false;
    bool chosen = true;  // the name says who chose the cells; otherwise it says what they have in common
    bool operator==(const CellMarks&) const = default;
};

/// What surrounds a matrix's cells, and is drawn on them.
struct MatrixFrame {
    std::vector<Block> row_blocks, column_blocks;
    std::vector<BlockMeaning> meanings;  // theory's expectation for the blocks that it uses
    std::vector<CellMarks> marks = {};   // in the order of the legend
    bool free_aspect = false;            // cells fill the room; otherwise they are square
    /// The words for a row and a column, "arm", "round", whose labels are then numbers from 1. "": the labels are the
    /// names of blocks.
    std::string row_word = {}, column_word = {};
};

/// A matrix as coloured cells. Colours span -limit .. +limit, or 0 .. limit for magnitudes; values beyond take the last
/// colour.
struct HeatmapSpec : MatrixFrame {
    std::string id, title;
    Table values;
    double limit = 1.0;
    /// The Frobenius norm before scaling, drawn as a strip whose reference length is norm_reference.
    std::optional<double> norm;
    double norm_reference = 0.0;
    std::string note;         // the treatment of the numbers: aligned, averaged, scaled
    bool magnitudes = false;  // values are at least 0 and drawn with a sequential map
    std::string unit;         // the unit of the values: "scaled", "raw", "scaled, minus theory"
    Table raw;                // the values before scaling, subtracting and taking magnitudes; empty for theory's matrix
    double largest = 0.0;     // the largest |raw|, by which scaled values are divided; 0 if none
    std::vector<uint64_t> seeds = {};  // one per column, if the columns are seeds
    std::string short_title = {};      // where the title has no room; "" keeps the title
};

/// A heatmap of numbers that are no weights: `raw`, `largest` and `limit` follow from them, 1 if all are 0.
HeatmapSpec plain_heatmap(std::string id, std::string title, Table values);

const ColorMap& color_map_of(const HeatmapSpec& heatmap);

struct FigureCell {
    std::variant<PlotSpec, HeatmapSpec, DrawingSpec> content;
    int row = 0, column = 0;
    int row_span = 1, column_span = 1;
};

/// A whole figure: cells on a grid, with a caption that gives settings, seeds, version and the number of runs.
struct FigureSpec {
    std::string name;  // "wang-2", also the stem of the file name
    std::string title, caption;
    std::vector<double> column_weights, row_weights;  // relative widths, one per column, and relative heights
    double width_inches = 10.0, height_inches = 5.0;
    std::vector<FigureCell> cells;
    std::vector<uint64_t> seeds;  // the seeds of the rows of its series, if the rows are seeds
    std::string config;           // the run's settings and step as TOML, embedded in the file
};

/// Mean, sample standard deviation and standard error of the mean (both NaN for one entry), and quartiles. All are NaN
/// if there is no entry.
///
///     deviation^2    = sum (x - mean)^2 / (count - 1)
///     standard_error = deviation / sqrt(count)
struct Summary {
    int count = 0;
    double mean = 0.0, deviation = 0.0, standard_error = 0.0;
    double median = 0.0, lower_quartile = 0.0, upper_quartile = 0.0;
};
/// " \u00b1 0.12", the standard error in this many digits; "" if it is not known.
std::string plus_minus(const Summary& summary, int digits = 2);
/// The summary of the finite entries of one column of `rows`; a row that is too short has none there.
Summary summarise(const std::vector<std::vector<double>>& rows, size_t column);
/// The summary of finite `values`. Sorts them if `quartiles`; otherwise the quartiles are NaN.
Summary summarise(std::vector<double>& values, bool quartiles);
/// The p-quantile of ascending values, interpolated linearly between neighbours (NumPy's default).
double quantile(const std::vector<double>& sorted, double p);
/// Puts the finite entries of one column of `rows` into `values`.
void gather_column(const std::vector<std::vector<double>>& rows, size_t column, std::vector<double>& values);

// A drawn piece of the world that a run learns from: one moment, or many that the window plays in order, with plots
// over them. An experiment puts its scenes into the Snapshot; window and exporter need nothing else.

struct Scene {
    std::string id, title;
    std::string note;  // help text: the meaning of the drawing and the source of the definition
    /// At least one. They are independent of training: a run's snapshots share them.
    std::shared_ptr<const std::vector<DrawingSpec>> moments;
    double first_time = 0.0;          // the time of moments[0] on the plots' x axis; the next one is 1 later
    double moments_per_second = 0.0;  // the playing speed; 0 for a single moment
    std::vector<PlotSpec> plots;      // plots over time
    /// The height of its panel below the curves, in the lengths of the window's design; 0: the usual height.
    double height = 0.0;
    std::string chosen_by;  // the live whole-number field that selects the scene; "" if none
};

struct SceneMoment {
    DrawingSpec drawing;
    std::vector<PlotSpec> plots;  // with a line at the moment, if the scene has several
};
/// The moment with index `moment`, counted from 0, or the last one if there are fewer. Throws InvariantError if the
/// scene has no moment.
SceneMoment moment_of(const Scene& scene, size_t moment);

/// The index of the middle moment, which a file shows unless the user has chosen one.
size_t typical_moment(const Scene& scene);

/// A figure with the drawing on the left and its plots on the right.
FigureSpec scene_figure(const SceneMoment& moment);

// An update rule, term by term. Each term names the blocks of the matrices that carry it out.

/// A block of a matrix: the matrix' name, and the indices of its row and column block.
struct BlockReference {
    std::string matrix;
    int row_block = 0, column_block = 0;
    bool operator==(const BlockReference&) const = default;
};

struct FormulaTerm {
    /// "w_{l+1}", "phi'_j", "w^T": one character or a braced group after _ or ^, Greek spelled out.
    std::string text;
    std::string meaning;                 // a sentence; "" for signs and brackets
    std::vector<BlockReference> blocks;  // the blocks that carry the term out
    bool operator==(const FormulaTerm&) const = default;
};

struct Formula {
    std::string name;  // "batch TD"
    std::vector<FormulaTerm> terms;
    std::string note;
    bool operator==(const Formula&) const = default;
};

/// Splits a formula that is written in one line into terms. A text of `known` becomes its term, the longest one if
/// several match; every other word is a sign or a bracket.
///     written("w_1 = alpha/n sum_j R_j phi_j", {{"R_j", "The reward.", {{"P", 2, 2}}}, {"w_1", "The weights.", {}}, ..})
inline std::vector<FormulaTerm> written(std::string_view line, const std::vector<FormulaTerm>& known) {
    std::vector<FormulaTerm> terms;
    while (!line.empty()) {
        FormulaTerm& term = terms.emplace_back(FormulaTerm{std::string(line.substr(0, line.find(' '))), "", {}});
        for (const FormulaTerm& one : known) {
            const bool whole = line.size() == one.text.size() || (line.starts_with(one.text + ' '));
            if (whole && line.starts_with(one.text) && one.text.size() >= term.text.size()) term = one;
        }
        line.remove_prefix(std::min(line.size(), term.text.size() + 1));
    }
    return terms;
}

/// The indices of the terms that a block carries out. Of several terms only those with the fewest blocks, so that
/// pointing at a shared block shows its most specific purpose.
inline std::vector<size_t> terms_of_block(const Formula& formula, const BlockReference& block) {
    std::vector<size_t> terms;
    size_t fewest = std::numeric_limits<size_t>::max();
    for (size_t i = 0; i < formula.terms.size(); ++i) {
        const std::vector<BlockReference>& blocks = formula.terms[i].blocks;
        if (std::find(blocks.begin(), blocks.end(), block) == blocks.end() || blocks.size() > fewest) continue;
        if (blocks.size() < fewest) terms.clear();
        fewest = blocks.size();
        terms.push_back(i);
    }
    return terms;
}

}  // namespace emergence
