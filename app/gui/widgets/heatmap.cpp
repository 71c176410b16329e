#include "app/gui/widgets/heatmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/tooltip.h"
#include "core/pictures/axis.h"
#include "core/pictures/describe.h"
#include "core/pictures/matrix_cells.h"

namespace emergence {
namespace {

constexpr float kAboveMarks = 10.0F;

float label_margin(const Ui& ui, const std::vector<Block>& blocks) {
    float widest = 0.0F;
    for (const Block& block : blocks) widest = std::max(widest, text_size(ui.fonts.small, greek(block.label)).x);
    return widest + ui.px(8);
}

float label_margin(const Ui& ui, const HeatmapSpec& spec) {
    if (spec.row_word.empty()) return label_margin(ui, spec.row_blocks);
    return text_size(ui.fonts.small, fmt::format("{} {}", spec.row_word, spec.values.rows)).x + ui.px(8);
}

// Always room for four digits below 0.1, so that the picture does not change its size with every number.
float number_width(const Ui& ui, const HeatmapSpec& spec) {
    return std::max(text_size(ui.fonts.small, "−0.00000").x,
                    text_size(ui.fonts.small, fmt::format("−{}", readout(spec.limit))).x);
}

// How far the last column's label reaches beyond its cells.
float overhang(const Ui& ui, const HeatmapSpec& spec, float room) {
    if (spec.column_blocks.empty() || spec.values.columns == 0) return 0.0F;
    const Block& last = spec.column_blocks.back();
    const float cells = room * static_cast<float>(last.size) / static_cast<float>(spec.values.columns);
    return std::max(0.0F, (text_size(ui.fonts.small, greek(last.label)).x - cells) / 2);
}

float lying_bar_height(const Ui& ui) { return ui.px(8) + ui.fonts.small->FontSize; }

// As large as there is room for. Cells are square unless the picture may be stretched; a matrix of few rows is not
// stretched to a tower.
ImVec2 fitted_cell(const HeatmapSpec& spec, ImVec2 room) {
    constexpr float kHighest = 0.6F;  // over the width of a matrix of many more columns than rows
    const auto rows = static_cast<float>(spec.values.rows), columns = static_cast<float>(spec.values.columns);
    if (spec.free_aspect && columns > 2.0F * rows) room.y = std::min(room.y, kHighest * room.x * columns / rows);
    if (spec.free_aspect) return {std::max(room.x, 0.1F), std::max(room.y, 1.0F)};
    float side = std::max(0.1F, std::min(room.x, room.y));
    // Cells of whole pixels look even; in a large matrix they would waste room.
    if (side > 8.0F) side = std::floor(side);
    return {side, side};
}

float mark_line(const Ui& ui) { return ui.fonts.small->FontSize + ui.px(3); }

// The left upper corners of the legend's entries, relative to its own.
std::vector<ImVec2> mark_legend_places(const Ui& ui, const HeatmapSpec& spec, float width) {
    std::vector<ImVec2> places;
    ImVec2 at(0.0F, 0.0F);
    for (const CellMarks& marks : spec.marks) {
        const float needed = ui.px(16) + text_size(ui.fonts.small, greek(marks.name)).x;
        if (at.x > 0.0F && at.x + needed > width) at = {0.0F, at.y + mark_line(ui)};
        places.push_back(at);
        at.x += needed + ui.px(14);
    }
    return places;
}

float mark_legend_height(const Ui& ui, const HeatmapSpec& spec, float width) {
    const std::vector<ImVec2> places = mark_legend_places(ui, spec, width);
    return places.empty() ? 0.0F : ui.px(kAboveMarks) + places.back().y + mark_line(ui);
}

// The title, or the short one if the title has no room.
Heading heatmap_heading(const Ui& ui, const HeatmapSpec& spec, float width) {
    const std::string title = greek(spec.title);
    const bool fits = text_size(ui.fonts.small, title).x <= width;
    return heading_in(ui, fits || spec.short_title.empty() ? title : greek(spec.short_title), width);
}

constexpr double kZoomStep = 1.25;   // a notch of the wheel
constexpr float kClickReach = 4.0F;  // pixels that a click may move

void draw_cell_readout(const Ui& ui, const CellReading& reading) {
    if (ui.presenting) keep_tooltip_in_window(ui);
    const Tooltip tooltip(ui, 340.0F);
    heading_text(ui, reading.value);
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
    wrapped_muted("Ctrl + wheel: zoom. Drag: move. Double-click: fit. Click: a cell's history.");
}

std::string bar_text(const HeatmapSpec& spec) {
    const ClippedCells clipped = clipped_cells(spec);
    std::string text = "Click to set where the colours end.";
    if (clipped.above > 0) text += fmt::format(" {} of {} cells lie above.", clipped.above, spec.values.values.size());
    if (clipped.below > 0) text += fmt::format(" {} of {} cells lie below.", clipped.below, spec.values.values.size());
    return text;
}

bool is_click() { return ImGui::GetIO().MouseDragMaxDistanceSqr[0] < kClickReach * kClickReach; }

void use_color_bar(const Ui& ui, const HeatmapSpec& spec, const HeatmapFrame& frame, HeatmapResponse& response) {
    const Bounds& bar = frame.bar;
    ImGui::SetCursorScreenPos({bar.min.x - ui.px(3), bar.min.y});
    ImGui::InvisibleButton("color bar", {bar.max.x - bar.min.x + ui.px(6), bar.max.y - bar.min.y});
    log_item(ui, ("color bar " + spec.id).c_str());
    response.bar_clicked = ImGui::IsItemDeactivated() && is_click();
    if (ImGui::IsItemHovered() && !ImGui::IsItemActive() && !ui.presenting) {
        const Tooltip tooltip(ui, 260.0F);
        wrapped_text(bar_text(spec));
    }
}

// The last item is the heatmap's own.
void use_zoom(const HeatmapSpec& spec, const HeatmapFrame& frame, MatrixZoom& zoom, HeatmapResponse& response) {
    const ImGuiIO& io = ImGui::GetIO();
    const ImVec2 share = frame.share_at(io.MousePos);
    const Bounds& cells = frame.cells;
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

void draw_mark_legend(const Ui& ui, const HeatmapSpec& spec, const HeatmapFrame& frame) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImGuiPen pen(ui, list);
    const ImVec2 corner = frame.legend.min;
    const std::vector<ImVec2> places = mark_legend_places(ui, spec, frame.whole.max.x - corner.x);
    for (size_t i = 0; i < places.size(); ++i) {
        const ImVec2 at(corner.x + places[i].x, corner.y + places[i].y);
        pen.marker(point_of({at.x + ui.px(6), std::round(at.y + ui.fonts.small->FontSize * 0.55F)}),
                   4.0 * static_cast<double>(ui.scale), spec.marks[i].color,
                   to_ink(series_color(ui, spec.marks[i].color)));
        draw_text(list, ui.fonts.small, {at.x + ui.px(15), at.y}, ui.colors.text, greek(spec.marks[i].name));
    }
}

void draw_cells(const Ui& ui, const HeatmapSpec& spec, HeatmapState& state, const HeatmapFrame& frame, bool bare,
                bool has_bar) {
    const Bounds& cells = frame.cells;
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImGuiPen pen(ui, list);
    const PictureStyle style = picture_style(ui);
    const CellGrid& place = frame.place;
    const CellColors colors = std::cref(state.ramp(ui, spec));  // a copy would be one per frame
    if (!spec.values.values.empty()) {
        const MatrixZoom& zoom = place.zoom;
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
    if (has_bar) draw_color_bar(pen, spec, colors, rect_of(frame.bar), style);
}

// Cut to the visible part of the matrix, with a seam in the panel's colour so that it shows on any cell.
void frame_cells(const Ui& ui, const HeatmapFrame& frame, const CellRange& cells, ImU32 color, float thickness) {
    const CellGrid& place = frame.place;
    const ImVec2 a = pixel_of({place.across.at(cells.first_column), place.down.at(cells.first_row)});
    const ImVec2 b = pixel_of({place.across.at(cells.last_column), place.down.at(cells.last_row)});
    const auto [min, max] = frame.cells;
    const float margin = ui.px(3);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->PushClipRect({min.x - margin, min.y - margin}, {max.x + margin, max.y + margin}, true);
    list->AddRect(a, b, ui.colors.panel, 0.0F, ImDrawFlags_None, thickness + ui.px(2));
    list->AddRect(a, b, color, 0.0F, ImDrawFlags_None, thickness);
    list->PopClipRect();
}

void frame_cell(const Ui& ui, const HeatmapFrame& frame, CellPosition cell, ImU32 color) {
    frame_cells(ui, frame, {cell.row, cell.row + 1, cell.column, cell.column + 1}, color, ui.px(2));
}

void draw_heatmap_marks(const Ui& ui, const HeatmapSpec& spec, const HeatmapFrame& frame, const HeatmapContext& context,
                        const std::optional<CellPosition>& pointed) {
    for (const BlockPosition& block : context.outlined)
        frame_cells(ui, frame, cells_of(spec, block.row_block, block.column_block), ui.colors.warning, ui.px(3));
    const auto inside = [&](CellPosition cell) {
        return cell.row < spec.values.rows && cell.column < spec.values.columns;
    };
    if (context.selected && inside(*context.selected)) frame_cell(ui, frame, *context.selected, ui.colors.accent);
    if (pointed && inside(*pointed)) frame_cell(ui, frame, *pointed, ui.colors.text);
}

}  // namespace

float bar_width(const Ui& ui, const HeatmapSpec& spec) {
    return ui.px(10) + ui.px(12) + ui.px(5) + number_width(ui, spec);
}

HeatmapFrame::HeatmapFrame(const Ui& ui, const HeatmapSpec& spec, const MatrixZoom& zoom, ImVec2 size,
                           HeatmapBar kind) {
    whole.min = ImGui::GetCursorScreenPos();
    whole.max = {whole.min.x + size.x, whole.min.y + size.y};
    const float line = ui.fonts.small->FontSize;
    const bool bare = kind == HeatmapBar::none;
    const bool below = !bare && (ui.presenting || kind == HeatmapBar::below);
    const bool beside = !below && kind == HeatmapBar::beside;
    const float note = below ? lying_bar_height(ui) : 0.0F;
    const float top = heatmap_heading(ui, spec, size.x).height + ui.px(5) + line + ui.px(4);
    const float left = label_margin(ui, spec);
    float room_x = size.x - left - (beside ? bar_width(ui, spec) : 0.0F);
    if (bare || below) room_x -= ui.px(2) + overhang(ui, spec, room_x);
    const float marks = bare ? 0.0F : mark_legend_height(ui, spec, size.x);
    const float room_y = size.y - top - note - marks;
    const auto rows = static_cast<float>(std::max(1, spec.values.rows));
    const auto columns = static_cast<float>(std::max(1, spec.values.columns));
    const ImVec2 cell = fitted_cell(spec, {room_x / columns, room_y / rows});
    spare = std::max(0.0F, room_x - cell.x * columns);
    cells.min = {std::round(whole.min.x + left + spare / 2), std::round(whole.min.y + top)};
    cells.max = {std::round(cells.min.x + cell.x * columns), std::round(cells.min.y + cell.y * rows)};
    cell_size = static_cast<double>(std::min(cell.x, cell.y)) * zoom.factor;
    place = CellGrid(spec.values, rect_of(cells), zoom, true);
    if (below) {  // between its numbers, as long as the matrix is wide, but at least legible
        const float number = number_width(ui, spec) + ui.px(6), middle = (cells.min.x + cells.max.x) / 2;
        const float room = std::min(middle - whole.min.x, whole.max.x - middle) - number;
        const float half = std::round(std::max(ui.px(16), std::min(room, (cells.max.x - cells.min.x) / 2)));
        const float high = cells.max.y + ui.px(8) + std::round((line - ui.px(12)) / 2);
        bar = {{std::round(middle) - half, high}, {std::round(middle) + half, high + ui.px(12)}};
    } else {  // beside a flat matrix the bar is as high as its numbers need
        const float low = std::max(cells.max.y, std::round(cells.min.y + 3.2F * line));
        bar = {{cells.max.x + ui.px(10), cells.min.y}, {cells.max.x + ui.px(22), low}};
    }
    const float low = bar.max.y + ui.px(kAboveMarks);
    legend = {{whole.min.x, low}, {whole.max.x, low + marks}};
}

ImVec2 HeatmapFrame::share_at(ImVec2 point) const {
    const double x = static_cast<double>((point.x - cells.min.x) / (cells.max.x - cells.min.x));
    const double y = static_cast<double>((point.y - cells.min.y) / (cells.max.y - cells.min.y));
    const MatrixZoom& zoom = place.zoom;
    return pixel_of({zoom.left + x / zoom.factor, zoom.top + y / zoom.factor});
}

std::optional<CellPosition> HeatmapFrame::cell_at(ImVec2 point) const {
    if (!cells.contains(point)) return std::nullopt;
    const ImVec2 share = share_at(point);
    const auto index = [](float at, int count) {
        return std::clamp(static_cast<int>(at * static_cast<float>(count)), 0, count - 1);
    };
    return CellPosition{index(share.y, place.down.count), index(share.x, place.across.count)};
}

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
    const Bounds whole = frame.whole;
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
    if (released && response.hovered) response.clicked = response.hovered;
    response.cells = frame.cells;
    if (ui.log != nullptr) ui.log->record("cells " + spec.id, response.cells.min, response.cells.max);

    list->PushClipRect(whole.min, whole.max, true);
    const Heading heading = heatmap_heading(ui, spec, size.x);
    draw_lines(list, heading.font, whole.min, ui.colors.text, heading.lines);
    draw_cells(ui, spec, state, frame, context.bar == HeatmapBar::none, has_bar);
    draw_heatmap_marks(ui, spec, frame, context, response.hovered ? response.hovered : context.highlight);
    if (response.hovered && context.reads && !ImGui::IsMouseDragging(ImGuiMouseButton_Left))
        draw_cell_readout(ui, read_cell(spec, *response.hovered, context.companion, context.companion_name));
    if (hovered && !ui.presenting && mouse.y < frame.cells.min.y - ui.fonts.small->FontSize)
        explain_picture(ui, spec, context);
    list->PopClipRect();
    return response;
}

}  // namespace emergence
