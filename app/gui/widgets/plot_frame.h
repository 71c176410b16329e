#pragma once
// The parts of a plot that are not data: where things are, and the mapping between data and pixels.

#include <imgui.h>

#include <string>
#include <utility>
#include <vector>

#include "app/gui/shell/theme.h"
#include "core/pictures/axis.h"
#include "core/pictures/figure_spec.h"

namespace emergence {

/// Maps one axis between data and pixels.
class AxisMap {
  public:
    AxisMap() = default;
    AxisMap(std::pair<double, double> range, Scale scale, float first_pixel, float last_pixel);

    /// NaN where the value cannot be shown (not finite, or not positive on a logarithmic axis).
    double pixel(double value) const;
    double value(double pixel) const;

  private:
    Scale scale_ = Scale::linear;
    double low_ = 0.0, high_ = 1.0;
    double first_ = 0.0, last_ = 1.0;
};

struct PlotFrame {
    ImVec2 min, max;            // the whole widget
    ImVec2 area_min, area_max;  // inside the axes
    AxisMap x, y;
    std::vector<Tick> x_ticks, y_ticks;
};

/// Lays the widget out and draws everything but the data and the legend: title, ground, grid, ticks, axis
/// labels. `spec` has the limits of its axes. `legend_height`: kept free above the axes. Where the view is
/// not `fitted`, room for the button is left beside the title.
PlotFrame draw_frame(const Ui& ui, const PlotSpec& spec, float legend_height, bool fitted, ImVec2 size);
float fit_button_width(const Ui& ui);

}  // namespace emergence
