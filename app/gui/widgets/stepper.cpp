#include "app/gui/widgets/stepper.h"

#include <imgui.h>

#include <cmath>

#include "app/gui/widgets/buttons.h"

namespace emergence {

int draw_stepper(const Ui& ui, const std::string& id, const std::string& value, float width) {
    int steps = 0;
    const ImVec2 side(ui.px(30), 0.0F);
    if (draw_button(ui, ("less " + id).c_str(), "−", side, "")) steps = -1;
    ImGui::SameLine();
    const float left = ImGui::GetCursorPosX();
    const float wide = ui.px(width);
    ImGui::SetCursorPosX(left + std::round((wide - ImGui::CalcTextSize(value.c_str()).x) / 2));
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(value.c_str());
    ImGui::SameLine();
    ImGui::SetCursorPosX(left + wide);
    if (draw_button(ui, ("more " + id).c_str(), "+", side, "")) steps = 1;
    return steps;
}

}  // namespace emergence
