#include "app/gui/widgets/buttons.h"

#include <algorithm>
#include <cmath>

#include "app/gui/shell/widget_log.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"

namespace emergence {

namespace {

// The label stands in the middle of the last item, a button.
void tell_button_text(const std::string& label) {
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    const ImVec2 size = ImGui::CalcTextSize(label.c_str());
    tell_text(ImGui::GetFont(), {(min.x + max.x - size.x) / 2, (min.y + max.y - size.y) / 2}, label);
}

constexpr float kSegmentPadding = 20.0F;  // of both sides together
constexpr float kLeastSegmentPadding = 6.0F;

float width_of(const std::vector<const char*>& labels, float padding) {
    float width = 0.0F;
    for (const char* label : labels) width += ImGui::CalcTextSize(label).x + padding;
    return width;
}

}  // namespace

bool draw_segments(const Ui& ui, const char* id, const std::vector<const char*>& labels, int& chosen,
                   const std::vector<std::string>& refusals) {
    const int before = chosen;
    // Where they do not fit they move closer, and then become smaller.
    const float room = ImGui::GetContentRegionAvail().x;
    const bool small = width_of(labels, ui.px(kLeastSegmentPadding)) > room;
    const float height = ImGui::GetFrameHeight();
    if (small) ImGui::PushFont(ui.fonts.small);
    const float frame_padding = std::floor((height - ImGui::GetFontSize()) / 2);
    const auto count = static_cast<float>(std::max<size_t>(1, labels.size()));
    const float padding = std::clamp(std::floor((room - width_of(labels, 0.0F)) / count), ui.px(kLeastSegmentPadding),
                                     ui.px(kSegmentPadding));
    ImGui::PushID(id);
    for (int i = 0; i < static_cast<int>(labels.size()); ++i) {
        const char* label = labels[static_cast<size_t>(i)];
        if (i > 0) ImGui::SameLine(0.0F, 0.0F);
        const bool on = i == chosen;
        ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, 0.0F);
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0.0F, frame_padding});
        ImGui::PushStyleColor(ImGuiCol_Button, on ? ui.colors.accent : ui.colors.control);
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered, on ? ui.colors.accent : ui.colors.hovered);
        ImGui::PushStyleColor(ImGuiCol_Text, on ? ui.colors.on_accent : ui.colors.text);
        const std::string refusal = refusals.empty() ? "" : refusals[static_cast<size_t>(i)];
        ImGui::BeginDisabled(!refusal.empty());
        if (ImGui::Button(label, {ImGui::CalcTextSize(label).x + padding, height})) chosen = i;
        tell_button_text(label);
        ImGui::EndDisabled();
        ImGui::PopStyleColor(3);
        ImGui::PopStyleVar(2);
        if (!refusal.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) explain_now(ui, refusal);
        log_item(ui, (std::string(id) + " " + label).c_str());
    }
    if (small) ImGui::PopFont();
    ImGui::PopID();
    return chosen != before;
}

bool draw_button(const Ui& ui, const char* id, const std::string& label, ImVec2 size, const char* tooltip,
                 bool strong) {
    if (strong) {
        ImGui::PushStyleColor(ImGuiCol_Button, ui.colors.accent);
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered, with_alpha(ui.colors.accent, 0.85F));
        ImGui::PushStyleColor(ImGuiCol_ButtonActive, with_alpha(ui.colors.accent, 0.7F));
        ImGui::PushStyleColor(ImGuiCol_Text, ui.colors.on_accent);
        ImGui::PushFont(ui.fonts.bold);
    }
    const bool pressed = ImGui::Button((label + "##" + id).c_str(), size);
    tell_button_text(label);
    if (strong) {
        ImGui::PopFont();
        ImGui::PopStyleColor(4);
    }
    log_item(ui, id);
    explain_item(ui, tooltip);
    return pressed;
}

}  // namespace emergence
