#include "app/gui/widgets/floating.h"

#include <algorithm>
#include <string>

#include "app/gui/shell/widget_log.h"

namespace emergence {
namespace {

// As much of the present window stays on the display that it can be taken hold of.
void keep_in_reach(const Ui& ui) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const ImVec2 at = ImGui::GetWindowPos();
    const ImVec2 size = ImGui::GetWindowSize();
    const float grip = ui.px(120);
    const ImVec2 inside(std::clamp(at.x, std::min(0.0F, grip - size.x), std::max(0.0F, display.x - grip)),
                        std::clamp(at.y, 0.0F, std::max(0.0F, display.y - ui.px(40))));
    if (inside.x != at.x || inside.y != at.y) ImGui::SetWindowPos(inside);
}

}  // namespace

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
