#include "app/gui/panels/headings.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/text.h"

namespace emergence {
namespace {

// An arrow from the centre outwards, or from outside to the centre, along (1, -1) * direction.
void draw_arrow(const Ui& ui, ImVec2 centre, float direction, bool outwards, ImU32 color) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float far = ui.px(6) * direction;
    const float near = ui.px(1.5F) * direction;
    const ImVec2 tip =
        outwards ? ImVec2(centre.x + far, centre.y - far) : ImVec2(centre.x + near, centre.y - near);
    const ImVec2 tail =
        outwards ? ImVec2(centre.x + near, centre.y - near) : ImVec2(centre.x + far, centre.y - far);
    const float wing = (outwards ? -1.0F : 1.0F) * ui.px(4) * direction;
    const float width = 1.5F * ui.scale;
    list->AddLine(tail, tip, color, width);
    list->AddLine(tip, {tip.x + wing, tip.y}, color, width);
    list->AddLine(tip, {tip.x, tip.y - wing}, color, width);
}

bool draw_enlarge_button(const Ui& ui, const Frame& frame, bool large) {
    const float side = ui.px(20);
    const Box& heading = frame.heading;
    const ImVec2 at(heading.max().x - side - ui.px(8), heading.min.y + ui.px(2));
    ImGui::SetCursorScreenPos(at);
    const bool pressed = ImGui::InvisibleButton("enlarge", {side, side});
    log_item(ui, (std::string("enlarge ") + title_of(frame.name)).c_str());
    const ImU32 color = ImGui::IsItemHovered() ? ui.colors.accent : ui.colors.muted;
    const ImVec2 centre(at.x + side / 2, at.y + side / 2);
    draw_arrow(ui, centre, 1.0F, !large, color);
    draw_arrow(ui, centre, -1.0F, !large, color);
    explain_item(ui, large ? "Back to all panels  (Z or Esc)"
                           : "Enlarge to the whole window  (Z; or double-click the heading)");
    return pressed;
}

// An arrow down onto a line: to be saved. True where it is pressed.
bool draw_export_button(const Ui& ui, const Frame& frame) {
    const float side = ui.px(20);
    const Box& heading = frame.heading;
    const ImVec2 at(heading.max().x - 2 * side - ui.px(14), heading.min.y + ui.px(2));
    ImGui::SetCursorScreenPos(at);
    const bool pressed = ImGui::InvisibleButton("export", {side, side});
    log_item(ui, (std::string("export ") + title_of(frame.name)).c_str());
    const ImU32 color = ImGui::IsItemHovered() ? ui.colors.accent : ui.colors.muted;
    const ImVec2 centre(at.x + side / 2, at.y + side / 2);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float width = 1.5F * ui.scale;
    const float reach = ui.px(6);
    const float wing = ui.px(4);
    const ImVec2 tip(centre.x, centre.y + ui.px(2));
    list->AddLine({centre.x, centre.y - reach}, tip, color, width);
    list->AddLine({tip.x - wing, tip.y - wing}, tip, color, width);
    list->AddLine({tip.x + wing, tip.y - wing}, tip, color, width);
    list->AddLine({centre.x - reach, centre.y + reach}, {centre.x + reach, centre.y + reach}, color, width);
    explain_item(ui, "Export as PDF, SVG, PNG or data  (Ctrl + E)");
    return pressed;
}

// What was pressed in a heading.
struct HeadingResponse {
    bool toggle = false;  // the panel is to be enlarged, or to go back
    bool to_export = false;
};

HeadingResponse draw_frame_heading(const Ui& ui, const Frame& frame, bool large) {
    const char* title = title_of(frame.name);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0F, 1.0F});
    HeadingResponse response;
    {
        const Panel panel(ui, fmt::format("heading {}", title).c_str(), frame.heading);
        ImGui::SetCursorScreenPos(frame.heading.min);
        const bool exports = frame.name != PanelName::settings;
        const float button = ui.px(exports ? 60 : 34);
        ImGui::InvisibleButton("title", {frame.heading.size.x - button, frame.heading.size.y});
        log_item(ui, fmt::format("heading {}", title).c_str());
        response.toggle = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
        draw_text(ImGui::GetWindowDrawList(), ui.fonts.bold,
                  {frame.heading.min.x + ui.px(14), frame.heading.min.y + ui.px(6)}, ui.colors.text, title);
        response.toggle = draw_enlarge_button(ui, frame, large) || response.toggle;
        response.to_export = exports && draw_export_button(ui, frame);
    }
    ImGui::PopStyleVar(2);
    return response;
}

}  // namespace

const char* title_of(PanelName name) {
    switch (name) {
        case PanelName::settings:
            return "Settings";
        case PanelName::matrices:
            return "Matrices";
        case PanelName::curves:
            return "Curves";
        case PanelName::scene:
            return "World";
    }
    return "";
}

std::optional<PanelName> draw_headings(const Ui& ui, const Layout& layout,
                                       std::optional<PanelName>& enlarged) {
    std::optional<PanelName> to_export;
    for (const Frame& frame : layout.frames) {
        const bool large = enlarged == frame.name;
        const HeadingResponse response = draw_frame_heading(ui, frame, large);
        if (response.to_export) to_export = frame.name;
        if (!response.toggle) continue;
        if (large)
            enlarged.reset();
        else
            enlarged = frame.name;
    }
    return to_export;
}

bool draw_splitters(const Ui& ui, const Layout& layout, Splits& splits) {
    bool held = false;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0F, 1.0F});
    int index = 0;
    for (const Splitter& splitter : layout.splitters) {
        const std::string name = fmt::format("splitter {}", index++);
        const Panel panel(ui, name.c_str(), splitter.box);
        ImGui::SetCursorScreenPos(splitter.box.min);
        ImGui::InvisibleButton("border", splitter.box.size);
        log_item(ui, name.c_str());
        const bool active = ImGui::IsItemActive();
        held = held || active;
        if (active || ImGui::IsItemHovered()) {
            ImGui::SetMouseCursor(splitter.upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
            const float inset = ui.px(2);
            const ImVec2 min = splitter.box.min;
            const ImVec2 max = splitter.box.max();
            const ImVec2 shrink = splitter.upright ? ImVec2(inset, 0.0F) : ImVec2(0.0F, inset);
            ImGui::GetWindowDrawList()->AddRectFilled(
                {min.x + shrink.x, min.y + shrink.y}, {max.x - shrink.x, max.y - shrink.y},
                with_alpha(ui.colors.accent, active ? 0.9F : 0.5F), ui.px(2));
        }
        if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
            splits.*splitter.length = 0.0F;
        } else if (active && ImGui::IsMouseDragging(ImGuiMouseButton_Left, ui.px(2))) {
            const ImVec2 mouse = ImGui::GetMousePos();
            const ImVec2 size = splitter.box.size;
            // The middle of the border follows the pointer.
            const float pointer = splitter.upright ? mouse.x : mouse.y;
            const float half = (splitter.upright ? size.x : size.y) / 2;
            const float length = splitter.sign * (pointer - splitter.origin) - half;
            splits.*splitter.length = std::clamp(length, splitter.minimum, splitter.maximum) / ui.scale;
        }
    }
    ImGui::PopStyleVar(2);
    return held;
}

}  // namespace emergence
