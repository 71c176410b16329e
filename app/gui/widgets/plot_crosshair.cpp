#include "app/gui/widgets/plot_crosshair.h"

#include <algorithm>
#include <cmath>

#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/pictures/axis.h"

namespace emergence {

void draw_crosshair(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame, const PlotReading& reading) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const double across = frame.place.x.place(reading.x);
    if (!(across >= frame.area_min.x - 1.0F && across <= frame.area_max.x + 1.0F)) return;
    const auto x = static_cast<float>(std::round(across));
    list->AddLine({x, frame.area_min.y}, {x, frame.area_max.y}, with_alpha(ui.colors.text, 0.55F));
    for (size_t i = 0; i < spec.series.size(); ++i) {
        const double y = frame.place.y.place(reading.values[i]);
        if (!std::isfinite(y) || spec.series[i].bars) continue;
        const ImVec2 dot(x, static_cast<float>(y));
        list->AddCircleFilled(dot, ui.px(5), ui.colors.plot);
        list->AddCircleFilled(dot, 3.6F * ui.scale, series_color(ui, spec.series[i].color));
    }
    if (!reading.nearest) return;
    const ImVec2 at(x, static_cast<float>(frame.place.y.place(reading.nearest->y)));
    list->AddCircle(at, ui.px(7), ui.colors.text, 0, 1.6F * ui.scale);
}

void draw_readout(const Ui& ui, const PlotSpec& spec, const std::vector<SeriesShape>& shapes, const PlotFrame& frame,
                  const PlotReading& reading, ImVec2& size) {
    const ImVec2 pointer = ImGui::GetIO().MousePos;
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const auto x = static_cast<float>(frame.place.x.place(reading.x));
    const float apart = ui.px(16);
    // Names at the ends of the lines are not to be covered, as long as there is room on the other side.
    const bool named = frame.max.x - frame.area_max.x > ui.px(20);
    const bool left = x + apart + size.x > (named && x - apart - size.x > 0.0F ? frame.area_max.x : window.x);
    const bool above = pointer.y + apart + size.y > window.y;
    // Where neither side has room it lies over the pointer's line, whole.
    ImGui::SetNextWindowPos({left ? std::max(0.0F, x - apart - size.x) : x + apart,
                             above ? std::max(0.0F, pointer.y - apart - size.y) : pointer.y + apart});
    const Tooltip tooltip(ui, 0.0F);
    ImGui::PushFont(ui.fonts.small);
    ImGui::TextDisabled("%s %s", greek(spec.x.label).c_str(), reading_of_x(spec, shapes, reading).c_str());
    float names = 0.0F;
    for (const Series& series : spec.series) names = std::max(names, text_size(ui.fonts.small, greek(series.name)).x);
    for (size_t i = 0; i < spec.series.size(); ++i) {
        if (std::isnan(reading.values[i])) continue;
        ImGui::PushStyleColor(ImGuiCol_Text, series_color(ui, spec.series[i].color));
        ImGui::TextUnformatted(spec.series[i].dashed ? "--" : "■");
        ImGui::PopStyleColor();
        ImGui::SameLine(ui.px(34));
        const bool meant = reading.nearest && reading.nearest->series == i;
        const ImU32 color = meant || !reading.nearest ? ui.colors.text : ui.colors.muted;
        ImGui::PushStyleColor(ImGuiCol_Text, color);
        ImGui::TextUnformatted(greek(spec.series[i].name).c_str());
        ImGui::SameLine(names + ui.px(50));
        ImGui::TextUnformatted(greek(reading_text(spec, i, shapes[i], reading)).c_str());
        ImGui::PopStyleColor();
    }
    size = ImGui::GetWindowSize();
    ImGui::PopFont();
}

}  // namespace emergence
