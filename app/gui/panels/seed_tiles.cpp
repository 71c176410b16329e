#include "app/gui/panels/matrices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/imgui_pen.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/lab/views/run_views.h"
#include "core/pictures/axis.h"

namespace emergence {
namespace {

std::string limits_note(const std::vector<HeatmapSpec>& tiles, bool linked) {
    double low = 0.0, high = 0.0;
    for (const HeatmapSpec& tile : tiles) {
        if (tile.values.values.empty()) continue;
        low = low == 0.0 ? tile.limit : std::min(low, tile.limit);
        high = std::max(high, tile.limit);
    }
    if (low == high) return fmt::format("colours end at {} in every tile", readout(high));
    return fmt::format("{}: colours end at {} to {}", linked ? "common limits" : "limits of their own", readout(low),
                       readout(high));
}

void explain_tile(const Ui& ui, const Snapshot& snapshot, const SeedStatus& seed, const HeatmapSpec& tile) {
    std::string text = network_words(snapshot, seed) + ".";
    if (tile.norm) text += fmt::format(" Norm {}, at the start {}.", readout(*tile.norm), readout(tile.norm_reference));
    explain_item(ui, text + "\nClick to see it alone.");
}

// The heights of the line over a tile and of the heading over the tiles; the room that heading and bar leave.
float tile_line(const Ui& ui) { return ui.fonts.small->FontSize + ui.px(4); }
float row_top(const Ui& ui) { return ui.fonts.bold->FontSize + ui.px(6); }
ImVec2 tile_room(const Ui& ui, ImVec2 size) {
    return {size.x - ui.px(33) - text_size(ui.fonts.small, "−0.00000").x, size.y - row_top(ui)};
}

// Wide enough for the number of any seed above it.
float smallest_tile(const Ui& ui, const Snapshot& snapshot) {
    return std::max(ui.px(30),
                    text_size(ui.fonts.small, fmt::format("✓ {}", snapshot.seeds.back().seed)).x - ui.px(10));
}

// The size of the matrix in a square tile.
ImVec2 tile_extent(const HeatmapSpec& tile, float side) {
    const auto rows = static_cast<float>(tile.values.rows), columns = static_cast<float>(tile.values.columns);
    if (tile.free_aspect || rows == columns || rows <= 0.0F || columns <= 0.0F) return {side, side};
    const float longer = std::max(rows, columns);
    return {std::round(side * columns / longer), std::round(side * rows / longer)};
}

}  // namespace

TileGrid fit_tiles(int count, ImVec2 room, float line, float gap, float smallest) {
    TileGrid best;
    for (int columns = 1; columns <= std::max(1, count); ++columns) {
        const int rows = (count + columns - 1) / columns;
        const float wide = (room.x - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
        const float high = (room.y - gap * static_cast<float>(rows - 1)) / static_cast<float>(rows) - line;
        const float side = std::floor(std::min(wide, high));
        if (side > best.side) best = {columns, side};
    }
    if (best.side >= smallest) return best;
    const float columns = std::floor((room.x + gap) / (smallest + gap));
    return {std::max(1, static_cast<int>(columns)), smallest};
}

SeedTiles::Row SeedTiles::build_row(const Snapshot& snapshot, const NamedMatrix& matrix, MatrixView view,
                                    const std::string& run) {
    Row row;
    row.title = fmt::format("{}{}, every {}", picture_name(matrix), run.empty() ? "" : " of " + run,
                            counted_as(snapshot.seed_word));
    for (size_t seed = 0; seed < snapshot.seeds.size(); ++seed) {
        view.seed_index = static_cast<int>(seed);
        HeatmapSpec tile = heatmap_of(snapshot, matrix, view);
        tile.id = fmt::format("{}{} {}", matrix.name, run == "B" ? " B" : "", seed);
        row.tiles.push_back(std::move(tile));
    }
    return row;
}

// The rows from `first` on are of one matrix.
void SeedTiles::finish_rows(size_t first, bool link_limits) {
    double largest = 0.0;
    for (size_t i = first; i < rows_.size(); ++i)
        for (const HeatmapSpec& tile : rows_[i].tiles)
            if (!tile.values.values.empty()) largest = std::max(largest, tile.limit);
    for (size_t i = first; i < rows_.size(); ++i) {
        Row& row = rows_[i];
        if (row.tiles.empty()) continue;
        if (link_limits && largest > 0.0)
            for (HeatmapSpec& tile : row.tiles) tile.limit = largest;
        const std::string unit = row.tiles.front().unit;
        row.note = fmt::format("{}{}; {}", unit, unit.rfind("scaled", 0) == 0 ? ", each by its own largest entry" : "",
                               limits_note(row.tiles, link_limits));
        row.common_limit = all_of(
            row.tiles, [&](const HeatmapSpec& tile) { return tile.values.values.empty() || tile.limit == largest; });
        // The bar counts the cells of all tiles beyond its ends.
        row.bar = row.tiles.front();
        row.bar.limit = largest;
        row.bar.values.values.clear();
        for (const HeatmapSpec& tile : row.tiles)
            row.bar.values.values.insert(row.bar.values.values.end(), tile.values.values.begin(),
                                         tile.values.values.end());
        row.bar.values.rows = 1;
        row.bar.values.columns = static_cast<int>(row.bar.values.values.size());
    }
}

void SeedTiles::build(const Source& source) {
    const auto& [snapshot, other, look, names] = source;
    const std::vector<Row> before = std::exchange(rows_, {});
    for (const NamedMatrix& matrix : snapshot->matrices) {
        if (!contains(names, matrix.name)) continue;
        const size_t first = rows_.size();
        rows_.push_back(build_row(*snapshot, matrix, look.view, other ? "A" : ""));
        rows_.back().snapshot = snapshot;
        if (const NamedMatrix* of_b = other ? find_matrix(*other, matrix.name) : nullptr) {
            MatrixView view = look.view;
            view.baseline.reset();  // the pinned moment is one of A's
            rows_.push_back(build_row(*other, *of_b, view, "B"));
            rows_.back().snapshot = other;
        }
        finish_rows(first, look.link_limits);
    }
    for (size_t i = 0; i < rows_.size(); ++i) {
        // Reuses textures.
        if (i < before.size()) rows_[i].states = before[i].states;
        rows_[i].states.resize(rows_[i].tiles.size());
        for (HeatmapState& state : rows_[i].states) state.invalidate();
    }
}

void SeedTiles::draw_tile(const Ui& ui, Row& row, size_t index, ImVec2 at, float side, const PictureStyle& style) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const HeatmapSpec& tile = row.tiles[index];
    const SeedStatus& seed = row.snapshot->seeds[index];
    const ImVec2 cells(at.x, at.y + tile_line(ui));
    const ImVec2 extent = tile_extent(tile, side);
    const ImVec2 end(cells.x + extent.x, cells.y + extent.y);
    const ImU32 color = seed.failed ? ui.colors.bad : is_counted(seed) ? ui.colors.good : ui.colors.muted;
    const char* mark = seed.failed ? "✗" : is_counted(seed) ? "✓" : "·";
    // The same words over all tiles.
    const std::string longest = fmt::format("✓ seed {}", row.snapshot->seeds.back().seed);
    const bool fits = text_size(ui.fonts.small, longest).x <= side;
    const std::string name = fmt::format("{} {}{}", mark, fits ? "seed " : "", seed.seed);
    draw_text(list, ui.fonts.small, at, color, elided(ui.fonts.small, name, side + ui.px(10)));
    if (!tile.values.values.empty()) {
        list->AddImage(row.states[index].texture(ui, tile), cells, end);
        ImGuiPen pen(ui, list);
        draw_borders(pen, tile, {tile.values, rect_between(cells, end), {}, true}, style);
    }
    const bool hovered = ImGui::IsItemHovered();
    list->AddRect(cells, end, hovered ? ui.colors.accent : ui.colors.axis, 0.0F, ImDrawFlags_None,
                  hovered ? ui.px(2) : 1.0F);
    explain_tile(ui, *row.snapshot, seed, tile);
}

// Returns the clicked tile and the lower end of the row.
std::pair<std::optional<int>, float> SeedTiles::draw_row(const Ui& ui, Row& row, ImVec2 start, ImVec2 size) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const std::string name = whole_parts(ui.fonts.bold, greek(row.title), size.x);
    draw_text(list, ui.fonts.bold, start, ui.colors.text, name);
    const float title = text_size(ui.fonts.bold, name).x + ui.px(12);
    const float end = std::min(start.x + size.x, list->GetClipRectMax().x);  // a scroll bar may stand there
    const std::string note = whole_parts(ui.fonts.small, greek(row.note), end - start.x - title);
    draw_text(list, ui.fonts.small, {start.x + title, start.y + ui.px(2)}, ui.colors.muted, note);
    const float top = row_top(ui);
    if (name + note != greek(row.title + row.note) && !ui.presenting && ImGui::IsWindowHovered() &&
        ImGui::IsMouseHoveringRect(start, {start.x + size.x, start.y + top}))
        explain_now(ui, row.title + ": " + row.note);
    const float gap = ui.px(10);
    const auto count = static_cast<int>(row.tiles.size());
    const TileGrid grid = fit_tiles(count, tile_room(ui, size), tile_line(ui), gap, smallest_tile(ui, *row.snapshot));
    const PictureStyle style = picture_style(ui);
    std::optional<int> clicked;
    float bottom = start.y + top;
    for (int i = 0; i < count; ++i) {
        const ImVec2 at(start.x + static_cast<float>(i % grid.columns) * (grid.side + gap),
                        start.y + top + static_cast<float>(i / grid.columns) * (grid.side + tile_line(ui) + gap));
        if (draw_place(ui, "tile " + row.tiles[static_cast<size_t>(i)].id, at, {grid.side, grid.side + tile_line(ui)}))
            clicked = i;
        draw_tile(ui, row, static_cast<size_t>(i), at, grid.side, style);
        bottom = at.y + tile_line(ui) + grid.side;
    }
    if (row.common_limit && row.bar.limit > 0.0) {
        const float wide = static_cast<float>(std::min(grid.columns, count)) * (grid.side + gap);
        const ImVec2 a(start.x + wide + ui.px(4), start.y + top + tile_line(ui));
        const Bounds bar{
            a, {a.x + ui.px(12), std::max(a.y + ui.px(50), std::min({bottom, a.y + ui.px(220), start.y + size.y}))}};
        ImGuiPen pen(ui, list);
        draw_color_bar(pen, row.bar, std::cref(row.bar_state.ramp(ui, row.bar)), rect_of(bar), style);
        if (ui.log != nullptr) ui.log->record("tiles bar " + row.title, bar.min, bar.max);
    }
    return {clicked, bottom};
}

