#pragma once
// Draws a PlotSpec: title, legend, axes, bands, thin seeds, references, and a crosshair that reads all
// series.

#include <imgui.h>

#include <string>
#include <utility>
#include <vector>

#include "app/gui/theme.h"
#include "core/runtime/figure_spec.h"
#include "core/runtime/series_draw.h"

namespace emergence {

/// What a plot remembers between frames: everything that depends on the specification alone.
class PlotState {
  public:
    /// The specification was replaced: summarise and fit again before the next drawing.
    void invalidate() { prepared_ = false; }
    void prepare(const PlotSpec& spec);

    const std::vector<SeriesShape>& shapes() const { return shapes_; }
    std::pair<double, double> x_range() const { return x_range_; }
    std::pair<double, double> y_range() const { return y_range_; }

  private:
    bool prepared_ = false;
    std::vector<SeriesShape> shapes_;
    std::pair<double, double> x_range_;
    std::pair<double, double> y_range_;
};

struct PlotResponse {
    bool hovered = false;
    double x = 0.0;              // the data's x that is nearest to the pointer
    std::vector<double> values;  // of each series at that x; NaN where it has none
    ImVec2 area_min;             // inside the axes, in pixels
    ImVec2 area_max;
};

/// Draws at the cursor, `size` pixels large. `spec` must be the one that `state` has prepared, or was
/// invalidated for.
PlotResponse draw_plot(const Ui& ui, const PlotSpec& spec, PlotState& state, ImVec2 size);

}  // namespace emergence
