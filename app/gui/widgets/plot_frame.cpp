#include "app/gui/widgets/plot_frame.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/gui/widgets/strokes.h"
#include "app/gui/widgets/text.h"

namespace emergence {
namespace {

// From this height on (of the 1600 x 1000 design) the x axis' label has a line of its own.
constexpr float kHighPlot = 260.0F;

struct LegendEntry {
    const Series* series;
    float x;  // from the legend's left
    float y;  // from its top
};

// Where each entry of the legend goes when rows are `width` pixels long.
std::vector<LegendEntry> place_legend(const Ui& ui, const PlotSpec& spec, float width) {
    std::vector<LegendEntry> entries;
    float x = 0.0F;
    float y = 0.0F;
    for (const Series& series : spec.series) {
        const float needed = ui.px(22) + text_size(ui.fonts.small, greek(series.name)).x;
        if (x > 0.0F && x + needed > width) {
            x = 0.0F;
            y += ui.fonts.small->FontSize + ui.px(2);
        }
        entries.push_back({&series, x, y});
        x += needed + ui.px(14);
    }
    return entries;
}

void draw_legend(const Ui& ui, ImDrawList* list, ImVec2 at, const std::vector<LegendEntry>& entries) {
    for (const LegendEntry& entry : entries) {
        const ImU32 color = series_color(ui, entry.series->color);
        const float middle = std::round(at.y + entry.y + ui.fonts.small->FontSize * 0.55F);
        const ImVec2 from(at.x + entry.x, middle);
        const ImVec2 to(from.x + ui.px(16), middle);
        if (entry.series->dashed)
            draw_dashed(list, {from, to}, color, ui.px(2), ui.px(4));
        else
            list->AddLine(from, to, color, ui.px(3));
        draw_text(list, ui.fonts.small, {to.x + ui.px(6), at.y + entry.y}, ui.colors.text,
                  greek(entry.series->name));
    }
}

// `x_labels_end`: where the labels of the x axis have to stop.
void draw_ticks(const Ui& ui, ImDrawList* list, const PlotFrame& frame, float x_labels_end) {
    for (const Tick& tick : frame.y_ticks) {
        const auto y = static_cast<float>(std::round(frame.y.pixel(tick.value)));
        list->AddLine({frame.area_min.x, y}, {frame.area_max.x, y},
                      tick.label.empty() ? with_alpha(ui.colors.grid, 0.5F) : ui.colors.grid);
        draw_text_placed(list, ui.fonts.small, {frame.area_min.x - ui.px(6), y}, Placed::end, Placed::middle,
                         ui.colors.muted, tick.label);
    }
    float free_from = frame.min.x;
    for (const Tick& tick : frame.x_ticks) {
        const auto x = static_cast<float>(std::round(frame.x.pixel(tick.value)));
        list->AddLine({x, frame.area_min.y}, {x, frame.area_max.y},
                      tick.label.empty() ? with_alpha(ui.colors.grid, 0.5F) : ui.colors.grid);
        // A label at the right end moves in rather than being cut off.
        const float width = text_size(ui.fonts.small, tick.label).x;
        const float left = std::min(x - width / 2, frame.max.x - width);
        if (tick.label.empty() || left < free_from || left + width > x_labels_end) continue;
        draw_text(list, ui.fonts.small, {left, frame.area_max.y + ui.px(3)}, ui.colors.muted, tick.label);
        free_from = left + width + ui.px(8);
    }
}

// Title in bold with the y axis' meaning behind it, elided to what fits.
void draw_heading(const Ui& ui, ImDrawList* list, const PlotSpec& spec, ImVec2 at, float width) {
    const std::string title = elided(ui.fonts.bold, spec.title, width);
    draw_text(list, ui.fonts.bold, at, ui.colors.text, title);
    const std::string meaning = greek(axis_title(spec.y));
    const float used = text_size(ui.fonts.bold, title).x + ui.px(10);
    if (meaning.empty() || used + ui.px(40) > width) return;
    const float drop = ui.fonts.bold->Ascent - ui.fonts.small->Ascent;
    draw_text(list, ui.fonts.small, {at.x + used, at.y + drop}, ui.colors.muted,
              elided(ui.fonts.small, meaning, width - used));
}

}  // namespace

AxisMap::AxisMap(std::pair<double, double> range, Scale scale, float first_pixel, float last_pixel)
    : scale_(scale), low_(range.first), high_(range.second), first_(first_pixel), last_(last_pixel) {}

double AxisMap::pixel(double value) const {
    return first_ + axis_fraction(value, low_, high_, scale_) * (last_ - first_);
}

double AxisMap::value(double pixel) const {
    return axis_value((pixel - first_) / (last_ - first_), low_, high_, scale_);
}

PlotFrame draw_frame(const Ui& ui, const PlotSpec& spec, std::pair<double, double> x_range,
                     std::pair<double, double> y_range, ImVec2 size) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    PlotFrame frame;
    frame.min = ImGui::GetCursorScreenPos();
    frame.max = {frame.min.x + size.x, frame.min.y + size.y};
    const float line = ui.fonts.small->FontSize;

