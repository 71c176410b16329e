#pragma once
// Where an axis puts its ticks, shared by the window and the exporter.

#include <string>
#include <utility>
#include <vector>

#include "core/pictures/figure_spec.h"
#include "core/pictures/series_draw.h"

namespace emergence {

struct Tick {
    double value = 0.0;
    std::string label;  // UTF-8; "" for a minor tick
};

/// Ticks inside [low, high] at 1-2-5 steps (linear) or decades with minor ticks at 2..9 (logarithmic), about
/// `wanted` labelled ones, ascending. Labels have just as many digits as neighbouring ticks need; very large
/// and very small ones share one power of ten ("1.5×10⁶"); decades are "10⁻³". A logarithmic range with fewer
/// than two decades in it is labelled at 1, 2 and 5, and linearly where not even two of those are inside.
/// Empty where the range is not finite or, on a log axis, has no positive part.
std::vector<Tick> make_ticks(double low, double high, Scale scale, int wanted);
/// The same for an axis, with no ticks between whole numbers where it has counts; its own ones where it has
/// any and two of them lie in the range.
std::vector<Tick> make_ticks(const AxisSpec& axis, std::pair<double, double> range, int wanted);

/// Numbers for things that are counted from 1, rows of arms or columns of rounds: about `wanted` of those
/// from `first` to `last`, the first with what they are, "round 50", "100", ...
std::vector<Tick> count_ticks(const std::string& word, int first, int last, int wanted);

/// The range that shows every finite value of the plot as drawn under its Spread, reference lines included
/// (on a log axis: every positive one), with a small margin; AxisSpec's own minimum and maximum win and get
/// no margin. Hidden series do not count, nor, for y, what lies outside the range of x (unless nothing lies
/// inside). Never empty: a constant gets a range around itself, no data 0..1 (linear) or 1..10
/// (logarithmic).
std::pair<double, double> fit_x(const PlotSpec& plot);
std::pair<double, double> fit_y(const PlotSpec& plot);
/// The same for whoever has the plot's shapes already.
std::pair<double, double> fit_y(const PlotSpec& plot, const std::vector<SeriesShape>& shapes);

/// Where `value` lies between low (0) and high (1) on the axis; NaN where it cannot be drawn: not finite, or
/// not positive on a log axis. Low < high, both positive on a log axis.
double axis_fraction(double value, double low, double high, Scale scale);
/// The inverse of axis_fraction.
double axis_value(double fraction, double low, double high, Scale scale);

/// What stands beside the axis: "label (unit)", or either alone.
std::string axis_title(const AxisSpec& axis);

/// Short text for a readout: four significant digits (whole numbers below a million in full), no trailing
/// noise.
std::string readout(double value);

}  // namespace emergence
