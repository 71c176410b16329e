#include "app/gui/widgets/panel.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/gui/shell/widget_log.h"
#include "app/gui/widgets/term_hover.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"

namespace emergence {

Panel::Panel(const Ui& ui, const char* name, const Box& box, bool scrolls) {
    ImGui::SetNextWindowPos(box.min);
    ImGui::SetNextWindowSize(box.size);
    ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                             ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                             ImGuiWindowFlags_NoNav |
                             // Bad news that comes up must not close a list or take the keyboard from a text.
                             ImGuiWindowFlags_NoFocusOnAppearing;
    if (scrolls)
        flags &= ~ImGuiWindowFlags_NoScrollbar;
    else
        flags |= ImGuiWindowFlags_NoScrollWithMouse;
    ImGui::Begin(name, nullptr, flags);
    if (ui.log != nullptr) ui.log->record(std::string("panel ") + name, box.min, box.max());
}

Panel::~Panel() { ImGui::End(); }

namespace {

// The part of a panel's corner that its rounding leaves out; (dx, dy) points from the corner into the panel.
void draw_corner(ImDrawList* list, ImVec2 corner, float dx, float dy, float radius, ImU32 color) {
    constexpr int kSegments = 6;
    const ImVec2 centre(corner.x + dx * radius, corner.y + dy * radius);
    list->PathLineTo(corner);
    for (int i = 0; i <= kSegments; ++i) {
        // Clockwise on the screen in every corner, as filling with smooth edges wants it.
        const int step = dx * dy > 0.0F ? kSegments - i : i;
        const float angle = static_cast<float>(step) / kSegments * 1.5707963F;
        list->PathLineTo({centre.x - dx * radius * std::cos(angle), centre.y - dy * radius * std::sin(angle)});
    }
    list->PathFillConvex(color);
}

}  // namespace

void draw_gaps(const Ui& ui, const std::vector<Box>& panels, float gap) {
    ImDrawList* list = ImGui::GetBackgroundDrawList();
    const float radius = ImGui::GetStyle().WindowRounding;
    for (const Box& panel : panels) {
        if (panel.size.y <= 0.0F) continue;
        const ImVec2 a = panel.min;
        const ImVec2 b = panel.max();
        const ImU32 color = ui.colors.window;
        list->AddRectFilled({a.x - gap, a.y - gap}, {b.x + gap, a.y}, color);
        list->AddRectFilled({a.x - gap, b.y}, {b.x + gap, b.y + gap}, color);
        list->AddRectFilled({a.x - gap, a.y}, {a.x, b.y}, color);
        list->AddRectFilled({b.x, a.y}, {b.x + gap, b.y}, color);
        draw_corner(list, a, 1, 1, radius, color);
        draw_corner(list, {b.x, a.y}, -1, 1, radius, color);
        draw_corner(list, {a.x, b.y}, 1, -1, radius, color);
        draw_corner(list, b, -1, -1, radius, color);
    }
}

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

float segments_width(const Ui& ui, const std::vector<const char*>& labels) {
    return width_of(labels, ui.px(kSegmentPadding));
}

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

void small_text(const Ui& ui, ImU32 color, const std::string& text) {
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    ImGui::PushFont(ui.fonts.small);
    ImGui::TextWrapped("%s", text.c_str());
    tell_last_text(text, ImGui::GetItemRectSize().x + 1.0F);
    ImGui::PopFont();
    ImGui::PopStyleColor();
}

void heading_text(const Ui& ui, const char* text) {
    ImGui::PushFont(ui.fonts.bold);
    ImGui::TextUnformatted(text);
    tell_last_text(text);
    ImGui::PopFont();
}

void keep_in_reach(const Ui& ui) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const ImVec2 at = ImGui::GetWindowPos();
    const ImVec2 size = ImGui::GetWindowSize();
    const float grip = ui.px(120);
    const ImVec2 inside(std::clamp(at.x, std::min(0.0F, grip - size.x), std::max(0.0F, display.x - grip)),
                        std::clamp(at.y, 0.0F, std::max(0.0F, display.y - ui.px(40))));
    if (inside.x != at.x || inside.y != at.y) ImGui::SetWindowPos(inside);
}

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
    ImGui::TextUnformatted(greek(text).c_str());
}

std::string rate_text(double per_second) {
    if (!(per_second > 0.0) || !std::isfinite(per_second)) return "0";
    if (per_second < 10.0) return fmt::format("{:.1f}", per_second);
    if (per_second < 10000.0) return fmt::format("{:.0f}", per_second);
    return fmt::format("{:.1f} k", per_second / 1000.0);
}

std::string duration_text(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0.0) return "–";
    const auto whole = static_cast<int64_t>(std::llround(seconds));
    if (whole >= 360000) return fmt::format("{} days", whole / 86400);
    if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace emergence