    const float heading = (spec.title.empty() ? 0.0F : ui.fonts.bold->FontSize + ui.px(3)) +
                          (spec.readout.empty() ? 0.0F : line + ui.px(3));
    const auto legend = place_legend(ui, spec, size.x);
    const float legend_height = legend.empty() ? 0.0F : legend.back().y + line + ui.px(6);
    const std::string x_label = greek(axis_title(spec.x));
    // In a low plot the axis' label takes the place of the last tick's instead of a line of its own.
    const bool own_line = !x_label.empty() && size.y > ui.px(kHighPlot);
    const float below = line + ui.px(4) + (own_line ? line + ui.px(1) : 0.0F);

    frame.area_min.y = frame.min.y + heading + legend_height;
    frame.area_max.y = std::max(frame.max.y - below, frame.area_min.y + ui.px(10));
    const int rows = std::max(2, static_cast<int>((frame.area_max.y - frame.area_min.y) / ui.px(30)));
    frame.y_ticks = make_ticks(y_range.first, y_range.second, spec.y.scale, std::min(rows, 6));
    // Equal margins line up the plots of a column; a wider label may still push its own plot in.
    float margin = ui.px(44);
    for (const Tick& tick : frame.y_ticks)
        margin = std::max(margin, text_size(ui.fonts.small, tick.label).x + ui.px(8));
    frame.area_min.x = frame.min.x + margin;
    frame.area_max.x = std::max(frame.max.x - ui.px(6), frame.area_min.x + ui.px(10));
    const int columns = std::clamp(static_cast<int>((frame.area_max.x - frame.area_min.x) / ui.px(75)), 2, 9);
    frame.x_ticks = make_ticks(x_range.first, x_range.second, spec.x.scale, columns);
    frame.x = AxisMap(x_range, spec.x.scale, frame.area_min.x, frame.area_max.x);
    frame.y = AxisMap(y_range, spec.y.scale, frame.area_max.y, frame.area_min.y);

    list->PushClipRect(frame.min, frame.max, true);
    draw_heading(ui, list, spec, frame.min, size.x);
    if (!spec.readout.empty())
        draw_text(list, ui.fonts.small, {frame.min.x, frame.min.y + heading - line - ui.px(3)},
                  ui.colors.text, elided(ui.fonts.small, greek(spec.readout), size.x));
    draw_legend(ui, list, {frame.min.x, frame.min.y + heading}, legend);
    list->AddRectFilled(frame.area_min, frame.area_max, ui.colors.plot);
    // A short label has its place under the y axis' numbers; a long one takes the last tick's.
    const float label_width = text_size(ui.fonts.small, x_label).x;
    const bool at_left = label_width < margin - ui.px(8);
    const float beside = own_line || at_left || x_label.empty() ? 0.0F : label_width + ui.px(12);
    draw_ticks(ui, list, frame, frame.max.x - beside);
    list->AddRect(frame.area_min, frame.area_max, with_alpha(ui.colors.axis, 0.6F));
    if (own_line)
        draw_text_placed(list, ui.fonts.small, {(frame.area_min.x + frame.area_max.x) / 2, frame.max.y},
                         Placed::middle, Placed::end, ui.colors.muted, x_label);
    else
        draw_text_placed(
            list, ui.fonts.small,
            {at_left ? frame.area_min.x - ui.px(8) : frame.area_max.x, frame.area_max.y + ui.px(3)},
            Placed::end, Placed::start, ui.colors.muted, x_label);
    list->PopClipRect();
    return frame;
}

void draw_reference_lines(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (const ReferenceLine& line : spec.lines) {
        const double at = (line.vertical ? frame.x : frame.y).pixel(line.value);
        if (!std::isfinite(at)) continue;
        const auto pixel = static_cast<float>(std::round(at)) + 0.5F;
        const ImU32 color = ui.colors.muted;
        const std::string label = greek(line.label);
        if (line.vertical) {
            draw_dashed(list, {{pixel, frame.area_min.y}, {pixel, frame.area_max.y}}, color, ui.px(1),
                        ui.px(5));
            const bool left_side = pixel + text_size(ui.fonts.small, label).x + ui.px(6) > frame.area_max.x;
            draw_text_placed(list, ui.fonts.small,
                             {pixel + (left_side ? -ui.px(4) : ui.px(4)), frame.area_min.y + ui.px(2)},
                             left_side ? Placed::end : Placed::start, Placed::start, color, label);
        } else {
            draw_dashed(list, {{frame.area_min.x, pixel}, {frame.area_max.x, pixel}}, color, ui.px(1),
                        ui.px(5));
            const bool below = pixel - ui.fonts.small->FontSize - ui.px(2) < frame.area_min.y;
            draw_text_placed(list, ui.fonts.small,
                             {frame.area_max.x - ui.px(4), pixel + (below ? ui.px(1) : -ui.px(1))},
                             Placed::end, below ? Placed::start : Placed::end, color, label);
        }
    }
}

}  // namespace emergence
