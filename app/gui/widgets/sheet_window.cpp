#include "app/gui/widgets/sheet_window.h"

#include <algorithm>
#include <cmath>

#include "app/gui/widgets/buttons.h"

namespace emergence {

SheetWindow::SheetWindow(const Ui& ui, const char* name, float width, float height, bool raise) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    size_ = {std::min(ui.px(width), display.x - ui.px(16)), std::min(ui.px(height), display.y - ui.px(16))};
    ImGui::SetNextWindowPos({std::round((display.x - size_.x) / 2), std::round((display.y - size_.y) / 2)},
                            ImGuiCond_Appearing);
    ImGui::SetNextWindowSize(size_);
    if (raise) ImGui::SetNextWindowFocus();
    window_.emplace(ui, name, ui.colors.axis, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse, true);
}

bool SheetWindow::draw_heading(const Ui& ui, const char* title, const char* id, const std::string& subtitle,
                               const char* tooltip) const {
    ImGui::PushFont(ui.fonts.bold);
    ImGui::TextUnformatted(title);
    ImGui::PopFont();
    if (!subtitle.empty()) {
        ImGui::SameLine(0.0F, ui.px(12));
        ImGui::TextDisabled("%s", subtitle.c_str());
    }
    const float close = ui.px(28);
    ImGui::SameLine(size_.x - close - ImGui::GetStyle().WindowPadding.x);
    return draw_button(ui, (std::string(id) + " close").c_str(), "×", {close, 0.0F}, tooltip);
}

}  // namespace emergence
