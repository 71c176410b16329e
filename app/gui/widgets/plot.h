#pragma once
// Draws a PlotSpec: title, legend, axes, bands, thin seeds, bars, references, and a crosshair that reads all
// series; the mouse zooms, pans and fits.

#include <imgui.h>

#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/shell/theme.h"
#include "app/gui/widgets/text.h"
#include "core/pictures/axis.h"
#include "core/pictures/describe.h"
#include "core/pictures/draw_plot.h"
#include "core/pictures/figure_spec.h"
#include "core/pictures/plot.h"

namespace emergence {

// What surrounds a plot's data in the window: title, read-out, axes.

struct PlotFrame {
    /// The whole widget, and inside the axes.
    ImVec2 min, max, area_min, area_max;
    PlotPlace place;
    PlotAxes axes;
    Heading title;
    std::string meaning;                     // what the y axis means, beside the title
    std::vector<std::string> meaning_below;  // the same where the title leaves no room for all of it
    float heading_width = 0.0F;              // that title, meaning and note have
    std::vector<std::string> readout;
    /// The title of the x axis: in a line below its numbers, in place of the last one or, if short, below those of the
    /// y axis.
    std::string footer;
    ImVec2 footer_at;
    bool footer_centred = false;
};

/// `spec` has the limits of its axes. `legend`: kept free beside and above the axes. If the view is not `fitted`, room
/// for the button is left beside the title.
PlotFrame lay_out_frame(const Ui& ui, const PlotSpec& spec, ImVec2 legend, bool fitted, ImVec2 min, ImVec2 size);
/// Everything but the data and the legend. The note on what the axes leave out stands beside the title, as far as there
/// is room.
void draw_frame(const Ui& ui, Pen& pen, const PlotFrame& frame, const std::string& note, const PictureStyle& style);
float fit_button_width(const Ui& ui);

// How the reading of a plot is drawn.

/// The upright line, and a dot on each series.
void draw_crosshair(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame, const PlotReading& reading);
/// The read-out beside the upright line, never on it. `size` is the read-out's own, kept between frames.
void draw_readout(const Ui& ui, const PlotSpec& spec, const std::vector<SeriesShape>& shapes, const PlotFrame& frame,
                  const PlotReading& reading, ImVec2& size);

// What the mouse does to a plot's view: wheel, drags, box, double click.

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

// Which line is which: at the lines' ends where there is room, else above the axes.

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

// What a right click on a plot offers.

/// The menu's own memory.
struct PlotMenu {
    std::array<double, 4> limits{};  // being typed: x from, x to, y from, y to
    std::string refusal;             // why they were not taken
    std::string values;              // what was read where the menu was opened; "" where nothing was
};

/// Opens the menu at the pointer, for the plot as it is shown.
void open_plot_menu(PlotMenu& menu, const PlotSpec& shown);

/// Draws the menu while it is open and applies what is chosen to the view. `own` is the plot without its
/// view: what "as above all plots" means. Items are logged as "menu ITEM".
void draw_plot_menu(const Ui& ui, PlotMenu& menu, const PlotSpec& own, const PlotSpec& shown,
                    const std::vector<SeriesShape>& shapes, PlotView& view);

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
