#pragma once
// What the mouse does to a plot's view: wheel, drags, box, double click.

#include <imgui.h>

#include "app/gui/shell/theme.h"
#include "app/gui/widgets/plot_frame.h"
#include "core/pictures/figure_spec.h"
#include "core/pictures/plot.h"

namespace emergence {

/// Of an axis that has its limits.
AxisRange shown_range(const AxisSpec& axis);

/// Which axes the pointer is on: inside the axes both, beside one that one.
struct PointedAxes {
    bool x = false, y = false;
    bool any() const { return x || y; }
};
PointedAxes pointed_axes(const PlotFrame& frame, ImVec2 at);

/// A drag from its press to its release.
class PlotGesture {
  public:
    /// Applies the mouse to the plot's item, which was the last one: Ctrl and the wheel zoom where the pointer
    /// is, a drag pans, a right drag zooms into a box, a double click fits; beside an axis only that axis. `shown`
    /// has the ranges that are drawn. True where the right button was clicked: a menu is wanted.
    bool handle(const Ui& ui, const PlotFrame& frame, const PlotSpec& shown, ViewRanges& ranges);
    /// The box while one is drawn.
    void draw_box(const Ui& ui, const PlotFrame& frame) const;
    /// While true the pointer is busy, and no crosshair is shown.
    bool active() const { return kind_ != Kind::none && moved_; }

  private:
    enum class Kind { none, pan, box };
    void begin(Kind kind, const PlotFrame& frame, const PlotSpec& shown);
    void pan(const PlotFrame& frame, const PlotSpec& shown, ViewRanges& ranges);
    void zoom_into_box(const PlotFrame& frame, const PlotSpec& shown, ViewRanges& ranges) const;

    Kind kind_ = Kind::none;
    PointedAxes axes_;
    bool moved_ = false;                    // beyond what a click trembles
    bool pans_x_ = false, pans_y_ = false;  // this way too
    ImVec2 from_, to_;
    AxisRange x_, y_;  // when the drag began
};

}  // namespace emergence
