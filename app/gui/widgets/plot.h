#pragma once
// Draws a PlotSpec: title, legend, axes, bands, thin seeds, bars, references, and a crosshair that reads all
// series; the mouse zooms, pans and fits.

#include <imgui.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/shell/theme.h"
#include "app/gui/widgets/plot_crosshair.h"
#include "app/gui/widgets/plot_input.h"
#include "app/gui/widgets/plot_legend.h"
#include "app/gui/widgets/plot_lines.h"
#include "app/gui/widgets/plot_menu.h"
#include "app/gui/widgets/plot_reference.h"
#include "core/pictures/figure_spec.h"
#include "core/pictures/plot_view.h"
#include "core/pictures/series_draw.h"

namespace emergence {

/// What a plot remembers between frames: how its user looks at it, and what follows from that and the
/// specification.
class PlotState {
  public:
    PlotView view;

    /// The specification was replaced: summarise and fit again before the next drawing.
    void invalidate() { prepared_ = false; }
    void prepare(const PlotSpec& spec);

    /// While it holds its axes, fitted ranges grow and never shrink: a plot that is simulated again and again
    /// under a slider stands still.
    void hold_axes(bool on);

    /// The plot as it is drawn, the axes' limits included: what is exported.
    const PlotSpec& shown() const { return shown_; }
    const std::vector<SeriesShape>& shapes() const { return shapes_; }
    /// What the drawing leaves out, and where that is written.
    const std::string& note() const { return note_; }
    const Rect& note_box() const { return note_box_; }
    AxisRange x_range() const { return {*shown_.x.minimum, *shown_.x.maximum}; }
    AxisRange y_range() const { return {*shown_.y.minimum, *shown_.y.maximum}; }

    /// Puts the data where the frame is, unless it is there already: neither data, view nor frame have
    /// changed.
    void lay_out(const Ui& ui, const PlotFrame& frame);
    const std::vector<SeriesPixels>& pixels() const { return pixels_; }
    const std::vector<ReferenceLabel>& labels() const { return labels_; }
    const Obstacles& obstacles() const { return obstacles_; }
    /// How often the data was laid out anew.
    int layouts() const { return layouts_; }

    PlotLegend legend;
    PlotGesture gesture;
    PlotMenu menu;
    ImVec2 readout_size{0.0F, 0.0F};

  private:
    void keep_held_ranges();

    bool prepared_ = false;
    bool holds_ = false;
    std::string held_axes_;  // of which axes held_ are: another quantity or scale is not held
    ViewRanges held_;
    PlotView built_view_;
    AxisSpec own_x_, own_y_;  // before the view's ranges
    PlotSpec shown_;
    std::vector<SeriesShape> shapes_;
    std::string note_;
    Rect note_box_;
    bool laid_out_ = false;
    int layouts_ = 0;
    ImVec2 area_min_, area_max_;  // of the layout
    std::vector<SeriesPixels> pixels_;
    std::vector<ReferenceLabel> labels_;
    Obstacles obstacles_;
};

struct PlotResponse {
    bool hovered = false;
    double x = 0.0;              // what the crosshair reads
    std::vector<double> values;  // of each series at that x; NaN where it has none
    std::optional<NearestPoint> nearest;
    ImVec2 area_min;  // inside the axes, in pixels
    ImVec2 area_max;
};

/// Draws at the cursor, `size` pixels large. `spec` must be the one that `state` has prepared, or was
/// invalidated for. `linked_x`: where the pointer reads another plot with the same x axis.
PlotResponse draw_plot(const Ui& ui, const PlotSpec& spec, PlotState& state, ImVec2 size,
                       std::optional<double> linked_x = std::nullopt);

}  // namespace emergence
