#include "app/gui/widgets/imgui_pen.h"

#include <algorithm>
#include <cmath>

#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/pictures/drawing.h"

namespace emergence {
namespace {

float title_height(const Ui& ui) { return ui.fonts.bold->FontSize + ui.px(4); }
float readout_height(const Ui& ui) { return ui.fonts.small->FontSize + ui.px(4); }

// A word that a tooltip says, wrapped.
void say_over(const Ui& ui, const std::string& text) {
    const Tooltip tooltip(ui);
    wrapped_text(text);
}

// One handle's rectangle in pixels.
struct HandleBox {
    ImVec2 min, max;
};

HandleBox box_of(const DrawnHandle& handle, const DrawingFit& fit) {
    const Point low = fit.at(handle.lower), high = fit.at(handle.upper);
    return {pixel_of({low.x, high.y}), pixel_of({high.x, low.y})};
}

double value_under_pointer(const DrawnHandle& handle, const DrawingFit& fit) {
    const double y = static_cast<double>(ImGui::GetMousePos().y);
    return value_at(handle, (fit.y - y) / fit.scale);
}

// A grip across the box at the height of its value: where it is taken hold of.
void draw_grip(const Ui& ui, const DrawnHandle& handle, const HandleBox& box, double value, bool held) {
    const double range = handle.maximum - handle.minimum;
    const auto share = static_cast<float>(range > 0.0 ? std::clamp((value - handle.minimum) / range, 0.0, 1.0) : 0.0);
    const float y = std::round(box.max.y - share * (box.max.y - box.min.y));
    const float half = held ? ui.px(3) : ui.px(2);
    const ImU32 color = held || handle.changed ? ui.colors.accent : ui.colors.muted;
    ImGui::GetWindowDrawList()->AddRectFilled({box.min.x + ui.px(1), y - half}, {box.max.x - ui.px(1), y + half}, color,
                                              half);
}

// What is done to a handle; the cursor is anywhere afterwards. Its press alone changes nothing: it may be the
// first of a double click.
std::optional<HandleUse> use_handle(const Ui& ui, const DrawnHandle& handle, const DrawingFit& fit) {
    const HandleBox box = box_of(handle, fit);
    ImGui::SetCursorScreenPos(box.min);
    const bool clicked = ImGui::InvisibleButton(
        handle.name.c_str(), {std::max(1.0F, box.max.x - box.min.x), std::max(1.0F, box.max.y - box.min.y)});
    log_item(ui, "handle " + handle.name);
    const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
    if (hovered && !active && !ui.presenting) say_over(ui, handle.help);
    if (handle.step <= 0.0) {
        if (hovered) ImGui::GetWindowDrawList()->AddRect(box.min, box.max, ui.colors.accent, ui.px(4), 0, ui.px(1.5F));
        return clicked ? std::optional<HandleUse>({&handle, handle.value}) : std::nullopt;
    }
    if (hovered || active) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
    const bool dragged = active && ImGui::IsMouseDragging(ImGuiMouseButton_Left, ui.px(3));
    const double value = dragged ? value_under_pointer(handle, fit) : handle.value;
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
    draw_text_placed(list, ui.fonts.small, {at.x + size.x / 2, at.y + size.y}, Placed::bottom, ui.colors.muted,
                     whole_parts(ui.fonts.small, drawing.readout, size.x));
    std::optional<HandleUse> use;
    bool over_handle = false;
    ImGui::PushID(drawing.id.c_str());
    // ImGui gives the pointer to the first item under it.
    for (auto handle = drawing.handles.rbegin(); handle != drawing.handles.rend(); ++handle) {
        if (auto used = use_handle(ui, *handle, fit)) use = used;
        over_handle = over_handle || ImGui::IsItemHovered() || ImGui::IsItemActive();
    }
    ImGui::PopID();
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy(size);
    log_item(ui, "drawing " + drawing.id);
    // Over the title alone: beside the picture that it explains.
    const ImVec2 end(at.x + size.x, at.y + title);
    if (!over_handle && !drawing.note.empty() && !ui.presenting && ImGui::IsItemHovered() &&
        ImGui::IsMouseHoveringRect(at, end))
        explain_beside(ui, at, end, drawing.note);
    return use;
}

}  // namespace emergence
