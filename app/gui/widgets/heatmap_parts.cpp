#include "app/gui/widgets/heatmap_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/gui/widgets/imgui_pen.h"
#include "app/gui/widgets/strokes.h"
#include "app/gui/widgets/text.h"
#include "core/pictures/axis.h"

namespace emergence {
namespace {

// Cut to what is seen of the matrix, with a seam in the ground's colour so that it shows on any cell.
void outline(const Ui& ui, const HeatmapFrame& frame, ImVec2 a, ImVec2 b, ImU32 color, float thickness) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Bounds& cells = frame.cells();
    const float margin = ui.px(3);
    list->PushClipRect({cells.min.x - margin, cells.min.y - margin}, {cells.max.x + margin, cells.max.y + margin},
                       true);
    list->AddRect(a, b, ui.colors.panel, 0.0F, ImDrawFlags_None, thickness + ui.px(2));
    list->AddRect(a, b, color, 0.0F, ImDrawFlags_None, thickness);
    list->PopClipRect();
}

}  // namespace

void frame_cells(const Ui& ui, const HeatmapFrame& frame, const CellRange& cells, ImU32 color, float thickness) {
    const CellGrid& place = frame.place();
    outline(ui, frame, pixel_of({place.x_of(cells.first_column), place.y_of(cells.first_row)}),
            pixel_of({place.x_of(cells.last_column), place.y_of(cells.last_row)}), color, thickness);
}

void frame_cell(const Ui& ui, const HeatmapFrame& frame, CellPosition cell, ImU32 color) {
    frame_cells(ui, frame, {cell.row, cell.row + 1, cell.column, cell.column + 1}, color, ui.px(2));
}

void frame_block(const Ui& ui, const HeatmapSpec& spec, const HeatmapFrame& frame, BlockPosition block, ImU32 color) {
    frame_cells(ui, frame, cells_of(spec, block.row_block, block.column_block), color, ui.px(3));
}

void draw_mark_legend(const Ui& ui, const HeatmapSpec& spec, const HeatmapFrame& frame) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 corner = frame.legend().min;
    const std::vector<ImVec2> places = mark_legend_places(ui, spec, frame.whole().max.x - corner.x);
    for (size_t i = 0; i < places.size(); ++i) {
        const ImVec2 at(corner.x + places[i].x, corner.y + places[i].y);
        draw_marker(list, {at.x + ui.px(6), std::round(at.y + ui.fonts.small->FontSize * 0.55F)}, 4.0F * ui.scale,
                    spec.marks[i].color, series_color(ui, spec.marks[i].color));
        draw_text(list, ui.fonts.small, {at.x + ui.px(15), at.y}, ui.colors.text, greek(spec.marks[i].name));
    }
}

}  // namespace emergence
