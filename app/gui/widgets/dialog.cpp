#include "app/gui/widgets/dialog.h"

#include <algorithm>
#include <string>

#include "app/gui/shell/widget_log.h"
#include "app/gui/widgets/panel.h"

namespace emergence {

Dialog::Dialog(const Ui& ui, const char* name, float width) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Appearing, {0.5F, 0.5F});
    ImGui::SetNextWindowSizeConstraints({std::min(ui.px(width), display.x), 0.0F},
                                        {display.x, display.y - ui.px(16)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0F);
    ImGui::PushStyleColor(ImGuiCol_Border, ui.colors.axis);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.colors.panel);
    // Above the panels, but not above a list that has been opened in it.
    if (!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) ImGui::SetNextWindowFocus();
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoNav);
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar();
    keep_in_reach(ui);
    if (ui.log == nullptr) return;
    const ImVec2 min = ImGui::GetWindowPos();
    const ImVec2 size = ImGui::GetWindowSize();
    ui.log->record(std::string("panel ") + name, min, {min.x + size.x, min.y + size.y});
}

Dialog::~Dialog() { ImGui::End(); }

}  // namespace emergence
