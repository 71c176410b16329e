#include "app/gui/widgets/tooltip.h"

#include <imgui_internal.h>

#include <algorithm>

#include "app/gui/widgets/term_hover.h"
#include "app/gui/widgets/text.h"

namespace emergence {

namespace {

constexpr float kTooltipWidth = 380.0F;
constexpr float kHighItem = 60.0F;  // from here on a tooltip beside it would be too far from the pointer

// Below the item or above it, never on it: what is explained stays to be seen, and to be clicked.
void place_tooltip(const Ui& ui, ImVec2 min, ImVec2 max, const std::string& text) {
    if (max.y - min.y > ui.px(kHighItem)) return;
    const ImVec2 padding = ImGui::GetStyle().WindowPadding;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const ImVec2 size = ImGui::CalcTextSize(text.c_str(), nullptr, false, ui.px(kTooltipWidth));
    const float added = ui.terms != nullptr ? ui.terms->added_height() : 0.0F;
    const float wide = size.x + 2 * padding.x, high = size.y + 2 * padding.y + added, gap = ui.px(6);
    const float x = std::clamp(ImGui::GetIO().MousePos.x - ui.px(12), 0.0F, std::max(0.0F, display.x - wide));
    const bool below = max.y + gap + high <= display.y;
    ImGui::SetNextWindowPos({x, below ? max.y + gap : std::max(0.0F, min.y - gap - high)});
}

}  // namespace

// As large as it was in the last frame: in its first one ImGui does not show it yet.
void keep_tooltip_on_display() {
    ImGuiNextWindowData& next = ImGui::GetCurrentContext()->NextWindowData;
    const ImGuiWindow* tooltip = ImGui::FindWindowByName("##Tooltip_00");
    if ((next.Flags & ImGuiNextWindowDataFlags_HasPos) == 0 || tooltip == nullptr || !tooltip->WasActive) return;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    next.PosVal = {std::clamp(next.PosVal.x, 0.0F, std::max(0.0F, display.x - tooltip->Size.x)),
                   std::clamp(next.PosVal.y, 0.0F, std::max(0.0F, display.y - tooltip->Size.y))};
}

void keep_tooltip_in_window(const Ui& ui) {
    const ImGuiWindow* tooltip = ImGui::FindWindowByName("##Tooltip_00");
    const float width = tooltip != nullptr && tooltip->WasActive ? tooltip->Size.x : ui.px(kTooltipWidth);
    const ImVec2 pointer = ImGui::GetIO().MousePos;
    const float apart = ui.px(16), right = ImGui::GetWindowPos().x + ImGui::GetWindowWidth();
    const bool left = pointer.x + apart + width > right;
    ImGui::SetNextWindowPos({left ? std::max(0.0F, pointer.x - apart - width) : pointer.x + apart, pointer.y + apart});
}

bool may_explain_item(const Ui& ui) {
    const bool quiet = ui.terms != nullptr && !ui.terms->may_explain();
    // A presentation has an audience, which tooltips would hide the picture from.
    return !quiet && !ui.presenting && ImGui::IsItemHovered() && !ImGui::IsItemActive();
}

void explain_item(const Ui& ui, const std::string& text) {
    if (text.empty() || !may_explain_item(ui)) return;
    explain_beside(ui, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), text);
}

void explain_beside(const Ui& ui, ImVec2 min, ImVec2 max, const std::string& text) {
    place_tooltip(ui, min, max, greek(text));
    explain_now(ui, text);
}

void explain_now(const Ui& ui, const std::string& text) {
    const Tooltip tooltip(ui, kTooltipWidth);
    wrapped_text(greek(text));
}

}  // namespace emergence
