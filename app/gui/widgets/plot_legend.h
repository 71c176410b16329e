#pragma once
// Which line is which: inside the plot where a corner is free, else above it.

#include <imgui.h>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/shell/theme.h"
#include "app/gui/widgets/plot_frame.h"
#include "core/pictures/figure_spec.h"
#include "core/pictures/legend_entry.h"
#include "core/pictures/obstacles.h"

namespace emergence {

/// Places a plot's legend and remembers where it stands. The place is chosen once for what is shown and its
/// size; after that the legend leaves a corner only when data has been under it for a while, goes above only
/// where no corner is free and the view is fitted, and stays there: the plot's height does not come and go.
class PlotLegend {
  public:
    /// What it lists: legend_entries() of the plot.
    void set_entries(std::vector<LegendEntry> entries);
    /// Another plot's legend speaks for this one.
    void omit(bool on) { omitted_ = on; }
    /// Room that the legend wants above the axes of a plot `width` pixels wide; 0 while it stands inside.
    float height_above(const Ui& ui, float width) const;
    /// The same wherever it stands now: what a plot `width` pixels wide may have to give it.
    float rows_height(const Ui& ui, float width) const;
    /// Looks whether to move, `now` in seconds; a few times a second at most. `fitted`: the user has not
    /// zoomed.
    void settle(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame, const Obstacles& obstacles, bool fitted,
                double now);
    /// Makes its entries clickable: a click hides or shows a series, a double click isolates it or brings all
    /// back. `above` is where it begins when it stands above the axes. Logged as "legend ID NAME".
    void handle(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame, ImVec2 above,
                std::set<std::string>& hidden);
    void draw(const Ui& ui, const PictureStyle& style) const;

    bool inside() const { return corner_.has_value(); }
    /// The series whose entry is under the pointer.
    std::optional<size_t> pointed() const { return pointed_; }
    /// Its ground in pixels, in the last frame.
    ImVec2 min() const { return min_; }
    ImVec2 max() const { return max_; }

  private:
    struct Placed {
        const LegendEntry* entry;
        ImVec2 at;  // from the legend's corner
        float width;
    };
    static float entry_width(const Ui& ui, const LegendEntry& entry);
    /// What the place was chosen for.
    std::string purpose_of(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame) const;
    std::vector<Placed> placed_in(const Ui& ui, float width) const;
    ImVec2 size_inside(const Ui& ui) const;
    Rect corner_box(const Ui& ui, const PlotFrame& frame, int corner) const;
    std::optional<int> free_corner(const Ui& ui, const PlotFrame& frame, const Obstacles& obstacles,
                                   float margin) const;
    void click(const PlotSpec& spec, const std::string& name, std::set<std::string>& hidden);

    bool omitted_ = false;
    std::optional<int> corner_;    // 0 upper right, 1 lower right, 2 upper left, 3 lower left
    std::optional<double> since_;  // since when it could better stand elsewhere
    double looked_at_ = -1e9;
    std::string purpose_;
    std::vector<LegendEntry> entries_;
    std::set<std::string> hidden_before_;  // the first click of a double click
    std::optional<size_t> pointed_;
    std::vector<Placed> placed_;
    ImVec2 min_, max_;
};

}  // namespace emergence
