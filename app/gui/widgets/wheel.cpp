#include "app/gui/widgets/wheel.h"

#include "app/gui/widgets/imgui_versions.h"

namespace emergence {

bool takes_wheel() {
    ImGuiContext& context = *ImGui::GetCurrentContext();
    const ImGuiWindow* panel = ImGui::GetCurrentWindow();
    const bool clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Left) || ImGui::IsMouseClicked(ImGuiMouseButton_Right);
    // ImGui notes which window is being scrolled, and forgets it when the pointer moves or rests.
    if (clicked) wheel_timer(context) = 0.0F;
    const bool scrolling = context.WheelingWindow == panel && panel->ScrollMax.y > 0.0F && !clicked;
    if (!scrolling) ImGui::SetItemUsingMouseWheel();
    return !scrolling;
}

}  // namespace emergence
