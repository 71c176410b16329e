#include "app/gui/widgets/floating.h"

#include <string>

#include "app/gui/shell/widget_log.h"
#include "app/gui/widgets/panel.h"

namespace emergence {

Floating::Floating(const Ui& ui, const char* name, ImU32 border, ImGuiWindowFlags flags, bool movable) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0F);
    ImGui::PushStyleColor(ImGuiCol_Border, border);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.colors.panel);
    ImGui::Begin(name, nullptr,
                 flags | ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar();
    if (movable) keep_in_reach(ui);
    if (ui.log == nullptr) return;
    const ImVec2 min = ImGui::GetWindowPos();
    const ImVec2 size = ImGui::GetWindowSize();
    ui.log->record(std::string("panel ") + name, min, {min.x + size.x, min.y + size.y});
}

Floating::~Floating() { ImGui::End(); }

}  // namespace emergence
