#pragma once
// The lines, bands and marks of a series over seeds, as data that the window and the exporter share.

#include "core/pictures/figure_spec.h"

namespace emergence {

/// A series as its plot draws it, in data coordinates. Every non-empty vector is as long as x; NaN marks a gap. For a
/// hidden series everything is empty.
struct SeriesShape {
    std::vector<double> x;
    /// Mean or median.
    std::vector<double> center;
    /// The center before smoothing; empty without smoothing.
    std::vector<double> raw;
    /// Empty if the spread has no band, or for a single seed.
    std::vector<double> band_low, band_high;
    /// Thin lines, one per seed; empty if there is a band.
    std::vector<std::vector<double>> seeds;
    /// The line of the highlighted seed; empty if none.
    std::vector<double> highlighted;
};

/// A series under the plot's spread, smoothing and highlighted seed. Smooths each seed before averaging.
SeriesShape shape_of(const Series& series, const PlotSpec& plot);
/// The shapes of all series of the plot. A series that coincides with an earlier visible one has no lines of seeds.
std::vector<SeriesShape> shapes_of(const PlotSpec& plot);

/// Whether its lines are dashed: those of which the colour started over are, too.
bool is_dashed(const Series& series);

/// For each series the index of the first earlier one, hidden or not, that coincides with it, -1 if none: all rows
/// differ by at most 1e-4 of the largest value.
std::vector<int> coinciding_series(const PlotSpec& plot);
/// The series' names for a legend: "SS (= IWS)" for one that coincides with another.
std::vector<std::string> legend_names(const PlotSpec& plot);
/// The name of a row of the plot's series: "seed 6", or "run 6" if the seeds of the rows are unknown.
std::string row_name(const PlotSpec& plot, size_t row);
/// Explains the line of the highlighted seed, for legend and caption: "thin line: seed 0"; "" if none is drawn.
std::string highlight_note(const PlotSpec& plot);

/// The x, in order, at which a line leaves the plot through the top although only AxisSpec::cut ends the axis there; a
/// line that begins above gives its first point. The plot's limits must be set.
std::vector<double> exits_of(const PlotSpec& plot, const SeriesShape& shape);
/// Says where the axis ends if a visible line continues beyond it, "y axis ends at 1.05", and the
/// largest value if the axis has it; else "".
std::string cut_note(const PlotSpec& plot, const std::vector<SeriesShape>& shapes);

/// Says in one line all that the drawing omits: points that it cannot show, and where the axis is cut.
std::string drawing_note(const PlotSpec& plot, const std::vector<SeriesShape>& shapes);

/// The exponential moving average of the finite entries y_1, y_2, ...:
///
///     m_0        = 0
///     m_t        = weight m_{t-1} + (1 - weight) y_t
///     smoothed_t = m_t / (1 - weight^t)
///
/// The divisor, as in Adam, keeps the start from being drawn towards zero. Other entries stay unchanged.
/// `weight` in [0, 1).
std::vector<double> smoothed(const std::vector<double>& values, double weight);

/// The outline of the marks of a series, clockwise about the origin (y downwards), by the series' color, so that colour
/// is not the only difference. Twelve shapes about as large as the unit circle; each is star-shaped about its centre,
/// not all are convex.
std::vector<std::pair<double, double>> marker_outline(int color);
/// The k for which every k-th point has a mark, so that marks of points that are `apart` are at least `least` apart.
size_t marker_stride(double apart, double least);

/// The number of points of the drawn lines that are at or below zero on a logarithmic axis, which cannot show them.
int count_unshowable(const PlotSpec& plot, const std::vector<SeriesShape>& shapes);
/// That number as a sentence, "3 points ≤ 0 not shown"; "" if it is 0.
std::string unshowable_note(const PlotSpec& plot, const std::vector<SeriesShape>& shapes);

/// Points of a line; a NaN in y is a gap.
struct LinePoints {
    std::vector<double> x;
    std::vector<double> y;
};

/// The line with at most four points per pixel column: the first, lowest, highest and last, in their order, so that no
/// extreme is lost. `x` is in pixels and may reach outside [0, columns); of consecutive points outside only the first
/// and the last remain, so that the line still runs to the edge. `y` is in any unit. A NaN in x or y is a gap;
/// consecutive gaps become one.
LinePoints decimate(const std::vector<double>& x, const std::vector<double>& y, int columns);

/// The [begin, end) of each maximal run without a NaN.
std::vector<std::pair<size_t, size_t>> runs_without_gaps(const std::vector<double>& y);

}  // namespace emergence
