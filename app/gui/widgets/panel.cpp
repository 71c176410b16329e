#include "app/gui/widgets/panel.h"

#include <cmath>
#include <string>

#include "app/gui/shell/widget_log.h"

namespace emergence {

Panel::Panel(const Ui& ui, const char* name, const Box& box, bool scrolls) {
    ImGui::SetNextWindowPos(box.min);
    ImGui::SetNextWindowSize(box.size);
    ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                             ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                             ImGuiWindowFlags_NoNav |
                             // Bad news that comes up must not close a list or take the keyboard from a text.
                             ImGuiWindowFlags_NoFocusOnAppearing;
    if (scrolls)
        flags &= ~ImGuiWindowFlags_NoScrollbar;
    else
        flags |= ImGuiWindowFlags_NoScrollWithMouse;
    ImGui::Begin(name, nullptr, flags);
    if (ui.log != nullptr) ui.log->record(std::string("panel ") + name, box.min, box.max());
}

Panel::~Panel() { ImGui::End(); }

namespace {

// The part of a panel's corner that its rounding leaves out; (dx, dy) points from the corner into the panel.
void draw_corner(ImDrawList* list, ImVec2 corner, float dx, float dy, float radius, ImU32 color) {
    constexpr int kSegments = 6;
    const ImVec2 centre(corner.x + dx * radius, corner.y + dy * radius);
    list->PathLineTo(corner);
    for (int i = 0; i <= kSegments; ++i) {
        // Clockwise on the screen in every corner, as filling with smooth edges wants it.
        const int step = dx * dy > 0.0F ? kSegments - i : i;
        const float angle = static_cast<float>(step) / kSegments * 1.5707963F;
        list->PathLineTo({centre.x - dx * radius * std::cos(angle), centre.y - dy * radius * std::sin(angle)});
    }
    list->PathFillConvex(color);
}

}  // namespace

void draw_gaps(const Ui& ui, const std::vector<Box>& panels, float gap) {
    ImDrawList* list = ImGui::GetBackgroundDrawList();
    const float radius = ImGui::GetStyle().WindowRounding;
    for (const Box& panel : panels) {
        if (panel.size.y <= 0.0F) continue;
        const ImVec2 a = panel.min;
        const ImVec2 b = panel.max();
        const ImU32 color = ui.colors.window;
        list->AddRectFilled({a.x - gap, a.y - gap}, {b.x + gap, a.y}, color);
        list->AddRectFilled({a.x - gap, b.y}, {b.x + gap, b.y + gap}, color);
        list->AddRectFilled({a.x - gap, a.y}, {a.x, b.y}, color);
        list->AddRectFilled({b.x, a.y}, {b.x + gap, b.y}, color);
        draw_corner(list, a, 1, 1, radius, color);
        draw_corner(list, {b.x, a.y}, -1, 1, radius, color);
        draw_corner(list, {a.x, b.y}, 1, -1, radius, color);
        draw_corner(list, b, -1, -1, radius, color);
    }
}

}  // namespace emergence
