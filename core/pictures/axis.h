#pragma once
// The drawn part of a plot's series, and the ranges and ticks of its axes, as data that the window and the exporter
// share.

#include "core/pictures/figure_spec.h"

namespace emergence {

/// A series as its plot draws it, in data coordinates. Every non-empty vector is as long as x; NaN marks a gap. For a
/// hidden series everything is empty.
struct SeriesShape {
    std::vector<double> x;
    std::vector<double> center;               // mean or median
    std::vector<double> raw;                  // the center before smoothing; empty without smoothing
    std::vector<double> band_low, band_high;  // empty if the spread has no band, or for a single seed
    std::vector<std::vector<double>> seeds;   // thin lines, one per seed; empty if there is a band
    std::vector<double> highlighted;          // the line of the highlighted seed; empty if none
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
/// Says in one line all that the drawing omits: "3 points ≤ 0 not shown", which a logarithmic axis cannot show; seeds
/// as points beyond the axes; where the axis ends if a visible line continues beyond it, with the largest value if the
/// axis has it.
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

// Ticks and ranges of axes, shared by the window and the exporter.

struct Tick {
    double value = 0.0;
    std::string label;  // UTF-8; "" for a minor tick
};

/// Ticks inside [low, high], ascending, with about `wanted` labels: at steps of 1, 2 or 5 (linear), or at decades with
/// minor ticks at 2..9 (logarithmic). Labels have only the digits that distinguish neighbouring ticks; very large and
/// very small ones share one power of ten ("1.5×10⁶"); decades are "10⁻³". A logarithmic range with fewer than two
/// decades has labels at 1, 2 and 5, or linear ticks if fewer than two of those lie inside. Empty if the range is not
/// finite or, on a log axis, has no positive part.
std::vector<Tick> make_ticks(double low, double high, Scale scale, int wanted);
/// The ticks of an axis: those that it lists if at least two lie in the range, else as above, without ticks between
/// whole numbers if the axis shows counts.
std::vector<Tick> make_ticks(const AxisSpec& axis, std::pair<double, double> range, int wanted);

/// Ticks for numbered things, e.g. rows of arms or columns of rounds: about `wanted` from `first` to `last`. The first
/// label begins with `word`: "round 50", "100", ...
std::vector<Tick> count_ticks(const std::string& word, int first, int last, int wanted);

/// The range of an axis, with a small margin, that shows every finite value (on a log axis: every positive one) of the
/// plot as drawn under its Spread, including reference lines. AxisSpec's own minimum and maximum take precedence and
/// get no margin. Omits hidden series and, for y, values outside the range of x (unless all are outside). Never empty:
/// a constant gets a range around it; no data give 0..1 (linear) or 1..10 (logarithmic).
std::pair<double, double> fit_x(const PlotSpec& plot);
std::pair<double, double> fit_y(const PlotSpec& plot);
/// The same from shapes_of(plot), computed before.
std::pair<double, double> fit_y(const PlotSpec& plot, const std::vector<SeriesShape>& shapes);

/// Cuts a linear y axis without limits if a few values would flatten all others.
void cut_outliers(PlotSpec& plot);

/// The position of `value` on the axis, 0 at low and 1 at high; NaN if it cannot be drawn (not finite, or not positive
/// on a log axis). low < high, both positive on a log axis.
double axis_fraction(double value, double low, double high, Scale scale);
/// The inverse of axis_fraction.
double axis_value(double fraction, double low, double high, Scale scale);

/// The title of the axis: "label (unit)", or either alone.
std::string axis_title(const AxisSpec& axis);

/// "-0.5" with a minus sign in place of the hyphen.
std::string with_minus(std::string number);

/// A number as short text, with a minus sign: four significant digits, or all digits before the point below a million,
/// without trailing zeros.
std::string readout(double value);

}  // namespace emergence
