#include "app/gui/widgets/setting_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "app/gui/widgets/field_words.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"

namespace emergence {
namespace {

constexpr float kIdleAlpha = 0.45F;  // for a field without an effect

// "Green: trained here, 0 to 0.022; 0.025 lies beyond it."
std::string shading_text(const FieldRange& range, const FieldValue& value) {
    const double number = as_number(value);
    const std::string stretch = range.from < range.to ? fmt::format("{:.6g} to {:.6g}", range.from, range.to)
                                                      : fmt::format("{:.6g}", range.from);
    const bool inside = number >= range.from && number <= range.to;
    return fmt::format("Green: {}, {}; {:.6g} lies {}.", range.label, stretch, number, inside ? "in it" : "beyond it");
}

void explain_field(const Ui& ui, const FieldInfo& info, const std::string& idle, const std::string& shading) {
    if (!may_explain_item(ui)) return;
    if (ui.terms != nullptr) ui.terms->labelled(greek(info.label));
    // Right of the column of settings, so that it covers none of them; without room there ImGui finds a place.
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowSize().x + ui.px(4);
    if (right + ui.px(370) <= ImGui::GetIO().DisplaySize.x) ImGui::SetNextWindowPos({right, ImGui::GetItemRectMin().y});
    const Tooltip tooltip(ui, 340.0F);
    heading_text(ui, greek(info.label));
    if (!info.help.empty()) wrapped_text(greek(help_in_words(info)));
    if (!shading.empty()) wrapped_text(shading);
    if (!idle.empty())
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(ui.colors.warning), "%s", in_words(idle).c_str());
    ImGui::PushFont(ui.fonts.small);
    ImGui::TextDisabled("%s", range_text(info).c_str());
    ImGui::TextDisabled("On the command line: --set %s=", info.name.c_str());
    ImGui::TextDisabled("%s", info.applies == Applies::live ? "Acts at once, while training goes on."
                                                            : "Restarts the run with the same random numbers.");
    if (is_numeric(info)) ImGui::TextDisabled("%s", "Ctrl + click or the pencil: type a value.");
    ImGui::TextDisabled("%s", "Once clicked: up and down change it, Delete goes back to the default.");
    ImGui::PopFont();
}

// A round arrow, drawn because not every font has one. It keeps its place while the value is the default.
bool draw_reset(const Ui& ui, const FieldInfo& info, bool changed) {
    const float side = ImGui::GetFrameHeight();
    const bool pressed = ImGui::InvisibleButton("##reset", {side, side}) && changed;
    log_item(ui, "reset " + info.name);
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
    list->AddTriangleFilled({tip.x - arrow, tip.y}, {tip.x + arrow, tip.y}, {tip.x, tip.y - arrow * 1.3F}, color);
    explain_item(ui, "Back to " + value_in_words(info, info.default_value));
    return pressed;
}

void draw_field_label(const Ui& ui, const FieldInfo& info, bool changed, float width, const std::string& idle,
                      const std::string& shading) {
    const float side = ImGui::GetFrameHeight();
    ImGui::PushFont(ui.fonts.small);
    // A long label takes a second line, in the space between the rows.
    const std::string text = greek(info.label);
    std::vector<std::string> lines = lines_of_words(ui.fonts.small, text, width);
    if (text_size(ui.fonts.small, text).x <= width || lines.empty()) lines = {text};
    for (size_t i = 0; i < lines.size(); ++i) {  // a compound that is too wide is parted
        const size_t hyphen = lines[i].find('-');
        if (text_size(ui.fonts.small, lines[i]).x <= width || hyphen == std::string::npos) continue;
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(i) + 1, lines[i].substr(hyphen + 1));
        lines[i].resize(hyphen + 1);
    }
    const float high = ui.fonts.small->FontSize * static_cast<float>(lines.size());
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + std::floor((side - high) / 2));
    ImGui::PushStyleColor(ImGuiCol_Text, changed ? ui.colors.text : ui.colors.muted);
    ImGui::TextUnformatted(fmt::format("{}", fmt::join(lines, "\n")).c_str());
    ImGui::PopStyleColor();
    ImGui::PopFont();
    explain_field(ui, info, idle, shading);
}

// About half of the room for label and control, little for a check box, and for a list the width of its longest entry as
// long as the label can be read.
float control_width(const FieldInfo& info, float room) {
    if (std::holds_alternative<bool>(info.default_value)) return ImGui::GetFrameHeight();
    float wanted = 0.0F;
    for (const std::string& choice : info.choices) wanted = std::max(wanted, ImGui::CalcTextSize(choice.c_str()).x);
    wanted += ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().FramePadding.x;
    const float half = std::floor(room * 0.46F);
    return info.choices.empty() ? half : std::clamp(wanted, half, std::floor(room * 0.64F));
}

