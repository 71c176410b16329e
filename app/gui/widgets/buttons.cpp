#include "app/gui/widgets/buttons.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <utility>

#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/base/ranges.h"

namespace emergence {
namespace {

// The label is in the middle of the last item, a button.
void tell_button_text(const std::string& label) {
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    const ImVec2 size = ImGui::CalcTextSize(label.c_str());
    tell_text(ImGui::GetFont(), {(min.x + max.x - size.x) / 2, (min.y + max.y - size.y) / 2}, label);
}

constexpr float kSegmentPadding = 20.0F;  // both sides together
constexpr float kLeastSegmentPadding = 6.0F;

float width_of(const std::vector<const char*>& labels, float padding) {
    float width = 0.0F;
    for (const char* label : labels) width += ImGui::CalcTextSize(label).x + padding;
    return width;
}

using Stop = std::pair<std::string, WidgetLog::Place>;

ImVec2 middle_of(const WidgetLog::Place& place) {
    return {(place.min.x + place.max.x) / 2, (place.min.y + place.max.y) / 2};
}

bool lies_inside(const WidgetLog::Place& outer, const WidgetLog::Place& inner) {
    const ImVec2 at = middle_of(inner);
    return at.x >= outer.min.x && at.x < outer.max.x && at.y >= outer.min.y && at.y < outer.max.y;
}

bool is_slider(const std::string& name) {
    return name == "smoothing" || name == "menu smoothing weight" || name == "scene moment";
}
// The controls that can be pressed now, in the order of drawing, each once.
std::vector<Stop> stops_in(const WidgetLog& log, const std::string& top) {
    const bool popup = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    const auto panel = log.places().find("panel " + top);
    const bool has_top = !top.empty() && panel != log.places().end() && log.drawn(panel->first);
    std::vector<Stop> stops;
    for (const auto& [name, place] : log.places()) {
        if (place.id == 0 || !place.visible || !log.drawn(name) || place.popup != popup) continue;
        if (name == "pace") continue;  // plus and minus move it
        if (!popup && has_top && (place.order < panel->second.order || !lies_inside(panel->second, place))) continue;
        stops.emplace_back(name, place);
    }
    std::sort(stops.begin(), stops.end(), [](const Stop& a, const Stop& b) { return a.second.order < b.second.order; });
    const auto twice = [](const Stop& a, const Stop& b) { return a.second.id == b.second.id; };
    stops.erase(std::unique(stops.begin(), stops.end(), twice), stops.end());
    return stops;
}

void draw_ring(const Ui& ui, const WidgetLog::Place& place) {
    const float out = ui.px(3), wide = ui.px(2);
    const ImVec2 min(place.min.x - out, place.min.y - out), max(place.max.x + out, place.max.y + out);
    ImDrawList* list = ImGui::GetForegroundDrawList();
    list->AddRect(min, max, ui.colors.window, ui.px(5), 0, 2 * wide + ui.px(1));
    list->AddRect(min, max, ui.colors.accent, ui.px(5), 0, wide);
}

float entry_height(const EntryText& entry, float width) {
    const float size = entry.font->FontSize;
    const float high = entry.font->CalcTextSizeA(size, FLT_MAX, width - entry.indent, entry.text.c_str()).y;
    return std::min(high, static_cast<float>(entry.most_lines) * size);
}

}  // namespace

bool draw_segments(const Ui& ui, const char* id, const std::vector<const char*>& labels, int& chosen,
                   const std::vector<std::string>& refusals) {
    const int before = chosen;
    // Without room for all they move closer, and then become smaller.
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
        note_item(ui, std::string(id) + " " + label, refusal);
    }
    if (small) ImGui::PopFont();
    ImGui::PopID();
    return chosen != before;
}

bool draw_button(const Ui& ui, const std::string& id, const std::string& label, ImVec2 size, const std::string& tooltip,
                 bool strong, bool enabled) {
    ImGui::BeginDisabled(!enabled);
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
    ImGui::EndDisabled();  // a disabled item would show its tooltip half transparent
    note_item(ui, id, tooltip);
    return pressed;
}

float button_width(const std::string& label) {
    return ImGui::CalcTextSize(label.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
}

void same_line_if_fits(float gap, float width) {
    ImGui::SameLine(0.0F, gap);
    if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
}

bool draw_place(const Ui& ui, const std::string& name, ImVec2 at, ImVec2 size) {
    ImGui::SetCursorScreenPos(at);
    const bool pressed = ImGui::InvisibleButton(name.c_str(), {std::max(1.0F, size.x), std::max(1.0F, size.y)});
    log_item(ui, name);
    return pressed;
}

void draw_caption(const Ui& ui, const char* text, float width) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", text);
    ImGui::SameLine(ui.px(width));
}

bool draw_check(const Ui& ui, const std::string& id, const char* label, bool& value, const std::string& help) {
    const bool pressed = ImGui::Checkbox(label, &value);
    note_item(ui, id, help);
    return pressed;
}

