#include "app/gui/widgets/dialog.h"

#include <algorithm>

namespace emergence {

Dialog::Dialog(const Ui& ui, const char* name, float width) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Appearing, {0.5F, 0.5F});
    ImGui::SetNextWindowSizeConstraints({std::min(ui.px(width), display.x), 0.0F}, {display.x, display.y - ui.px(16)});
    // Above the panels, but not above a list that has been opened in it.
    if (!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) ImGui::SetNextWindowFocus();
    window_.emplace(ui, name, ui.colors.axis, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoNav, true);
}

}  // namespace emergence
