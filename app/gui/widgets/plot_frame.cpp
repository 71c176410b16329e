#include "app/gui/widgets/plot_frame.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/gui/widgets/strokes.h"
#include "app/gui/widgets/text.h"
#include "core/pictures/plot_view.h"

namespace emergence {
namespace {

// From this height on (of the 1600 x 1000 design) the x axis' label has a line of its own.
constexpr float kHighPlot = 260.0F;

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
void draw_plot_heading(const Ui& ui, ImDrawList* list, const PlotSpec& spec, ImVec2 at, float width) {
    const std::string title = elided(ui.fonts.bold, spec.title, width);
    draw_text(list, ui.fonts.bold, at, ui.colors.text, title);
    std::string meaning = greek(axis_title(spec.y));
    const float used = text_size(ui.fonts.bold, title).x + ui.px(10);
    // What does not fit is left out from the last comma on: a number that is cut would be another one.
    while (!meaning.empty() && text_size(ui.fonts.small, meaning).x > width - used) {
        const size_t comma = meaning.rfind(", ");
        meaning.resize(comma == std::string::npos ? 0 : comma);
    }
    if (meaning.empty()) return;
    const float drop = ui.fonts.bold->Ascent - ui.fonts.small->Ascent;
    draw_text(list, ui.fonts.small, {at.x + used, at.y + drop}, ui.colors.muted, meaning);
}

// Broken between words, so that no number is cut.
std::vector<std::string> wrapped(const ImFont* font, const std::string& text, float width) {
    std::vector<std::string> lines;
    if (text.empty()) return lines;
    for (size_t begin = 0; begin <= text.size();) {
        const size_t end = std::min(text.find(' ', begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        if (!lines.empty() && text_size(font, lines.back() + " " + word).x <= width)
            lines.back() += " " + word;
        else
            lines.push_back(word);
        begin = end + 1;
    }
    return lines;
}

// What stands below the axes.
struct Footer {
    std::string label;
    bool own_line = false;  // a line below the ticks' labels
    float height = 0.0F;
};

// In a low plot the axis' label takes the place of the last tick's instead of a line of its own.
Footer footer_for(const Ui& ui, const PlotSpec& spec, float height) {
    const float line = ui.fonts.small->FontSize;
    Footer footer;
    footer.label = greek(axis_title(spec.x));
    footer.own_line = !footer.label.empty() && height > ui.px(kHighPlot);
    footer.height = line + ui.px(4) + (footer.own_line ? line + ui.px(1) : 0.0F);
    return footer;
}

// Equal margins line up the plots of a column; a wider label may still push its own plot in, by steps, so
// that a plot that is being dragged does not tremble.
float left_margin(const Ui& ui, const std::vector<Tick>& ticks) {
    float margin = ui.px(44);
    for (const Tick& tick : ticks)
        while (text_size(ui.fonts.small, tick.label).x + ui.px(8) > margin) margin += ui.px(12);
    return margin;
}

void draw_footer(const Ui& ui, ImDrawList* list, const PlotFrame& frame, const Footer& footer) {
    const float margin = frame.area_min.x - frame.min.x;
    // A short label has its place under the y axis' numbers; a long one takes the last tick's.
    const float width = text_size(ui.fonts.small, footer.label).x;
    const bool at_left = width < margin - ui.px(8);
    const float beside = footer.own_line || at_left || footer.label.empty() ? 0.0F : width + ui.px(12);
    draw_ticks(ui, list, frame, frame.max.x - beside);
    list->AddRect(frame.area_min, frame.area_max, with_alpha(ui.colors.axis, 0.6F));
    if (footer.own_line)
        draw_text_placed(list, ui.fonts.small, {(frame.area_min.x + frame.area_max.x) / 2, frame.max.y},
                         Placed::middle, Placed::end, ui.colors.muted, footer.label);
    else
        draw_text_placed(
            list, ui.fonts.small,
            {at_left ? frame.area_min.x - ui.px(8) : frame.area_max.x, frame.area_max.y + ui.px(3)},
            Placed::end, Placed::start, ui.colors.muted, footer.label);
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

float fit_button_width(const Ui& ui) { return text_size(ui.fonts.small, "Fit").x + ui.px(14); }

PlotFrame draw_frame(const Ui& ui, const PlotSpec& spec, float legend_height, bool fitted, ImVec2 size) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    PlotFrame frame;
    frame.min = ImGui::GetCursorScreenPos();
    frame.max = {frame.min.x + size.x, frame.min.y + size.y};
    const AxisRange x_range{*spec.x.minimum, *spec.x.maximum}, y_range{*spec.y.minimum, *spec.y.maximum};
    const float line = ui.fonts.small->FontSize;
    const float title = spec.title.empty() ? 0.0F : ui.fonts.bold->FontSize + ui.px(3);
    const std::vector<std::string> numbers = wrapped(ui.fonts.small, greek(spec.readout), size.x);
    const float heading =
        title + (numbers.empty() ? 0.0F : line * static_cast<float>(numbers.size()) + ui.px(3));
    const Footer footer = footer_for(ui, spec, size.y);

    frame.area_min.y = frame.min.y + heading + legend_height;
    frame.area_max.y = std::max(frame.max.y - footer.height, frame.area_min.y + ui.px(10));
    const int rows = std::max(2, static_cast<int>((frame.area_max.y - frame.area_min.y) / ui.px(30)));
    frame.y_ticks = make_ticks(y_range.first, y_range.second, spec.y.scale, std::min(rows, 6));
    frame.area_min.x = frame.min.x + left_margin(ui, frame.y_ticks);
    frame.area_max.x = std::max(frame.max.x - ui.px(6), frame.area_min.x + ui.px(10));
    const int columns = std::clamp(static_cast<int>((frame.area_max.x - frame.area_min.x) / ui.px(75)), 2, 9);
    frame.x_ticks = make_ticks(spec.x, x_range, columns);
    frame.x = AxisMap(x_range, spec.x.scale, frame.area_min.x, frame.area_max.x);
    frame.y = AxisMap(y_range, spec.y.scale, frame.area_max.y, frame.area_min.y);

    list->PushClipRect(frame.min, frame.max, true);
    draw_plot_heading(ui, list, spec, frame.min, size.x - (fitted ? 0.0F : fit_button_width(ui) + ui.px(6)));
    for (size_t i = 0; i < numbers.size(); ++i)
        draw_text(list, ui.fonts.small, {frame.min.x, frame.min.y + title + line * static_cast<float>(i)},
                  ui.colors.text, numbers[i]);
    list->AddRectFilled(frame.area_min, frame.area_max, ui.colors.plot);
    draw_footer(ui, list, frame, footer);
    list->PopClipRect();
    return frame;
}

}  // namespace emergence
