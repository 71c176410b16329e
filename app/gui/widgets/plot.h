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
#include "app/gui/widgets/plot_frame.h"
#include "app/gui/widgets/plot_input.h"
#include "app/gui/widgets/plot_legend.h"
#include "app/gui/widgets/plot_menu.h"
#include "core/pictures/axis.h"
#include "core/pictures/draw_plot.h"
#include "core/pictures/figure_spec.h"
#include "core/pictures/plot.h"

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
    /// The same with the limits that the data asks for.
    PlotSpec fitted() const;
    const std::vector<SeriesShape>& shapes() const { return shapes_; }
    AxisRange x_range() const { return {*shown_.x.minimum, *shown_.x.maximum}; }
    AxisRange y_range() const { return {*shown_.y.minimum, *shown_.y.maximum}; }

    /// Lays the plot out at `min`, unless it lies there already: neither data, view nor place have changed.
    const PlotFrame& lay_out(const Ui& ui, ImVec2 min, ImVec2 size);
    /// What is inside the axes, as it is drawn.
    const PlotLayout& layout() const { return layout_; }
    /// No series has a value, and nothing else is drawn.
    bool empty() const { return empty_; }
    /// How often the data was laid out anew.
    int layouts() const { return layouts_; }

    PlotLegend legend;
    PlotGesture gesture;
    PlotMenu menu;
    ImVec2 readout_size{0.0F, 0.0F};

  private:
    void begin_at_zero();
    void keep_held_ranges();

    bool prepared_ = false, empty_ = false;
    bool holds_ = false;
    std::string held_axes_;  // of which axes held_ are: another quantity or scale is not held
    ViewRanges held_;
    PlotView built_view_;
    AxisSpec own_x_, own_y_;  // before the view's ranges
    PlotSpec shown_;
    std::vector<SeriesShape> shapes_;

    // What the frame was laid out for.
    struct Place {
        float x = 0.0F, y = 0.0F, width = 0.0F, height = 0.0F, beside = 0.0F, above = 0.0F, scale = 0.0F;
        const ImFont* font = nullptr;
        bool operator==(const Place&) const = default;
    };
    bool framed_ = false;
    Place place_;
    PlotFrame frame_;
    bool laid_out_ = false;
    int layouts_ = 0;
    PlotLayout layout_;
};

struct PlotResponse {
    bool hovered = false;
    double x = 0.0;              // what the crosshair reads
    std::vector<double> values;  // of each series at that x; NaN where it has none
    std::optional<NearestPoint> nearest;
    std::optional<uint64_t> clicked_seed;  // the seed whose point was clicked
    ImVec2 area_min;                       // inside the axes, in pixels
    ImVec2 area_max;
};

/// Draws at the cursor, `size` pixels large. `spec` must be the one that `state` has prepared, or was
/// invalidated for. `linked_x`: where the pointer reads another plot with the same x axis.
PlotResponse draw_plot(const Ui& ui, const PlotSpec& spec, PlotState& state, ImVec2 size,
                       std::optional<double> linked_x = std::nullopt);

}  // namespace emergence
