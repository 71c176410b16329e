#pragma once
// Which line is which: at the lines' ends where there is room, else above the axes.

#include <imgui.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/gui/shell/theme.h"
#include "app/gui/widgets/plot_frame.h"
#include "core/pictures/axis.h"
#include "core/pictures/draw_plot.h"
#include "core/pictures/figure_spec.h"

namespace emergence {

/// Its place follows from the entries and the plot's size alone, never from the data: nothing jumps, and no line runs
/// under it.
class PlotLegend {
  public:
    /// Lists the legend_entries() of the plot; of how it was before all lines are one.
    void list(const PlotSpec& plot);
    /// Another plot's legend speaks for this one.
    void omit(bool on) { spoken_for_ = on; }
    /// Chooses the place in a plot of this size: at the ends of few lines with short names, above, above without the
    /// note, in a small plot wherever it takes least, or as many of its entries as that has room for.
    /// `spec` has the limits of its axes.
    void place(const Ui& ui, const PlotSpec& spec, ImVec2 size);
    /// Room that it takes above the axes, and right of them.
    float height_above() const { return height_; }
    float width_beside() const { return beside_; }
    /// Makes its entries clickable: a click hides or shows a series, a double click isolates it or brings all
    /// back. `above` is where it begins when it stands above the axes. Logged as "legend ID NAME".
    void handle(const Ui& ui, const PlotSpec& spec, const std::vector<SeriesShape>& shapes, const PlotFrame& frame,
                ImVec2 above, std::set<std::string>& hidden);
    void draw(const Ui& ui, const PictureStyle& style) const;

    /// The series whose entry is under the pointer.
    std::optional<size_t> pointed() const { return pointed_; }

  private:
    struct Placed {
        const LegendEntry* entry;
        ImVec2 at;  // from the legend's corner; once handled, in pixels
        float width;
    };
    std::vector<Placed> in_rows(const Ui& ui, float width) const;
    float room_beside(const Ui& ui, const PlotSpec& spec, ImVec2 size, float most) const;
    void place_in_small(const Ui& ui, const PlotSpec& spec, ImVec2 size);
    float height_of_rows(const Ui& ui, float width) const;
    std::string left_out(size_t placed) const;
    void follow_ends(const Ui& ui, const std::vector<SeriesShape>& shapes, const PlotFrame& frame);
    std::vector<Placed> at_ends(const Ui& ui, const PlotFrame& frame) const;
    void click(const PlotSpec& spec, const std::string& name, std::set<std::string>& hidden);

    bool spoken_for_ = false, shown_ = true, with_note_ = true;
    std::optional<int> rows_;  // no more than these
    float height_ = 0.0F, beside_ = 0.0F;
    std::vector<LegendEntry> entries_;
    std::vector<float> ends_;              // where each is named beside the axes
    std::set<std::string> hidden_before_;  // the first click of a double click
    std::optional<size_t> pointed_;
    std::vector<Placed> placed_;
};

}  // namespace emergence
