#include "app/gui/widgets/drawing.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <vector>

#include "app/gui/widgets/strokes.h"
#include "app/gui/widgets/text.h"

namespace emergence {
namespace {

constexpr float kLine = 1.6F;  // pixels of the design, as curves have

ImU32 color_of_shape(const Ui& ui, const DrawnShape& shape) {
    if (shape.color == kInkColor) return ui.colors.text;
    if (shape.color == kFaintColor) return ui.colors.muted;
    return series_color(ui, shape.color);
}

std::vector<ImVec2> pixels_of_places(const std::vector<DrawnPlace>& places) {
    std::vector<ImVec2> pixels;
    for (const auto& [x, y] : places) pixels.push_back({static_cast<float>(x), static_cast<float>(y)});
    return pixels;
}

void draw_line_shape(const Ui& ui, ImDrawList* list, const DrawnShape& shape, std::vector<DrawnPlace> places,
                     ImU32 color) {
    if (places.size() < 2) return;
    const float width = kLine * static_cast<float>(shape.width) * ui.scale;
    const auto head = arrow_head(places[places.size() - 2], places.back(), 5.0 * static_cast<double>(width));
    // The line ends inside its head, or it would be blunt.
    if (shape.arrow)
        places.back() = {(head[1].first + head[2].first) / 2, (head[1].second + head[2].second) / 2};
    const std::vector<ImVec2> line = pixels_of_places(places);
    if (shape.dashed)
        draw_dashed(list, line, color, width, ui.px(4));
    else
        list->AddPolyline(line.data(), static_cast<int>(line.size()), color, ImDrawFlags_None, width);
    if (!shape.arrow) return;
    const std::vector<ImVec2> tip = pixels_of_places(head);
    list->AddTriangleFilled(tip[0], tip[1], tip[2], color);
}

// As high as it should be, and legible: large text comes from the large font, drawn smaller. A label is moved
// inwards rather than cut: half of "-2.4 m" says something else.
void draw_shape_label(const Ui& ui, ImDrawList* list, ImVec2 at, float height, ImU32 color,
                      const std::string& text) {
    const bool small = height <= ui.fonts.body->FontSize;
    const ImFont* font = small ? ui.fonts.small : ui.fonts.large;
    const float size = small ? font->FontSize : std::min(height, font->FontSize);
    const ImVec2 extent = font->CalcTextSizeA(size, FLT_MAX, 0.0F, text.c_str());
    const ImVec2 low = list->GetClipRectMin(), high = list->GetClipRectMax();
    const float half = extent.x / 2 + ui.px(1);
    const bool in_sight = at.x >= low.x && at.x <= high.x && high.x - low.x >= 2 * half;
    const float x = in_sight ? std::clamp(at.x, low.x + half, high.x - half) : at.x;
    list->AddText(font, size, {std::round(x - extent.x / 2), std::round(at.y - extent.y / 2)}, color,
                  text.c_str());
}

float title_height(const Ui& ui) { return ui.fonts.bold->FontSize + ui.px(4); }
float readout_height(const Ui& ui) { return ui.fonts.small->FontSize + ui.px(4); }

void draw_shape(const Ui& ui, ImDrawList* list, const DrawnShape& shape, const DrawingFit& fit) {
    std::vector<DrawnPlace> places;
    for (const DrawnPlace& place : shape.places) places.push_back(fit.at(place));
    if (places.empty()) return;
    const ImU32 color = color_of_shape(ui, shape);
    const std::vector<ImVec2> pixels = pixels_of_places(places);
    switch (shape.kind) {
        case DrawnShape::Kind::line:
            draw_line_shape(ui, list, shape, std::move(places), color);
            return;
        case DrawnShape::Kind::polygon:
            list->AddConvexPolyFilled(pixels.data(), static_cast<int>(pixels.size()), color);
            return;
        case DrawnShape::Kind::disc:
            list->AddCircleFilled(pixels[0], static_cast<float>(shape.radius * fit.scale), color);
            return;
        case DrawnShape::Kind::label:
            draw_shape_label(ui, list, pixels[0], static_cast<float>(shape.radius * fit.scale), color,
                             shape.text);
            return;
    }
}

// A word that a tooltip says, wrapped.
void say_over(const Ui& ui, const std::string& text) {
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ui.px(380));
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

// One handle's rectangle in pixels.
struct HandleBox {
    ImVec2 min, max;
};

HandleBox box_of(const DrawnHandle& handle, const DrawingFit& fit) {
    const DrawnPlace low = fit.at(handle.lower), high = fit.at(handle.upper);
    return {{static_cast<float>(low.first), static_cast<float>(high.second)},
            {static_cast<float>(high.first), static_cast<float>(low.second)}};
}

double value_under_pointer(const DrawnHandle& handle, const DrawingFit& fit) {
    const double y = static_cast<double>(ImGui::GetMousePos().y);
    return value_at(handle, (fit.y - y) / fit.scale);
}

// A grip across the box at the height of its value: where it is taken hold of.
void draw_grip(const Ui& ui, const DrawnHandle& handle, const HandleBox& box, double value, bool held) {
    const double range = handle.maximum - handle.minimum;
    const auto share =
        static_cast<float>(range > 0.0 ? std::clamp((value - handle.minimum) / range, 0.0, 1.0) : 0.0);
    const float y = std::round(box.max.y - share * (box.max.y - box.min.y));
    const float half = held ? ui.px(3) : ui.px(2);
    const ImU32 color = held || handle.changed ? ui.colors.accent : ui.colors.muted;
    ImGui::GetWindowDrawList()->AddRectFilled({box.min.x + ui.px(1), y - half},
                                              {box.max.x - ui.px(1), y + half}, color, half);
}

// What is done to a handle; the cursor is anywhere afterwards. Its press alone changes nothing: it may be the
// first of a double click.
std::optional<HandleUse> use_handle(const Ui& ui, const DrawnHandle& handle, const DrawingFit& fit) {
    const HandleBox box = box_of(handle, fit);
    ImGui::SetCursorScreenPos(box.min);
    const bool clicked = ImGui::InvisibleButton(
        handle.name.c_str(), {std::max(1.0F, box.max.x - box.min.x), std::max(1.0F, box.max.y - box.min.y)});
    log_item(ui, ("handle " + handle.name).c_str());
    const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
    if (hovered && !active) say_over(ui, handle.help);
    if (handle.step <= 0.0) {
        if (hovered)
            ImGui::GetWindowDrawList()->AddRect(box.min, box.max, ui.colors.accent, ui.px(4), 0, ui.px(1.5F));
        return clicked ? std::optional<HandleUse>({&handle, handle.value}) : std::nullopt;
    }
    if (hovered || active) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
    const bool dragged = active && ImGui::IsMouseDragging(ImGuiMouseButton_Left, ui.px(3));
    const double value = dragged ? value_under_pointer(handle, fit) : handle.value;
    draw_grip(ui, handle, box, value, hovered || active);
    if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
        return HandleUse{&handle, handle.value, true};
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
    const float title = title_height(ui), readout = readout_height(ui);
    draw_text(list, ui.fonts.bold, at, ui.colors.text, elided(ui.fonts.bold, drawing.title, size.x));
    const ImVec2 room(size.x, std::max(1.0F, size.y - title - readout));
    const ImVec2 corner(at.x, at.y + title);
    const DrawingFit fit = fit_drawing(drawing, static_cast<double>(corner.x), static_cast<double>(corner.y),
                                       static_cast<double>(room.x), static_cast<double>(room.y));
    const auto pixel = [&](double x, double y) {
        const DrawnPlace place = fit.at({x, y});
        return ImVec2(static_cast<float>(place.first), static_cast<float>(place.second));
    };
    list->PushClipRect(pixel(drawing.left, drawing.top), pixel(drawing.right, drawing.bottom), true);
    for (const DrawnShape& shape : drawing.shapes) draw_shape(ui, list, shape, fit);
    list->PopClipRect();
    draw_text_placed(list, ui.fonts.small, {at.x + size.x / 2, at.y + size.y}, Placed::middle, Placed::end,
                     ui.colors.muted, elided(ui.fonts.small, drawing.readout, size.x));
    std::optional<HandleUse> use;
    bool over_handle = false;
    if (!ui.presenting) {
        ImGui::PushID(drawing.id.c_str());
        // ImGui gives the pointer to the first item under it.
        for (auto handle = drawing.handles.rbegin(); handle != drawing.handles.rend(); ++handle) {
            if (auto used = use_handle(ui, *handle, fit)) use = used;
            over_handle = over_handle || ImGui::IsItemHovered() || ImGui::IsItemActive();
        }
        ImGui::PopID();
        ImGui::SetCursorScreenPos(at);
    }
    ImGui::Dummy(size);
    log_item(ui, ("drawing " + drawing.id).c_str());
    if (!over_handle && !drawing.note.empty() && ImGui::IsItemHovered()) say_over(ui, drawing.note);
    return use;
}

}  // namespace emergence
