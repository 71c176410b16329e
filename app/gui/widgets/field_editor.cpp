#include "app/gui/widgets/field_editor.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "app/gui/widgets/text.h"

namespace emergence {
namespace {

// Beyond this many values a slider's pixel stands for too many of them: a number with - and + serves better.
constexpr double kWidestSlider = 1e5;

// How much of the range a value is, on the slider's scale; nothing where that has no meaning.
std::optional<float> share_of(const FieldInfo& info, double value) {
    double share = 0.0;
    if (!info.logarithmic)
        share = (value - info.minimum) / (info.maximum - info.minimum);
    else if (info.minimum > 0.0)
        share = std::log(value / info.minimum) / std::log(info.maximum / info.minimum);
    else
        return std::nullopt;
    if (!std::isfinite(share)) return std::nullopt;
    return static_cast<float>(std::clamp(share, 0.0, 1.0));
}

// A track with a knob along the lower edge of the last item, so that nothing lies on the number.
void draw_track(const Ui& ui, const FieldInfo& info, double value) {
    const auto share = share_of(info, value);
    if (!share) return;
    const ImVec2 min = ImGui::GetItemRectMin();
    const ImVec2 max = ImGui::GetItemRectMax();
    const float knob = ui.px(4);  // half its width
    const float at = std::round(min.x + knob + (max.x - min.x - 2 * knob) * *share);
    const bool held = ImGui::IsItemActive() || ImGui::IsItemHovered();
    const ImU32 color = with_alpha(ui.colors.accent, held ? 1.0F : 0.85F);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled({min.x, max.y - ui.px(3)}, {at, max.y}, color, ui.px(2),
                        ImDrawFlags_RoundCornersBottomLeft);
    list->AddRectFilled({at - knob, max.y - ui.px(6)}, {at + knob, max.y + ui.px(1)}, color, ui.px(2));
}

// ImGui's slider with our own track in place of its grab.
void draw_slider(const Ui& ui, const FieldInfo& info, ImGuiDataType type, void* value, const void* low,
                 const void* high, const char* format) {
    const ImGuiSliderFlags shape = info.logarithmic ? ImGuiSliderFlags_Logarithmic : ImGuiSliderFlags_None;
    ImGui::PushStyleColor(ImGuiCol_SliderGrab, IM_COL32_BLACK_TRANS);
    ImGui::PushStyleColor(ImGuiCol_SliderGrabActive, IM_COL32_BLACK_TRANS);
    ImGui::SliderScalar("##control", type, value, low, high, format, shape | ImGuiSliderFlags_AlwaysClamp);
    ImGui::PopStyleColor(2);
    const double shown = type == ImGuiDataType_S64 ? static_cast<double>(*static_cast<int64_t*>(value))
                                                   : *static_cast<double*>(value);
    draw_track(ui, info, shown);
}

std::optional<FieldValue> edit_flag(bool value) {
    if (ImGui::Checkbox("##control", &value)) return value;
    return std::nullopt;
}

std::optional<FieldValue> edit_whole(const Ui& ui, const FieldInfo& info, int64_t value) {
    const auto low = static_cast<int64_t>(info.minimum);
    const auto high = static_cast<int64_t>(info.maximum);
    const int64_t before = value;
    if (info.maximum - info.minimum > kWidestSlider && !info.logarithmic) {
        const int64_t one = 1;
        ImGui::InputScalar("##control", ImGuiDataType_S64, &value, &one);
    } else {
        draw_slider(ui, info, ImGuiDataType_S64, &value, &low, &high, "%lld");
    }
    value = std::clamp(value, low, high);
    if (value != before) return value;
    return std::nullopt;
}

std::optional<FieldValue> edit_number(const Ui& ui, const FieldInfo& info, double value) {
    const double before = value;
    draw_slider(ui, info, ImGuiDataType_Double, &value, &info.minimum, &info.maximum, "%.4g");
    if (!std::isfinite(value)) return std::nullopt;
    value = std::clamp(value, info.minimum, info.maximum);
    if (value != before) return value;
    return std::nullopt;
}

std::optional<FieldValue> edit_text(const FieldInfo& info, const std::string& value) {
    std::optional<FieldValue> chosen;
    if (info.choices.empty()) {
        std::string text = value;
        if (ImGui::InputText("##control", &text, ImGuiInputTextFlags_EnterReturnsTrue)) chosen = text;
        return chosen;
    }
    if (!ImGui::BeginCombo("##control", value.c_str())) return std::nullopt;
    for (const std::string& choice : info.choices)
        if (ImGui::Selectable(choice.c_str(), choice == value) && choice != value) chosen = choice;
    ImGui::EndCombo();
    return chosen;
}

std::optional<FieldValue> edit(const Ui& ui, const FieldInfo& info, const FieldValue& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return edit_flag(*flag);
    if (const auto* whole = std::get_if<int64_t>(&value)) return edit_whole(ui, info, *whole);
    if (const auto* number = std::get_if<double>(&value)) return edit_number(ui, info, *number);
    return edit_text(info, std::get<std::string>(value));
}

void explain(const Ui& ui, const FieldInfo& info) {
    if (!ImGui::IsItemHovered() || ImGui::IsItemActive()) return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ui.px(340));
    ImGui::PushFont(ui.fonts.bold);
    ImGui::TextUnformatted(greek(info.label).c_str());
    ImGui::PopFont();
    if (!info.help.empty()) ImGui::TextUnformatted(greek(info.help).c_str());
    ImGui::PushFont(ui.fonts.small);
    ImGui::TextDisabled("%s: %s", info.name.c_str(), range_text(info).c_str());
    ImGui::TextDisabled("%s", info.applies == Applies::live
                                  ? "Acts at once, while training goes on."
                                  : "Restarts the run with the same random numbers.");
    ImGui::TextDisabled("%s", "Ctrl + click to type a value.");
    ImGui::PopFont();
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

// A round arrow, drawn so that no font has to have it. Invisible but in its place while the value is the
// default.
bool draw_reset(const Ui& ui, const FieldInfo& info, bool changed) {
    const float side = ImGui::GetFrameHeight();
    const bool pressed = ImGui::InvisibleButton("##reset", {side, side}) && changed;
    log_item(ui, ("reset " + info.name).c_str());
    if (!changed) return false;
    const bool hovered = ImGui::IsItemHovered();
    const ImVec2 a = ImGui::GetItemRectMin();
    const ImVec2 centre(a.x + side / 2, a.y + side / 2);
    const float radius = side * 0.24F;
    const ImU32 color = hovered ? ui.colors.accent : ui.colors.muted;
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->PathArcTo(centre, radius, -0.4F, 4.4F, 16);
    list->PathStroke(color, ImDrawFlags_None, 1.6F * ui.scale);
    const ImVec2 tip(centre.x + radius * std::cos(-0.4F), centre.y + radius * std::sin(-0.4F));
    const float arrow = side * 0.17F;
    list->AddTriangleFilled({tip.x - arrow, tip.y}, {tip.x + arrow, tip.y}, {tip.x, tip.y - arrow * 1.3F},
                            color);
    if (hovered) ImGui::SetTooltip("back to %s", to_text(info.default_value).c_str());
    return pressed;
}

}  // namespace

std::string range_text(const FieldInfo& info) {
    const std::string unit = info.unit.empty() ? "" : " " + info.unit;
    std::string standard = "default " + to_text(info.default_value);
    if (std::holds_alternative<int64_t>(info.default_value))
        return to_text(static_cast<int64_t>(info.minimum)) + " to " +
               to_text(static_cast<int64_t>(info.maximum)) + unit + ", " + standard;
    if (std::holds_alternative<double>(info.default_value))
        return to_text(info.minimum) + " to " + to_text(info.maximum) + unit + ", " + standard;
    return standard;
}

std::optional<FieldValue> draw_field(const Ui& ui, const FieldInfo& info, const FieldValue& value,
                                     const std::string& refusal) {
    ImGui::PushID(info.name.c_str());
    const bool changed = value != info.default_value;
    const float left = ImGui::GetCursorPosX();
    const float top = ImGui::GetCursorPosY();
    const float width = ImGui::GetContentRegionAvail().x;
    const float side = ImGui::GetFrameHeight();
    const float label_width = std::floor(width * 0.5F);

    ImGui::PushFont(ui.fonts.small);
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + std::floor((side - ui.fonts.small->FontSize) / 2));
    ImGui::PushStyleColor(ImGuiCol_Text, changed ? ui.colors.accent : ui.colors.text);
    ImGui::TextUnformatted(elided(ui.fonts.small, greek(info.label), label_width - ui.px(6)).c_str());
    ImGui::PopStyleColor();
    ImGui::PopFont();
    explain(ui, info);
    ImGui::SameLine();
    ImGui::SetCursorPos({left + label_width, top});
    ImGui::SetNextItemWidth(width - label_width - side - ui.px(2));
    if (!refusal.empty()) ImGui::PushStyleColor(ImGuiCol_FrameBg, with_alpha(ui.colors.bad, 0.35F));
    std::optional<FieldValue> chosen = edit(ui, info, value);
    if (!refusal.empty()) ImGui::PopStyleColor();
    log_item(ui, info.name.c_str());
    explain(ui, info);
    ImGui::SameLine();
    ImGui::SetCursorPos({left + width - side, top});
    if (draw_reset(ui, info, changed)) chosen = info.default_value;

    if (!refusal.empty()) {
        ImGui::PushFont(ui.fonts.small);
        ImGui::PushStyleColor(ImGuiCol_Text, ui.colors.bad);
        ImGui::PushTextWrapPos(0.0F);
        ImGui::TextUnformatted(refusal.c_str());
        ImGui::PopTextWrapPos();
        ImGui::PopStyleColor();
        ImGui::PopFont();
    }
    ImGui::PopID();
    return chosen;
}

}  // namespace emergence
