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

// The norm, with a mark where it started.
void draw_thermometer(const Ui& ui, const HeatmapSpec& spec, double top, const Bounds& strip) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const auto at = [&](double norm) {
        const double share = top > 0.0 ? std::clamp(norm / top, 0.0, 1.0) : 0.0;
        return std::round(strip.max.y - (strip.max.y - strip.min.y) * static_cast<float>(share));
    };
    list->AddRectFilled(strip.min, strip.max, ui.colors.control);
    if (std::isfinite(*spec.norm)) list->AddRectFilled({strip.min.x, at(*spec.norm)}, strip.max, ui.colors.muted);
    const float mark = at(spec.norm_reference);
    list->AddLine({strip.min.x - ui.px(2), mark}, {strip.max.x + ui.px(2), mark}, ui.colors.text, ui.px(2));
}

}  // namespace

std::string cell_text(double value) {
    if (!std::isfinite(value)) return "–";
    const double size = std::abs(value);
    const int digits = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
    const std::string text = size < 1e5 ? fmt::format("{:.{}f}", size, digits) : fmt::format("{:.0e}", size);
    const bool zero = text.find_first_not_of("0.") == std::string::npos;
    return fmt::format("{}{}", value < 0.0 && !zero ? "−" : "", text);
}

std::optional<ImVec2> number_place(const HeatmapFrame& frame, CellPosition cell, ImVec2 size) {
    const CellGrid& place = frame.place();
    const CellRange whole{cell.row, cell.row + 1, cell.column, cell.column + 1};
    const Point middle{(place.x_of(cell.column) + place.x_of(cell.column + 1)) / 2,
                       (place.y_of(cell.row) + place.y_of(cell.row + 1)) / 2};
    const Rect seen = place.seen_of(whole);
    const Rect text{middle.x - size.x / 2, middle.y - size.y / 2, size.x, size.y};
    if (text.x < seen.x || text.right() > seen.right() || text.y < seen.y || text.bottom() > seen.bottom())
        return std::nullopt;
    return pixel_of(middle);
}

void draw_numbers(const Ui& ui, const HeatmapSpec& spec, const ColorRamp& ramp, const HeatmapFrame& frame) {
    const ImFont* font = ui.fonts.small;
    const auto cell = static_cast<float>(frame.cell_size());
    if (spec.values.values.empty() || cell < text_size(font, "−0.00").x + ui.px(4) || cell < font->FontSize + ui.px(2))
        return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->PushClipRect(frame.cells().min, frame.cells().max, true);
    const CellRange visible = frame.place().visible();
    for (int row = visible.first_row; row < visible.last_row; ++row)
        for (int column = visible.first_column; column < visible.last_column; ++column) {
            const double value = spec.values(row, column);
            const ImU32 ink =
                is_bright(ramp(value / spec.limit)) ? IM_COL32(0, 0, 0, 220) : IM_COL32(255, 255, 255, 230);
            const std::string text = cell_text(value);
            if (const auto middle = number_place(frame, {row, column}, text_size(font, text)))
                draw_text_placed(list, font, *middle, Placed::middle, Placed::middle, ink, text);
        }
    list->PopClipRect();
}

void draw_color_bar(const Ui& ui, const HeatmapSpec& spec, const ColorRamp& ramp, const Bounds& bar) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImGuiPen pen(ui, list);
    // By reference: a copy of the ramp would be one per frame.
    draw_color_bar(pen, spec, std::cref(ramp), rect_of(bar), picture_style(ui));
    const std::string most = fmt::format("{}{}", spec.magnitudes ? "" : "+", readout(spec.limit));
    const std::string least = spec.magnitudes ? std::string("0") : fmt::format("−{}", readout(spec.limit));
    if (bar.max.x - bar.min.x > bar.max.y - bar.min.y) {
        const float middle = std::round((bar.min.y + bar.max.y) / 2);
        draw_text_placed(list, ui.fonts.small, {bar.min.x - ui.px(6), middle}, Placed::end, Placed::middle,
                         ui.colors.muted, least);
        draw_text_placed(list, ui.fonts.small, {bar.max.x + ui.px(6), middle}, Placed::start, Placed::middle,
                         ui.colors.muted, most);
        return;
    }
    const float x = bar.max.x + ui.px(5);
    const auto number = [&](float y, Placed placed, const std::string& text) {
        draw_text_placed(list, ui.fonts.small, {x, y}, Placed::start, placed, ui.colors.muted, text);
    };
    number(bar.min.y - ui.px(2), Placed::start, most);
    if (!spec.magnitudes) number(std::round((bar.min.y + bar.max.y) / 2), Placed::middle, "0");
    number(bar.max.y + ui.px(2), Placed::end, least);
}

void draw_norm_strip(const Ui& ui, const HeatmapSpec& spec, double top, const HeatmapFrame& frame) {
    if (!spec.norm) return;
    const Bounds& strip = frame.strip();
    if (strip.max.y > strip.min.y) draw_thermometer(ui, spec, top, strip);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Bounds& whole = frame.whole();
    // As much of it as the title leaves room for; the title's help has all.
    const std::string norm = fmt::format("norm {:.3g}", *spec.norm);
    const float room = whole.max.x - whole.min.x - ui.px(14) - text_size(ui.fonts.bold, greek(spec.title)).x;
    for (const std::string& text : {fmt::format("{}, at the start {:.2g}", norm, spec.norm_reference), norm}) {
        if (text_size(ui.fonts.small, text).x > room) continue;
        draw_text_placed(list, ui.fonts.small, {whole.max.x - ui.px(2), whole.min.y + ui.fonts.bold->FontSize},
                         Placed::end, Placed::end, ui.colors.muted, text);
        break;
    }
}

void draw_note(const Ui& ui, const HeatmapSpec& spec, const HeatmapFrame& frame) {
    if (spec.note.empty()) return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImFont* font = ui.fonts.small;
    const std::string text = greek(spec.note);
    // Below the arrowhead that the colour bar may have.
    const ImVec2 at(frame.whole().min.x, frame.legend().max.y);
    const float end = frame.whole().max.x;
    const float width = end - at.x - ui.px(6);
    std::vector<std::string> lines = lines_of_words(font, text, width);
    const auto room = static_cast<size_t>(std::max(1.0F, std::floor((frame.whole().max.y - at.y) / font->FontSize)));
    if (lines.size() > room) {  // an exported picture has all of it
        lines.resize(room);
        lines.back() = elided(font, lines.back() + " …", width);
    }
    ImVec2 line = at;
    for (const std::string& words : lines) {
        list->AddText(font, font->FontSize, line, ui.colors.muted, words.c_str());
        line.y += font->FontSize;
    }
}

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
