#include "app/gui/widgets/heatmap_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/gui/widgets/imgui_pen.h"
#include "app/gui/widgets/text.h"
#include "core/pictures/axis.h"

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

// Room for four digits below 0.1 always: the picture must not change its size with every number.
float number_width(const Ui& ui, const HeatmapSpec& spec) {
    return std::max(text_size(ui.fonts.small, "−0.00000").x,
                    text_size(ui.fonts.small, fmt::format("−{}", readout(spec.limit))).x);
}

// How far the last column's label reaches beyond its cells in this room.
float overhang(const Ui& ui, const HeatmapSpec& spec, float room) {
    if (spec.column_blocks.empty() || spec.values.columns == 0) return 0.0F;
    const Block& last = spec.column_blocks.back();
    const float cells = room * static_cast<float>(last.size) / static_cast<float>(spec.values.columns);
    return std::max(0.0F, (text_size(ui.fonts.small, greek(last.label)).x - cells) / 2);
}

// What stands below it instead.
float lying_bar_height(const Ui& ui) { return ui.px(8) + ui.fonts.small->FontSize; }

// As large as there is room for; square unless the picture may be stretched, and a wide one is not stretched to a tower.
ImVec2 fitted_cell(const HeatmapSpec& spec, ImVec2 room) {
    constexpr float kHighest = 0.6F;  // over the width of a matrix of many more columns than rows
    const auto rows = static_cast<float>(spec.values.rows), columns = static_cast<float>(spec.values.columns);
    if (spec.free_aspect && columns > 2.0F * rows) room.y = std::min(room.y, kHighest * room.x * columns / rows);
    if (spec.free_aspect) return {std::max(room.x, 0.1F), std::max(room.y, 1.0F)};
    float side = std::max(0.1F, std::min(room.x, room.y));
    // Whole pixels a cell look even, as long as they do not waste the room of a large matrix.
    if (side > 8.0F) side = std::floor(side);
    return {side, side};
}

float mark_line(const Ui& ui) { return ui.fonts.small->FontSize + ui.px(3); }

float mark_legend_height(const Ui& ui, const HeatmapSpec& spec, float width) {
    const std::vector<ImVec2> places = mark_legend_places(ui, spec, width);
    return places.empty() ? 0.0F : ui.px(kAboveMarks) + places.back().y + mark_line(ui);
}

}  // namespace

// Its numbers too. The picture must not change its size with every number.
float bar_width(const Ui& ui, const HeatmapSpec& spec) {
    return ui.px(10) + ui.px(12) + ui.px(5) + number_width(ui, spec);
}

Heading heatmap_heading(const Ui& ui, const HeatmapSpec& spec, float width) {
    const std::string title = greek(spec.title);
    const bool fits = text_size(ui.fonts.small, title).x <= width;
    return heading_in(ui, fits || spec.short_title.empty() ? title : greek(spec.short_title), width);
}

HeatmapFrame::HeatmapFrame(const Ui& ui, const HeatmapSpec& spec, const MatrixZoom& zoom, ImVec2 size, HeatmapBar bar) {
    whole_.min = ImGui::GetCursorScreenPos();
    whole_.max = {whole_.min.x + size.x, whole_.min.y + size.y};
    const float line = ui.fonts.small->FontSize;
    const bool bare = bar == HeatmapBar::none;
    const bool below = !bare && (ui.presenting || bar == HeatmapBar::below);
    const bool beside = !below && bar == HeatmapBar::beside;
    const float note = below ? lying_bar_height(ui) : 0.0F;
    const float top = heatmap_heading(ui, spec, size.x).height + ui.px(5) + line + ui.px(4);
    const float left = label_margin(ui, spec);
    float room_x = size.x - left - (beside ? bar_width(ui, spec) : 0.0F);
    if (bare || below) room_x -= ui.px(2) + overhang(ui, spec, room_x);
    const float legend = bare ? 0.0F : mark_legend_height(ui, spec, size.x);
    const float room_y = size.y - top - note - legend;
    const auto rows = static_cast<float>(std::max(1, spec.values.rows));
    const auto columns = static_cast<float>(std::max(1, spec.values.columns));
    ImVec2 cell = fitted_cell(spec, {room_x / columns, room_y / rows});
    spare_ = std::max(0.0F, room_x - cell.x * columns);
    cells_.min = {std::round(whole_.min.x + left + spare_ / 2), std::round(whole_.min.y + top)};
    cells_.max = {std::round(cells_.min.x + cell.x * columns), std::round(cells_.min.y + cell.y * rows)};
    cell_ = static_cast<double>(std::min(cell.x, cell.y)) * zoom.factor;
    place_ = CellGrid(spec.values, rect_of(cells_), zoom, true);
    if (below)
        place_bar_below(ui, spec);
    else
        place_bar_beside(ui);
    const float low = bar_.max.y + ui.px(kAboveMarks);
    legend_ = {{whole_.min.x, low}, {whole_.max.x, low + legend}};
}

void HeatmapFrame::place_bar_beside(const Ui& ui) {
    // Beside a flat matrix they are as high as their numbers need.
    const float low = std::max(cells_.max.y, std::round(cells_.min.y + 3.2F * ui.fonts.small->FontSize));
    bar_ = {{cells_.max.x + ui.px(10), cells_.min.y}, {cells_.max.x + ui.px(22), low}};
}

// Between its numbers, as long as the matrix is wide, or as it is legible at all.
void HeatmapFrame::place_bar_below(const Ui& ui, const HeatmapSpec& spec) {
    const float number = number_width(ui, spec) + ui.px(6);
    const float middle = (cells_.min.x + cells_.max.x) / 2;
    const float room = std::min(middle - whole_.min.x, whole_.max.x - middle) - number;
    const float half = std::round(std::max(ui.px(16), std::min(room, (cells_.max.x - cells_.min.x) / 2)));
    const float top = cells_.max.y + ui.px(8) + std::round((ui.fonts.small->FontSize - ui.px(12)) / 2);
    bar_ = {{std::round(middle) - half, top}, {std::round(middle) + half, top + ui.px(12)}};
}

ImVec2 HeatmapFrame::share_at(ImVec2 point) const {
    const double x = static_cast<double>((point.x - cells_.min.x) / (cells_.max.x - cells_.min.x));
    const double y = static_cast<double>((point.y - cells_.min.y) / (cells_.max.y - cells_.min.y));
    const MatrixZoom& zoom = place_.zoom();
    return pixel_of({zoom.left + x / zoom.factor, zoom.top + y / zoom.factor});
}

std::optional<CellPosition> HeatmapFrame::cell_at(ImVec2 point) const {
    if (!cells_.contains(point)) return std::nullopt;
    const ImVec2 share = share_at(point);
    const auto index = [](float at, int count) {
        return std::clamp(static_cast<int>(at * static_cast<float>(count)), 0, count - 1);
    };
    return CellPosition{index(share.y, place_.rows()), index(share.x, place_.columns())};
}

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

}  // namespace emergence