// Below the last item or above it, over other rows: no row moves away from the pointer.
void draw_refusal(const Ui& ui, const FieldInfo& info, const std::string& sentence, float left, float width) {
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    if (!ImGui::IsRectVisible(min, max)) return;
    const ImVec2 padding(ui.px(8), ui.px(5));
    const ImFont* font = ui.fonts.small;
    const float wrap = width - 2 * padding.x;
    const ImVec2 text = font->CalcTextSizeA(font->FontSize, FLT_MAX, wrap, sentence.c_str());
    const ImVec2 size(width, text.y + 2 * padding.y);
    const bool below = max.y + ui.px(3) + size.y <= ImGui::GetIO().DisplaySize.y;
    const ImVec2 at(std::max(0.0F, left), below ? max.y + ui.px(3) : min.y - ui.px(3) - size.y);
    const ImVec2 end(at.x + size.x, at.y + size.y);
    ImDrawList* list = ImGui::GetForegroundDrawList();
    list->AddRectFilled(at, end, ui.colors.panel, ui.px(4));
    list->AddRect(at, end, ui.colors.bad, ui.px(4), ImDrawFlags_None, 1.5F * ui.scale);
    list->AddText(font, font->FontSize, {at.x + padding.x, at.y + padding.y}, ui.colors.bad, sentence.c_str(), nullptr,
                  wrap);
    if (ui.log != nullptr) ui.log->record("refusal " + info.name, at, end);
}

}  // namespace

ImGuiID control_id(const FieldInfo& info) {
    ImGui::PushID(info.name.c_str());
    const ImGuiID id = ImGui::GetID("field");
    ImGui::PopID();
    return id;
}

std::string range_text(const FieldInfo& info) {
    const std::string standard = "default " + value_in_words(info, info.default_value);
    if (!is_numeric(info)) return standard;
    const bool whole = std::holds_alternative<int64_t>(info.default_value);
    const auto number = [&](double end) { return whole ? to_text(static_cast<int64_t>(end)) : to_text(end); };
    const std::string unit = info.unit.empty() ? "" : " " + info.unit;
    return number(info.minimum) + " to " + number(info.maximum) + unit + ", " + standard;
}

std::optional<FieldValue> draw_field(const Ui& ui, const FieldInfo& info, const FieldValue& value,
                                     const std::string& refusal, const std::string& idle, const FieldRange* range) {
    if (range != nullptr && !is_numeric(info)) range = nullptr;
    const std::string shading = range != nullptr ? shading_text(*range, value) : "";
    ImGui::PushID(info.name.c_str());
    const bool faint = !idle.empty();
    if (faint) ImGui::PushStyleVar(ImGuiStyleVar_Alpha, ImGui::GetStyle().Alpha * kIdleAlpha);
    const bool changed = value != info.default_value;
    const float left = ImGui::GetCursorPosX(), top = ImGui::GetCursorPosY();
    const float width = ImGui::GetContentRegionAvail().x;
    const float screen_left = ImGui::GetCursorScreenPos().x;
    const float side = ImGui::GetFrameHeight();
    const float control = control_width(info, width - side - ui.px(2));
    const float label_width = width - control - side - ui.px(2);
    draw_field_label(ui, info, changed, label_width - ui.px(4), idle, shading);
    ImGui::SameLine();
    ImGui::SetCursorPos({left + label_width, top});
    const std::string wrong = !refusal.empty() ? refusal : ui.editing->refusal(ImGui::GetID("field"));
    if (!wrong.empty()) ImGui::PushStyleColor(ImGuiCol_FrameBg, with_alpha(ui.colors.bad, 0.35F));
    std::optional<FieldValue> chosen = edit_field(ui, info, value, {control, side}, range);
    if (!wrong.empty()) ImGui::PopStyleColor();
    log_item(ui, info.name);
    if (wrong.empty())
        explain_field(ui, info, idle, shading);
    else
        draw_refusal(ui, info, wrong, screen_left, width);
    ImGui::SameLine();
    ImGui::SetCursorPos({left + width - side, top});
    if (draw_reset(ui, info, changed)) chosen = info.default_value;
    if (faint) ImGui::PopStyleVar();
    ImGui::PopID();
    return chosen;
}

}  // namespace emergence
