#pragma once
// Draws a PlotSpec: title, legend, axes, bands, thin seeds, bars, references, and a crosshair that reads all series. The
// mouse zooms, pans and fits.

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

/// What surrounds a plot's data in the window: title, read-out, axes.
struct PlotFrame {
    /// The corners of the widget, and of the area inside the axes.
    ImVec2 min, max, area_min, area_max;
    PlotPlace place;
    PlotAxes axes;
    Heading title;
    std::string meaning;                     // of the y axis, beside the title
    std::vector<std::string> meaning_below;  // or below it, if the title leaves no room
    std::string cut_meaning;                 // the whole of a meaning that has no room
    float heading_width = 0.0F;              // the room of title, meaning and note
    std::vector<std::string> readout;
    /// The title of the x axis: in a line below the numbers, instead of the last number or, if short, below the numbers
    /// of the y axis.
    std::string footer;
    ImVec2 footer_at;
    bool footer_centred = false;
};

/// `spec` has the limits of its axes. `legend`: the room to keep free beside and above the axes. `fitted`: false leaves
/// room for the button beside the title.
PlotFrame lay_out_frame(const Ui& ui, const PlotSpec& spec, ImVec2 legend, bool fitted, ImVec2 min, ImVec2 size);
/// Draws everything but the data and the legend. The note on what the axes leave out stands beside the title if there is
/// room.
void draw_frame(const Ui& ui, Pen& pen, const PlotFrame& frame, const std::string& note, const PictureStyle& style);
float fit_button_width(const Ui& ui);

// What the mouse does to a plot's view: wheel, drag, double click.

/// The limits of an axis that has them.
AxisRange shown_range(const AxisSpec& axis);

/// The axes that the pointer is on: both inside them, one beside them.
struct PointedAxes {
    bool x = false, y = false;
    bool any() const { return x || y; }
};

/// A drag from its press to its release.
class PlotGesture {
  public:
    /// Applies the mouse to the plot's item, which was the last one: Ctrl + wheel zooms at the pointer, a drag pans, a
    /// double click fits; beside an axis only that axis. `shown` has the ranges that are drawn.
    void handle(const PlotFrame& frame, const PlotSpec& shown, ViewRanges& ranges);
    /// A drag is under way, so no crosshair is shown.
    bool active() const { return held_ && moved_; }

  private:
    void begin(const PlotFrame& frame, const PlotSpec& shown);
    void pan(const PlotFrame& frame, const PlotSpec& shown, ViewRanges& ranges);

    bool held_ = false;
    PointedAxes axes_;
    bool moved_ = false;  // further than a trembling hand in a click
    bool pans_x_ = false, pans_y_ = false;
    ImVec2 from_, to_;
    AxisRange x_, y_;  // when the drag began
};

/// Names the lines at their ends if there is room, otherwise above the axes. Its place follows from the entries and the
/// plot's size, never from the data, so that it does not jump.
class PlotLegend {
  public:
    /// Lists the legend_entries() of the plot; all lines of the run before are one entry.
    void list(const PlotSpec& plot);
    /// The legend of another plot has the same lines.
    void omit(bool on) { omitted_ = on; }
    /// Chooses the place in a plot of this size: at the ends of few lines with short names, otherwise above, with as many
    /// entries as a quarter of the height has room for.
    void place(const Ui& ui, const PlotSpec& spec, ImVec2 size);
    /// The room that it takes above the axes, and right of them.
    float height_above() const { return height_; }
    float width_beside() const { return beside_; }
    /// Makes its entries clickable: a click hides or shows a series, a double click shows it alone or all again.
    /// `above`: where it begins if it stands above the axes. Logged as "legend ID NAME".
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
    float room_beside(const Ui& ui, const PlotSpec& spec, ImVec2 size) const;
    std::string left_out(size_t placed) const;
    void follow_ends(const Ui& ui, const std::vector<SeriesShape>& shapes, const PlotFrame& frame);
    std::vector<Placed> at_ends(const Ui& ui, const PlotFrame& frame) const;
    void click(const PlotSpec& spec, const std::string& name, std::set<std::string>& hidden);

    bool omitted_ = false;
    int rows_ = 0;  // above the axes, at most
    float height_ = 0.0F, beside_ = 0.0F;
    std::vector<LegendEntry> entries_;
    std::vector<float> ends_;              // the height of each name beside the axes
    std::set<std::string> hidden_before_;  // before the first click of a double click
    std::optional<size_t> pointed_;
    std::vector<Placed> placed_;
};

/// The menu of a right click on a plot.
struct PlotMenu {
    std::array<double, 4> limits{};  // as typed: x from, x to, y from, y to
    std::string refusal;             // why they are not allowed
};

/// Opens the menu at the pointer.
void open_plot_menu(PlotMenu& menu, const PlotSpec& shown);

/// Draws the menu while it is open, and applies choices to the view. `own` is the plot without its view. Items are logged
/// as "menu ITEM".
void draw_plot_menu(const Ui& ui, PlotMenu& menu, const PlotSpec& own, const PlotSpec& shown, PlotView& view);

/// What a plot remembers between frames: the user's view, and what follows from it and the specification.
class PlotState {
  public:
    PlotView view;

    /// The specification was replaced: the next drawing summarises and fits it again.
    void invalidate() { prepared_ = false; }
    void prepare(const PlotSpec& spec);

    /// While on, fitted ranges grow and never shrink, so that the plot stands still while a slider restarts its run.
    void hold_axes(bool on);

    /// The plot as drawn and exported, with the limits of its axes.
    const PlotSpec& shown() const { return shown_; }
    /// The same with limits that fit the data.
    PlotSpec fitted() const;
    const std::vector<SeriesShape>& shapes() const { return shapes_; }
    AxisRange x_range() const { return {*shown_.x.minimum, *shown_.x.maximum}; }
    AxisRange y_range() const { return {*shown_.y.minimum, *shown_.y.maximum}; }

    /// Lays the plot out at `min`, if its data, view or place have changed.
    const PlotFrame& lay_out(const Ui& ui, ImVec2 min, ImVec2 size);
    const PlotLayout& layout() const { return layout_; }
    /// No series has a value.
    bool empty() const { return empty_; }
    /// How often the data was laid out.
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
    std::string held_axes_;  // axes_of() held_: another quantity or scale is not held
    ViewRanges held_;
    PlotView built_view_;
    AxisSpec own_x_, own_y_;  // before the view's ranges
    PlotSpec shown_;
    std::vector<SeriesShape> shapes_;

    // The place for which the frame was laid out.
    struct Place {
        float x = 0.0F, y = 0.0F, width = 0.0F, height = 0.0F, beside = 0.0F, above = 0.0F, scale = 0.0F;
        const ImFont* font = nullptr;
        bool operator==(const Place&) const = default;
    };
    Place place_;
    PlotFrame frame_;
    bool laid_out_ = false;
    int layouts_ = 0;
    PlotLayout layout_;
};

/// Whether the series has a finite value.
bool has_value(const Series& series);

struct PlotResponse {
    std::optional<PlotReading> reading = {};    // under the pointer
    std::optional<uint64_t> clicked_seed = {};  // the seed whose point was clicked
    ImVec2 area_min{}, area_max{};              // inside the axes, in pixels
};

/// Draws at the cursor, `size` pixels large. `spec` must be the one that `state` has prepared or was invalidated for.
/// `linked_x`: where the pointer reads another plot with the same x axis.
PlotResponse draw_plot(const Ui& ui, const PlotSpec& spec, PlotState& state, ImVec2 size,
                       std::optional<double> linked_x = std::nullopt);

}  // namespace emergence
