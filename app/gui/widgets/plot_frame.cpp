#include "app/gui/widgets/plot_frame.h"

#include <algorithm>

#include "app/gui/widgets/imgui_pen.h"
#include "app/gui/widgets/text.h"
#include "app/handbook/glossary.h"
#include "core/pictures/axis.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

// From this height on (of the 1600 x 1000 design) the x axis' label has a line below its numbers.
constexpr float kHighPlot = 260.0F;
// Up to this height (of the same design) the y axis' meaning has no line of its own.
constexpr float kFlatPlot = 120.0F;

// The title with the y axis' meaning behind it, as much of it as fits; below it if only a symbol would be left, "c".
void set_heading(const Ui& ui, const PlotSpec& spec, ImVec2 size, float width, PlotFrame& frame) {
    constexpr size_t kMostLines = 2;
    frame.heading_width = width;
    frame.title = heading_in(ui, spec.title, width);
    const bool one_line = frame.title.lines.size() <= 1;
    const float room = one_line ? width - frame.title.width - ui.px(10) : 0.0F;
    const std::string meaning = greek(handbook::plainly(axis_title(spec.y)));
    frame.meaning = whole_parts(ui.fonts.small, meaning, room);
    const size_t kept = frame.meaning.size();
    const bool explained = kept == meaning.size() || (kept > 0 && meaning[kept] != ':');
    if (explained || spec.title.empty() || size.y <= ui.px(kFlatPlot)) return;
    std::vector<std::string> lines = lines_of_words(ui.fonts.small, meaning, size.x);
    if (lines.size() > kMostLines) return;
    frame.meaning.clear();
    frame.meaning_below = std::move(lines);
}

// Equal margins line up the plots of a column; a wider label may still push its own plot in, by steps, so
// that a plot that is being dragged does not tremble.
float left_margin(const Ui& ui, const std::vector<Tick>& ticks) {
    float margin = ui.px(44);
    for (const Tick& tick : ticks)
        while (text_size(ui.fonts.small, with_minus(tick.label)).x + ui.px(8) > margin) margin += ui.px(12);
    return margin;
}

// Places the footer; returns the room that it leaves to the numbers of the x axis.
NumberRoom set_footer(const Ui& ui, bool own_line, PlotFrame& frame) {
    const float margin = frame.area_min.x - frame.min.x;
    // A short label has its place under the y axis' numbers; a long one takes the last tick's.
    const float width = text_size(ui.fonts.small, frame.footer).x;
    const bool at_left = width < margin - ui.px(8);
    const float below = frame.area_max.y + ui.px(3);
    frame.footer_centred = own_line;
    frame.footer_at = own_line  ? ImVec2((frame.area_min.x + frame.area_max.x) / 2, frame.max.y)
                      : at_left ? ImVec2(frame.area_min.x - ui.px(8), below)
                                : ImVec2(frame.area_max.x, below);
    const float beside = own_line || at_left || frame.footer.empty() ? 0.0F : width + ui.px(12);
    const float right = frame.area_max.x + ui.px(6);  // a legend may stand beyond
    return {static_cast<double>(frame.min.x), static_cast<double>(right - beside), static_cast<double>(right)};
}

}  // namespace

float fit_button_width(const Ui& ui) { return text_size(ui.fonts.small, "Fit").x + ui.px(14); }

PlotFrame lay_out_frame(const Ui& ui, const PlotSpec& spec, ImVec2 legend, bool fitted, ImVec2 min, ImVec2 size) {
    const PictureStyle& style = picture_style(ui);
    const ImGuiPen pen(ui, nullptr);
    PlotFrame frame;
    frame.min = min;
    frame.max = {min.x + size.x, min.y + size.y};
    const AxisRange x_range{*spec.x.minimum, *spec.x.maximum}, y_range{*spec.y.minimum, *spec.y.maximum};
    const float line = ui.fonts.small->FontSize;
    set_heading(ui, spec, size, size.x - (fitted ? 0.0F : fit_button_width(ui) + ui.px(6)), frame);
    frame.readout = pen.wrap(greek(spec.readout), style.plot.tick, static_cast<double>(size.x));
    frame.footer = greek(axis_title(spec.x));
    const bool own_line = !frame.footer.empty() && size.y > ui.px(kHighPlot);
    // Half of the number at the y axis' end stands above it, where no legend is.
    const float below = ui.px(3) + (legend.y > 0.0F ? 0.0F : line / 2);
    const size_t lines = frame.meaning_below.size() + frame.readout.size();
    const float heading = (spec.title.empty() ? 0.0F : frame.title.height + ui.px(3)) +
                          (lines == 0 ? 0.0F : line * static_cast<float>(lines) + below);
    const float footer = line + ui.px(4) + (own_line ? line + ui.px(1) : 0.0F);

    frame.area_min.y = frame.min.y + heading + legend.y;
    frame.area_max.y = std::max(frame.max.y - footer, frame.area_min.y + ui.px(10));
    const int rows = std::max(2, static_cast<int>((frame.area_max.y - frame.area_min.y) / ui.px(30)));
    const std::vector<Tick> y_ticks = make_ticks(y_range.first, y_range.second, spec.y.scale, std::min(rows, 6));
    frame.area_min.x = frame.min.x + left_margin(ui, y_ticks);
    frame.area_max.x = std::max(frame.max.x - legend.x - ui.px(6), frame.area_min.x + ui.px(10));
    const int columns = std::clamp(static_cast<int>((frame.area_max.x - frame.area_min.x) / ui.px(75)), 2, 9);
    frame.place = PlotPlace(spec, x_range, y_range, rect_between(frame.area_min, frame.area_max));
    frame.axes = lay_out_axes(frame.place, make_ticks(spec.x, x_range, columns), y_ticks,
                              set_footer(ui, own_line, frame), style, pen);
    return frame;
}

void draw_frame(const Ui& ui, Pen& pen, const PlotFrame& frame, const std::string& note, const PictureStyle& style) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Rect& area = frame.place.area;
    pen.clip(rect_between(frame.min, frame.max));
    draw_lines(list, frame.title.font, frame.min, ui.colors.text, frame.title.lines);
    const float beside = frame.min.y + ui.fonts.bold->Ascent - ui.fonts.small->Ascent;
    float used = frame.title.width + ui.px(10);
    draw_text(list, ui.fonts.small, {frame.min.x + used, beside}, ui.colors.muted, frame.meaning);
    if (!frame.meaning.empty()) used += text_size(ui.fonts.small, frame.meaning).x + ui.px(10);
    if (used + text_size(ui.fonts.small, note).x <= frame.heading_width)
        draw_text_placed(list, ui.fonts.small, {frame.min.x + frame.heading_width, beside}, Placed::end, Placed::start,
                         ui.colors.warning, note);
    ImVec2 below(frame.min.x, frame.min.y + (frame.title.width == 0.0F ? 0.0F : frame.title.height + ui.px(3)));
    draw_lines(list, ui.fonts.small, below, ui.colors.muted, frame.meaning_below);
    below.y += ui.fonts.small->FontSize * static_cast<float>(frame.meaning_below.size());
    draw_lines(list, ui.fonts.small, below, ui.colors.text, frame.readout);
    pen.fill(area, to_ink(ui.colors.plot));
    draw_grid(pen, frame.axes, area, style);
    draw_axes_frame(pen, frame.axes, area, style);
    draw_text_placed(list, ui.fonts.small, frame.footer_at, frame.footer_centred ? Placed::middle : Placed::end,
                     frame.footer_centred ? Placed::end : Placed::start, ui.colors.muted, frame.footer);
    pen.unclip();
}

}  // namespace emergence
