#include "app/gui/widgets/imgui_pen.h"

#include <algorithm>
#include <cmath>

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/heatmap.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/pictures/drawing.h"

namespace emergence {
namespace {

float title_height(const Ui& ui) { return ui.fonts.bold->FontSize + ui.px(4); }
float readout_height(const Ui& ui) { return ui.fonts.small->FontSize + ui.px(4); }

// A grip across the handle's box at the height of its value.
void draw_grip(const Ui& ui, const DrawnHandle& handle, const Bounds& box, double value, bool held) {
    const double range = handle.maximum - handle.minimum;
    const auto share = static_cast<float>(range > 0.0 ? std::clamp((value - handle.minimum) / range, 0.0, 1.0) : 0.0);
    const float y = std::round(box.max.y - share * (box.max.y - box.min.y));
    const float half = held ? ui.px(3) : ui.px(2);
    const ImU32 color = held || handle.changed ? ui.colors.accent : ui.colors.muted;
    ImGui::GetWindowDrawList()->AddRectFilled({box.min.x + ui.px(1), y - half}, {box.max.x - ui.px(1), y + half}, color,
                                              half);
}

// What the pointer does to a handle. A press alone changes nothing: it may begin a double click.
std::optional<HandleUse> use_handle(const Ui& ui, const DrawnHandle& handle, const DrawingFit& fit) {
    const Point lower = fit.at(handle.lower), upper = fit.at(handle.upper);
    const Bounds box{pixel_of({lower.x, upper.y}), pixel_of({upper.x, lower.y})};
    const bool clicked =
        draw_place(ui, "handle " + handle.name, box.min, {box.max.x - box.min.x, box.max.y - box.min.y});
    const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
    if (hovered && !active && !ui.presenting) explain_now(ui, handle.help);
    if (handle.step <= 0.0) {
        if (hovered) ImGui::GetWindowDrawList()->AddRect(box.min, box.max, ui.colors.accent, ui.px(4), 0, ui.px(1.5F));
        return clicked ? std::optional<HandleUse>({&handle, handle.value}) : std::nullopt;
    }
    if (hovered || active) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
    const bool dragged = active && ImGui::IsMouseDragging(ImGuiMouseButton_Left, ui.px(3));
    const double height = (fit.y - static_cast<double>(ImGui::GetMousePos().y)) / fit.scale;
    const double value = dragged ? value_at(handle, height) : handle.value;
    draw_grip(ui, handle, box, value, hovered || active);
    if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) return HandleUse{&handle, handle.value, true};
    if (!dragged || value == handle.value) return std::nullopt;
    return HandleUse{&handle, value};
}

}  // namespace

ImVec2 drawing_size(const Ui& ui, const DrawingSpec& drawing, ImVec2 room) {
    const float texts = title_height(ui) + readout_height(ui);
    const auto aspect =
        static_cast<float>((drawing.right - drawing.left) / std::max(1e-9, drawing.top - drawing.bottom));
    return {aspect * std::max(1.0F, room.y - texts), room.x / std::max(1e-3F, aspect) + texts};
}

std::optional<HandleUse> draw_drawing(const Ui& ui, const DrawingSpec& drawing, ImVec2 size) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float readout = readout_height(ui);
    const Heading heading = heading_in(ui, drawing.title, size.x);
    const float title = heading.height + ui.px(4);
    draw_lines(list, heading.font, at, ui.colors.text, heading.lines);
    ImGuiPen pen(ui, list);
    const Rect room{at.x, at.y + title, size.x, std::max(1.0F, size.y - title - readout)};
    const DrawingFit fit = draw_shapes(pen, drawing, room, picture_style(ui));
    const std::string read = whole_parts(ui.fonts.small, drawing.readout, size.x);
    draw_text_placed(list, ui.fonts.small, {at.x + size.x / 2, at.y + size.y}, Placed::bottom, ui.colors.muted, read);
    std::optional<HandleUse> use;
    bool over_handle = false;
    ImGui::PushID(drawing.id.c_str());
    // ImGui gives the pointer to the first item under it: the last handle lies on top.
    for (auto handle = drawing.handles.rbegin(); handle != drawing.handles.rend(); ++handle) {
        if (auto used = use_handle(ui, *handle, fit)) use = used;
        over_handle = over_handle || ImGui::IsItemHovered() || ImGui::IsItemActive();
    }
    ImGui::PopID();
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy(size);
    log_item(ui, "drawing " + drawing.id);
    const ImVec2 end(at.x + size.x, at.y + title);
    const std::string note = read == drawing.readout ? drawing.note : drawing.note + "\n" + drawing.readout;
    if (!over_handle && !note.empty() && !ui.presenting && ImGui::IsItemHovered() &&
        ImGui::IsMouseHoveringRect(at, end))
        explain_beside(ui, at, end, note);
    return use;
}

}  // namespace emergence