std::optional<int> SeedTiles::draw(const Ui& ui, const std::shared_ptr<const Snapshot>& snapshot,
                                   const std::shared_ptr<const Snapshot>& other, const MatrixLook& look,
                                   const std::vector<std::string>& names, ImVec2 size) {
    const Source source{snapshot, other, look, names};
    built_.update(source, [&] { build(source); });
    std::optional<int> clicked;
    if (rows_.empty()) return clicked;
    const float gap = ui.px(12);
    const auto count = static_cast<int>(rows_.size());
    const auto part_of = [&](int beside) {
        const auto across = static_cast<float>(beside);
        const auto down = static_cast<float>((count + beside - 1) / beside);
        return ImVec2(std::floor((size.x - gap * (across - 1)) / across),
                      std::floor((size.y - gap * (down - 1)) / down));
    };
    // As many matrices side by side as makes the tiles largest.
    int beside = 1;
    float largest = 0.0F;
    for (int i = 1; i <= count; ++i) {
        const auto tiles = static_cast<int>(rows_.front().tiles.size());
        const float side = fit_tiles(tiles, tile_room(ui, part_of(i)), tile_line(ui), ui.px(10), 1.0F).side;
        if (side > largest + 1.0F) {
            largest = side;
            beside = i;
        }
    }
    // Without room for all matrices each has a page, so that its colour bar is seen as a whole.
    const bool pages = largest < smallest_tile(ui, *snapshot);
    if (pages) beside = 1;
    ImVec2 each = pages ? size : part_of(beside);
    each.y = std::max(ui.px(110), each.y);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    float top = start.y, bottom = top;
    for (int i = 0; i < count; ++i) {
        const int column = i % beside;
        if (column == 0 && i > 0) top = std::max(top + each.y, bottom) + gap;
        const auto [seed, end] = draw_row(ui, rows_[static_cast<size_t>(i)],
                                          {start.x + static_cast<float>(column) * (each.x + gap), top}, each);
        if (seed) clicked = seed;
        bottom = std::max(bottom, end);
    }
    ImGui::SetCursorScreenPos(start);
    ImGui::Dummy({size.x, bottom - start.y});
    return clicked;
}

std::vector<HeatmapSpec> SeedTiles::heatmaps() const {
    std::vector<HeatmapSpec> all;
    for (const Row& row : rows_) all.insert(all.end(), row.tiles.begin(), row.tiles.end());
    return all;
}

}  // namespace emergence
