#pragma once
// Ticks and ranges of axes, shared by the window and the exporter.

#include "core/pictures/figure_spec.h"
#include "core/pictures/series_draw.h"

namespace emergence {

struct Tick {
    double value = 0.0;
    /// UTF-8; "" for a minor tick.
    std::string label;
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

/// The same of a y axis, which lists no values unless they are names.
std::vector<Tick> make_y_ticks(const AxisSpec& axis, std::pair<double, double> range, int wanted);

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
