#pragma once
// Where an axis puts its ticks, shared by the window and the exporter.

#include <string>
#include <utility>
#include <vector>

#include "core/runtime/figure_spec.h"

namespace emergence {

struct Tick {
    double value = 0.0;
    std::string label;  // "" for a minor tick
};

/// Ticks inside [low, high] at 1-2-5 steps (linear) or decades with minor ticks at 2..9 (logarithmic), about
/// `wanted` labelled ones. Labels have just as many digits as neighbouring ticks need.
std::vector<Tick> make_ticks(double low, double high, Scale scale, int wanted);

/// The range that shows every finite value of the plot (on a log axis: every positive one), with a small
/// margin; AxisSpec's own minimum and maximum win. Never empty: a constant gets a range around itself.
std::pair<double, double> fit_x(const PlotSpec& plot);
std::pair<double, double> fit_y(const PlotSpec& plot);

/// Short text for a readout: four significant digits, no trailing noise.
std::string readout(double value);

}  // namespace emergence
