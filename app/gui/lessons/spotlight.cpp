#include "app/gui/lessons/spotlight.h"

#include <algorithm>
#include <utility>

namespace emergence {
namespace {

constexpr float kDarkness = 0.55F;

// How the widgets of a picture or a setting are called in the log: "plot msve", "heatmap P0", "drawing world".
bool is_of(const std::string& logged, const std::string& name) {
    for (const char* kind : {"plot ", "drawing ", "heatmap ", "handle "})
        if (logged.starts_with(kind) && logged.compare(std::string(kind).size(), std::string::npos, name) == 0)
            return true;
    // Theory's matrix stands beside the learned one.
    return logged == name || logged.starts_with("heatmap " + name + " ");
}

}  // namespace

std::vector<Box> spotlight_boxes(const WidgetLog& log, const std::vector<std::string>& names) {
    std::vector<Box> boxes;
    for (const auto& [logged, place] : log.places()) {
        if (!place.visible || !log.drawn(logged)) continue;
        const auto is_this = [&of = logged](const auto& name) { return is_of(of, name); };
        if (std::any_of(names.begin(), names.end(), is_this))
            boxes.push_back({place.min, {place.max.x - place.min.x, place.max.y - place.min.y}});
    }
    return boxes;
}

// Between two neighbouring edges of boxes every row of the window is alike.
void draw_spotlight(const Ui& ui, const Box& window, const std::vector<Box>& boxes, float margin) {
    if (boxes.empty()) return;
    ImDrawList* list = ImGui::GetForegroundDrawList();
    const ImU32 shade = with_alpha(ui.colors.window, kDarkness);
    std::vector<float> edges = {window.min.y, window.max().y};
    for (const Box& box : boxes)
        for (const float edge : {box.min.y - margin, box.max().y + margin})
            edges.push_back(std::clamp(edge, window.min.y, window.max().y));
    std::sort(edges.begin(), edges.end());
    for (size_t i = 0; i + 1 < edges.size(); ++i) {
        const float top = edges[i], bottom = edges[i + 1];
        if (bottom - top < 0.5F) continue;
        std::vector<std::pair<float, float>> lit;
        for (const Box& box : boxes)
            if (box.min.y - margin <= top && box.max().y + margin >= bottom)
                lit.emplace_back(box.min.x - margin, box.max().x + margin);
        std::sort(lit.begin(), lit.end());
        float from = window.min.x;
        for (const auto& [left, right] : lit) {
            if (left > from) list->AddRectFilled({from, top}, {left, bottom}, shade);
            from = std::max(from, right);
        }
        if (from < window.max().x) list->AddRectFilled({from, top}, {window.max().x, bottom}, shade);
    }
}

}  // namespace emergence
