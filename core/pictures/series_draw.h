#pragma once
// What a series over seeds looks like, without saying with what it is drawn: the window and the exporter
// share it.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/pictures/figure_spec.h"

namespace emergence {

/// A series as its plot draws it, in data coordinates. All vectors that are not empty are as long as x; NaN
/// marks a gap. Of a hidden series everything is empty.
struct SeriesShape {
    std::vector<double> x;
    std::vector<double> center;               // mean, or median
    std::vector<double> raw;                  // the same before smoothing; empty where nothing is smoothed
    std::vector<double> band_low, band_high;  // empty where the spread has no band, or there is one seed only
    std::vector<std::vector<double>> seeds;   // to be drawn thin; empty where there is a band
    std::vector<double> highlighted;          // the seed that is to stand out; empty where there is none
};

/// A series under the plot's spread, smoothing and highlighted seed. Seeds are smoothed before they are
/// averaged.
SeriesShape shape_of(const Series& series, const PlotSpec& plot);
/// All of the plot's series. One that coincides with an earlier visible one is not drawn seed by seed
/// again.
std::vector<SeriesShape> shapes_of(const PlotSpec& plot);

/// For each series the earlier one, hidden or not, that it cannot be told from in the plot, being equal in
/// every row to a ten-thousandth of the largest value; -1 where there is none.
std::vector<int> coinciding_series(const PlotSpec& plot);
/// The series' names as a legend has them: "SS (= IWS)" for one that coincides with another.
std::vector<std::string> legend_names(const PlotSpec& plot);
/// What a row of the plot's series is called: "seed 6", or "run 6" where the rows' seeds are not known.
std::string row_name(const PlotSpec& plot, size_t row);
/// What the line of the highlighted seed is, for legend and caption: "thin line: seed 0"; "" where none is
/// drawn.
std::string highlight_note(const PlotSpec& plot);

/// The x at which a line leaves the plot through the top although the axis is only cut there (AxisSpec::cut),
/// in its order; a line that begins above has its first point. The plot's limits must be set.
std::vector<double> exits_of(const PlotSpec& plot, const SeriesShape& shape);
/// Says where the axis ends when something visible goes on beyond it, "y axis ends at 1.05"; "" otherwise.
std::string cut_note(const PlotSpec& plot, const std::vector<SeriesShape>& shapes);

/// All that the drawing leaves out, in one line: points that cannot be shown, and where the axis is cut.
std::string drawing_note(const PlotSpec& plot, const std::vector<SeriesShape>& shapes);

/// The exponential moving average m_t = weight m_{t-1} + (1 - weight) y_t from m_0 = 0, divided by
/// 1 - weight^t as Adam's moments are, so that the start is not drawn towards zero. Entries that are not
/// finite stay as they are and do not count. `weight` in [0, 1).
std::vector<double> smoothed(const std::vector<double>& values, double weight);

/// The outline of the mark on a series' measured points, clockwise within a circle of radius 1 (y downwards),
/// by the series' color, so that colour is not the only difference: twelve shapes, all seen whole from their
/// centre, not all convex.
std::vector<std::pair<double, double>> marker_outline(int color);
/// Every how many-th of points that are `apart` has a mark, so that marks are at least `least` apart.
size_t marker_stride(double apart, double least);

/// How many points of the drawn lines cannot be shown, being at or below zero on a logarithmic axis.
int count_unshowable(const PlotSpec& plot, const std::vector<SeriesShape>& shapes);
/// The same as a sentence, "3 points ≤ 0 not shown"; "" where all can be shown.
std::string unshowable_note(const PlotSpec& plot, const std::vector<SeriesShape>& shapes);

/// Points of a line; a NaN in y is a gap.
struct LinePoints {
    std::vector<double> x;
    std::vector<double> y;
};

/// The same line with at most four points a pixel column (its first, lowest, highest and last, in their
/// order), so that no extreme is lost. `x` is in pixels and may reach outside [0, columns): of what is
/// outside only the neighbours of what is inside are kept, so that the line still runs to the edge. `y` is in
/// any unit. Points with a NaN in x count as gaps. Runs of gaps become one.
LinePoints decimate(const std::vector<double>& x, const std::vector<double>& y, int columns);

/// The [begin, end) of each longest run without a NaN.
std::vector<std::pair<size_t, size_t>> runs_without_gaps(const std::vector<double>& y);

}  // namespace emergence
