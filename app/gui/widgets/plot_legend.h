#pragma once
// Which line is which: inside the plot where a corner is free, else above it.

#include <imgui.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/export/obstacles.h"
#include "app/gui/theme.h"
#include "app/gui/widgets/plot_frame.h"
#include "core/runtime/figure_spec.h"

namespace emergence {

/// Places a plot's legend and remembers where it stands, so that it keeps still while data arrives: it enters
/// a corner that has been free for a while, and leaves it when something has been under it for a moment.
class PlotLegend {
  public:
    /// Room that the legend wants above the axes of a plot `width` pixels wide; 0 while it stands inside.
    float height_above(const Ui& ui, const PlotSpec& spec, float width) const;
    /// Looks whether to move, `now` in seconds; a few times a second at most.
    void settle(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame, const page::Obstacles& obstacles,
                double now);
    /// Makes its entries clickable: a click hides or shows a series, a double click isolates it or brings all
    /// back. `above` is where it begins when it stands above the axes. Logged as "legend ID NAME".
    void handle(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame, ImVec2 above,
                std::set<std::string>& hidden);
    void draw(const Ui& ui, const PlotSpec& spec) const;

    bool inside() const { return corner_.has_value(); }
    /// The series whose entry is under the pointer.
    std::optional<size_t> pointed() const { return pointed_; }
    /// Its ground in pixels, in the last frame.
    ImVec2 min() const { return min_; }
    ImVec2 max() const { return max_; }

  private:
    struct Entry {
        size_t series;
        ImVec2 at;  // from the legend's corner
        float width;
    };
    std::vector<Entry> entries_in(const Ui& ui, const PlotSpec& spec, float width) const;
    ImVec2 size_inside(const Ui& ui, const PlotSpec& spec) const;
    page::Rect corner_box(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame, int corner) const;
    std::optional<int> free_corner(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame,
                                   const page::Obstacles& obstacles, float margin) const;
    void click(const PlotSpec& spec, const std::string& name, std::set<std::string>& hidden);

    std::optional<int> corner_;    // 0 upper right, 1 lower right, 2 upper left, 3 lower left
    std::optional<double> since_;  // since when it could better stand elsewhere
    double moved_at_ = -1e9, looked_at_ = -1e9;
    std::set<std::string> hidden_before_;  // the first click of a double click
    std::optional<size_t> pointed_;
    std::vector<Entry> entries_;
    ImVec2 min_, max_;
};

}  // namespace emergence
