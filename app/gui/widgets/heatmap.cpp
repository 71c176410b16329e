#include "app/gui/widgets/heatmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/gui/shell/texture.h"
#include "app/gui/shell/widget_log.h"
#include "app/gui/widgets/heatmap_parts.h"
#include "app/gui/widgets/imgui_pen.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "app/gui/widgets/wheel.h"
#include "core/pictures/axis.h"
#include "core/pictures/describe.h"
#include "core/pictures/matrix_cells.h"

namespace emergence {
namespace {

constexpr double kZoomStep = 1.25;   // a notch of the wheel
constexpr double kDragStep = 1.015;  // a pixel of dragging the colour bar
constexpr float kClickReach = 4.0F;  // pixels that a click may move

void draw_readout(const Ui& ui, const CellReading& reading) {
    if (ui.presenting) keep_tooltip_in_window(ui);
    const Tooltip tooltip(ui, 340.0F);
    ImGui::PushFont(ui.fonts.bold);
    ImGui::TextUnformatted(reading.value.c_str());
    ImGui::PopFont();
    if (!reading.unit.empty()) {
        ImGui::SameLine();
        ImGui::TextDisabled("%s", reading.unit.c_str());
    }
    if (!reading.others.empty()) wrapped_muted(reading.others);
    wrapped_text(greek(reading.row));
    wrapped_text(greek(reading.column));
    for (const std::string& remark : reading.remarks) wrapped_text(greek(remark));
}

void explain_picture(const Ui& ui, const HeatmapSpec& spec, const HeatmapContext& context) {
    const Tooltip tooltip(ui);
    if (!context.help.empty()) wrapped_text(greek(context.help));
    if (!spec.note.empty()) wrapped_muted(greek(spec.note));
    if (spec.norm)
        wrapped_muted(fmt::format("Frobenius norm before scaling: {}, at the start {}.", readout(*spec.norm),
                                  readout(spec.norm_reference)));
    wrapped_muted(
        "Ctrl + wheel: zoom. Drag: move. Double-click: fit. Click: a cell's history; with Shift its block's.");
}

std::string bar_text(const HeatmapSpec& spec) {
    const ClippedCells clipped = clipped_cells(spec);
    std::string text = "Drag up or down to set where the colours end; click for limits and maps.";
    if (clipped.above > 0) text += fmt::format(" {} of {} cells lie above.", clipped.above, spec.values.values.size());
    if (clipped.below > 0) text += fmt::format(" {} of {} cells lie below.", clipped.below, spec.values.values.size());
    return text;
}

bool is_click() { return ImGui::GetIO().MouseDragMaxDistanceSqr[0] < kClickReach * kClickReach; }

void use_color_bar(const Ui& ui, const HeatmapSpec& spec, const HeatmapFrame& frame, HeatmapResponse& response) {
    const Bounds& bar = frame.bar();
    ImGui::SetCursorScreenPos({bar.min.x - ui.px(3), bar.min.y});
    ImGui::InvisibleButton("color bar", {bar.max.x - bar.min.x + ui.px(6), bar.max.y - bar.min.y});
    log_item(ui, ("color bar " + spec.id).c_str());
    const bool lies = frame.bar_lies();
    const float moved = lies ? -ImGui::GetIO().MouseDelta.x : ImGui::GetIO().MouseDelta.y;
    if (ImGui::IsItemActive() && !is_click() && moved != 0.0F)
        response.dragged_limit = spec.limit * std::pow(kDragStep, static_cast<double>(-moved));
    response.bar_clicked = ImGui::IsItemDeactivated() && is_click();
    if (ImGui::IsItemHovered() || ImGui::IsItemActive())
        ImGui::SetMouseCursor(lies ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    if (ImGui::IsItemHovered() && !ImGui::IsItemActive() && !ui.presenting) {
        const Tooltip tooltip(ui, 260.0F);
        wrapped_text(bar_text(spec));
    }
}

// The last item is the heatmap's own.
void use_zoom(const HeatmapSpec& spec, const HeatmapFrame& frame, MatrixZoom& zoom, HeatmapResponse& response) {
    const ImGuiIO& io = ImGui::GetIO();
    const ImVec2 share = frame.share_at(io.MousePos);
    const Bounds& cells = frame.cells();
    const bool over_cells = ImGui::IsItemHovered() && cells.contains(io.MousePos);
    if (over_cells) {
        if (takes_wheel() && io.MouseWheel != 0.0F)
            zoom.zoom(std::pow(kZoomStep, static_cast<double>(io.MouseWheel)), static_cast<double>(share.x),
                      static_cast<double>(share.y), largest_zoom(spec.values.rows, spec.values.columns));
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
            zoom.fit();
            response.fitted = true;
        }
    }
    if (ImGui::IsItemActive() && !is_click() && cells.contains(io.MouseClickedPos[0]))
        zoom.pan(static_cast<double>(io.MouseDelta.x / (cells.max.x - cells.min.x)) / zoom.factor,
                 static_cast<double>(io.MouseDelta.y / (cells.max.y - cells.min.y)) / zoom.factor);
}

void draw_cells(const Ui& ui, const HeatmapSpec& spec, HeatmapState& state, const HeatmapFrame& frame, bool bare,
                bool has_bar) {
    const Bounds& cells = frame.cells();
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImGuiPen pen(ui, list);
    const PictureStyle& style = picture_style(ui);
    const CellGrid& place = frame.place();
    const CellColors colors = std::cref(state.ramp(ui, spec));  // a copy would be one per frame
    if (!spec.values.values.empty()) {
        const MatrixZoom& zoom = place.zoom();
        list->AddImage(state.texture(ui, spec), cells.min, cells.max, pixel_of({zoom.left, zoom.top}),
                       pixel_of({zoom.left + 1.0 / zoom.factor, zoom.top + 1.0 / zoom.factor}));
        draw_cell_numbers(pen, spec, colors, place, style);
    }
    draw_hatching(pen, spec, place, style);
    draw_borders(pen, spec, place, style);
    if (!spec.values.values.empty()) {
        draw_row_labels(pen, row_labels(spec, place, style), place, style);
        draw_column_labels(pen, column_labels(spec, place, style), place, false, style);
    }
    draw_cell_marks(pen, spec, place, style);
    if (bare) return;
    draw_mark_legend(ui, spec, frame);
    if (has_bar) draw_color_bar(pen, spec, colors, rect_of(frame.bar()), style);
}

void draw_heatmap_marks(const Ui& ui, const HeatmapSpec& spec, const HeatmapFrame& frame, const HeatmapContext& context,
                        const std::optional<CellPosition>& pointed) {
    for (const BlockPosition& block : context.outlined) frame_block(ui, spec, frame, block, ui.colors.warning);
    const auto inside = [&](CellPosition cell) {
        return cell.row < spec.values.rows && cell.column < spec.values.columns;
    };
    if (context.selected && inside(context.selected->cell)) {
        const std::optional<BlockPosition> block = block_at(spec, context.selected->cell);
        if (context.selected->block && block)
            frame_block(ui, spec, frame, *block, ui.colors.accent);
        else
            frame_cell(ui, frame, context.selected->cell, ui.colors.accent);
    }
    if (pointed && inside(*pointed)) frame_cell(ui, frame, *pointed, ui.colors.text);
}

void read_pointer(const Ui& ui, const HeatmapSpec& spec, const HeatmapContext& context, CellPosition cell,
                  HeatmapResponse& response) {
    const CellReading reading = read_cell(spec, cell, context.companion, context.companion_name);
    response.value = spec.values(cell.row, cell.column);
    response.row_text = reading.row;
    response.column_text = reading.column;
    if (context.reads && !ImGui::IsMouseDragging(ImGuiMouseButton_Left)) draw_readout(ui, reading);
}

}  // namespace

const ColorRamp& HeatmapState::ramp(const Ui& ui, const HeatmapSpec& spec) {
    const ColorMap& map = color_map_of(spec);
    if (!ramp_ || map_ != &map || theme_ != ui.theme) {
        ramp_.emplace(map, ui.theme);
        map_ = &map;
        theme_ = ui.theme;
        uploaded_ = false;
    }
    return *ramp_;
}

ImTextureID HeatmapState::texture(const Ui& ui, const HeatmapSpec& spec) {
    const ColorRamp& colors = ramp(ui, spec);
    if (uploaded_ && limit_ == spec.limit) return texture_;
    std::vector<ImU32> pixels;
    pixels.reserve(spec.values.values.size());
    for (const double value : spec.values.values) pixels.push_back(to_color(colors(value / spec.limit)));
    texture_ = ui.textures->upload(texture_, spec.values.columns, spec.values.rows, pixels);
    uploaded_ = true;
    limit_ = spec.limit;
    return texture_;
}

HeatmapResponse draw_heatmap(const Ui& ui, const HeatmapSpec& spec, HeatmapState& state, ImVec2 size,
                             const HeatmapContext& context) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    HeatmapFrame frame(ui, spec, context.zoom != nullptr ? *context.zoom : MatrixZoom{}, size, context.bar);
    const Bounds whole = frame.whole();
    const bool has_cells = !spec.values.values.empty();
    HeatmapResponse response;
    ImGui::PushID(spec.id.c_str());
    const bool has_bar = context.bar > HeatmapBar::elsewhere && !context.bar_at_neighbour;
    if (has_cells && has_bar) use_color_bar(ui, spec, frame, response);
    ImGui::SetCursorScreenPos(whole.min);
    ImGui::InvisibleButton("heatmap", size);
    log_item(ui, ("heatmap " + spec.id).c_str());
    const bool hovered = ImGui::IsItemHovered();
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool released = has_cells && ImGui::IsItemDeactivated() && is_click();
    if (context.zoom != nullptr && has_cells) {
        use_zoom(spec, frame, *context.zoom, response);
        ImGui::SetCursorScreenPos(whole.min);
        frame = HeatmapFrame(ui, spec, *context.zoom, size, context.bar);
        ImGui::SetCursorScreenPos({whole.min.x, whole.max.y});
    }
    ImGui::PopID();
    if (hovered && has_cells) response.hovered = frame.cell_at(mouse);
    if (released && response.hovered) response.clicked = MarkedCell{*response.hovered, ImGui::GetIO().KeyShift};
    response.cells_min = frame.cells().min;
    response.cells_max = frame.cells().max;
    if (ui.log != nullptr) ui.log->record("cells " + spec.id, response.cells_min, response.cells_max);

    list->PushClipRect(whole.min, whole.max, true);
    const Heading heading = heatmap_heading(ui, spec, size.x);
    draw_lines(list, heading.font, whole.min, ui.colors.text, heading.lines);
    draw_cells(ui, spec, state, frame, context.bar == HeatmapBar::none, has_bar);
    draw_heatmap_marks(ui, spec, frame, context, response.hovered ? response.hovered : context.highlight);
    if (response.hovered) read_pointer(ui, spec, context, *response.hovered, response);
    if (hovered && !ui.presenting && mouse.y < frame.cells().min.y - ui.fonts.small->FontSize)
        explain_picture(ui, spec, context);
    list->PopClipRect();
    return response;
}

}  // namespace emergence