bool draw_text_field(const Ui& ui, const std::string& id, const char* hint, std::string& text, float width,
                     const std::string& help, ImGuiInputTextFlags flags) {
    ImGui::SetNextItemWidth(width);
    const bool changed = ImGui::InputTextWithHint(("##" + id).c_str(), hint, &text, flags);
    note_item(ui, id, help);
    return changed;
}

bool begin_choices(const Ui& ui, const std::string& id, const std::string& shown, float width,
                   const std::string& help) {
    ImGui::SetNextItemWidth(width);
    const bool open = ImGui::BeginCombo(("##" + id).c_str(), shown.c_str(), ImGuiComboFlags_HeightLarge);
    log_item(ui, id);
    if (!open) explain_item(ui, help);
    return open;
}

bool draw_choice(const Ui& ui, const std::string& id, const std::string& label, bool chosen, const std::string& help) {
    const bool taken = ImGui::Selectable((label + "##" + id).c_str(), chosen);
    note_item(ui, id, help);
    return taken;
}

bool draw_entry(const Ui& ui, const std::string& id, const std::vector<EntryText>& texts, bool chosen, float width,
                float right) {
    const float pad = ui.px(4), side = ui.px(6);
    if (width == 0.0F) width = ImGui::GetContentRegionAvail().x;
    const float room = width - 2 * side - right;
    float height = 2 * pad;
    for (const EntryText& entry : texts) height += entry_height(entry, room);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool clicked = ImGui::Selectable(("##" + id).c_str(), chosen, ImGuiSelectableFlags_None, {width, height});
    log_item(ui, id);
    float y = at.y + pad;
    for (const EntryText& entry : texts) {
        const float high = entry_height(entry, room);
        const ImVec2 place(at.x + side + entry.indent, y);
        // ImGui draws at whole pixels; letters reach below their line, and a T to the left.
        const ImVec4 clip(std::floor(place.x) - 1.0F, std::floor(y), at.x + width, std::ceil(y + high + ui.px(2)));
        ImGui::GetWindowDrawList()->AddText(entry.font, entry.font->FontSize, place, entry.color, entry.text.c_str(),
                                            nullptr, room - entry.indent, &clip);
        tell_text(entry.font, place, entry.text, room - entry.indent);
        y += high;
    }
    return clicked;
}

bool key_pressed(ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); }

bool enter_pressed() { return key_pressed(ImGuiKey_Enter) || key_pressed(kKeypadEnter); }

int arrows_pressed() { return (key_pressed(ImGuiKey_DownArrow) ? 1 : 0) - (key_pressed(ImGuiKey_UpArrow) ? 1 : 0); }

int draw_stepper(const Ui& ui, const std::string& id, const std::string& value, float width) {
    int steps = 0;
    const ImVec2 side(ui.px(30), 0.0F);
    if (draw_button(ui, "less " + id, "−", side, "")) steps = -1;
    ImGui::SameLine();
    const float left = ImGui::GetCursorPosX();
    const float wide = ui.px(width);
    ImGui::SetCursorPosX(left + std::round((wide - ImGui::CalcTextSize(value.c_str()).x) / 2));
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(value.c_str());
    ImGui::SameLine();
    ImGui::SetCursorPosX(left + wide);
    if (draw_button(ui, "more " + id, "+", side, "")) steps = 1;
    return steps;
}

bool takes_wheel() {
    if (!ImGui::GetIO().KeyCtrl) return false;
    ImGui::SetItemUsingMouseWheel();
    return true;
}

void ControlWalk::move(int by) {
    on_ = true;
    steps_ += by;
}

bool ControlWalk::press() {
    if (!on_ || id_ == 0) return false;
    ImGuiContext& context = *ImGui::GetCurrentContext();
    context.NavInputSource = ImGuiInputSource_Keyboard;  // else no text begins to be typed
    context.NavNextActivateId = id_;
    context.NavNextActivateFlags = is_slider(name_) ? ImGuiActivateFlags_PreferInput : ImGuiActivateFlags_None;
    return true;
}

bool ControlWalk::leave() {
    id_ = 0;
    name_.clear();
    return std::exchange(on_, false);
}

void ControlWalk::draw(const Ui& ui, const WidgetLog& log, const std::string& top) {
    if (!on_) return;
    ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        leave();
        return;
    }
    const std::vector<Stop> stops = stops_in(log, top);
    if (stops.empty()) return;
    const auto count = static_cast<int>(stops.size());
    const auto found = find_if(stops, [&](const Stop& stop) { return stop.second.id == id_; });
    const bool known = found != stops.end();
    const int steps = std::exchange(steps_, 0);
    int at = known ? static_cast<int>(found - stops.begin()) : steps >= 0 ? -1 : 0;
    // The control with the ring has gone: the first one gets it.
    if (!known && steps == 0) at = 0;
    at = ((at + steps) % count + count) % count;
    const auto& [name, place] = stops[static_cast<size_t>(at)];
    if (std::exchange(id_, place.id) != place.id) {
        // The pointer goes along, so that tooltips and Z are about the same control.
        io.MousePos = middle_of(place);
        io.WantSetMousePos = true;
    }
    name_ = name;
    draw_ring(ui, place);
}

}  // namespace emergence
