#include "app/gui/panels/seed_tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/gui/panels/panel.h"
#include "app/gui/widgets/text.h"
#include "core/runtime/axis.h"

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
    return fmt::format("{}: colours end at {} to {}", linked ? "common limits" : "limits of their own",
                       readout(low), readout(high));
}

const char* how_far(const SeedStatus& seed) {
    return seed.failed ? "stopped" : seed.emerged ? "emerged" : "not emerged";
}

void explain_tile(const Ui& ui, const SeedStatus& seed, const HeatmapSpec& tile, const std::string& unit) {
    std::string text = fmt::format("Seed {}: {}", seed.seed, how_far(seed));
    if (seed.emerged && seed.emerged_at >= 0) text += fmt::format(", since {} {}", seed.emerged_at, unit);
    text += seed.failed && !seed.reason.empty() ? ": " + seed.reason + "." : ".";
    if (tile.norm)
        text += fmt::format(" Norm {}, at the start {}.", readout(*tile.norm), readout(tile.norm_reference));
    explain_item(ui, text + " Click to see it alone.");
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

void SeedTiles::rebuild(const std::shared_ptr<const Snapshot>& snapshot, const MatrixLook& look) {
    if (snapshot == built_from_ && look == built_look_) return;
    rows_.resize(snapshot->matrices.size());
    for (size_t i = 0; i < rows_.size(); ++i) {
        const NamedMatrix& matrix = snapshot->matrices[i];
        Row& row = rows_[i];
        row.tiles.clear();
        row.states.resize(snapshot->seeds.size());
        double largest = 0.0;
        MatrixView view = look.view;
        for (size_t seed = 0; seed < snapshot->seeds.size(); ++seed) {
            view.seed_index = static_cast<int>(seed);
            HeatmapSpec tile = heatmap_of(*snapshot, matrix, view);
            tile.id = fmt::format("{} {}", matrix.name, seed);
            tile.color_map = view.magnitudes ? look.maps.sequential->name : look.maps.diverging->name;
            if (!tile.values.values.empty()) largest = std::max(largest, tile.limit);
            row.tiles.push_back(std::move(tile));
            row.states[seed].invalidate();
        }
        if (look.link_limits && largest > 0.0)
            for (HeatmapSpec& tile : row.tiles) tile.limit = largest;
        const std::string unit = row.tiles.empty() ? "" : row.tiles.front().unit;
        row.title = fmt::format("{}, every seed", matrix.name);
        row.note = fmt::format("{}{}; {}", unit,
                               unit.rfind("scaled", 0) == 0 ? ", each by its own largest entry" : "",
                               limits_note(row.tiles, look.link_limits));
    }
    built_from_ = snapshot;
    built_look_ = look;
}

std::optional<int> SeedTiles::draw_row(const Ui& ui, const Snapshot& snapshot, Row& row, ImVec2 size) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 start = ImGui::GetCursorScreenPos();
    draw_text(list, ui.fonts.bold, start, ui.colors.text, row.title);
    const float title = text_size(ui.fonts.bold, row.title).x + ui.px(12);
    draw_text(list, ui.fonts.small, {start.x + title, start.y + ui.px(2)}, ui.colors.muted,
              elided(ui.fonts.small, greek(row.note), size.x - title));
    const float top = ui.fonts.bold->FontSize + ui.px(6);
    const float line = ui.fonts.small->FontSize + ui.px(4);
    const float gap = ui.px(10);
    const auto count = static_cast<int>(row.tiles.size());
    const TileGrid grid = fit_tiles(count, {size.x, size.y - top}, line, gap, ui.px(64));
    std::optional<int> clicked;
    float bottom = start.y + top;
    for (int i = 0; i < count; ++i) {
        const auto index = static_cast<size_t>(i);
        const SeedStatus& seed = snapshot.seeds[index];
        const ImVec2 at(start.x + static_cast<float>(i % grid.columns) * (grid.side + gap),
                        start.y + top + static_cast<float>(i / grid.columns) * (grid.side + line + gap));
        const ImVec2 cells(at.x, at.y + line);
        const ImVec2 end(cells.x + grid.side, cells.y + grid.side);
        const ImU32 color = seed.failed ? ui.colors.bad : seed.emerged ? ui.colors.good : ui.colors.muted;
        const char* mark = seed.failed ? "✗" : seed.emerged ? "✓" : "·";
        draw_text(list, ui.fonts.small, at, color,
                  elided(ui.fonts.small, fmt::format("{} seed {}", mark, seed.seed), grid.side + gap));
        ImGui::SetCursorScreenPos(at);
        const std::string id = "tile " + row.tiles[index].id;
        if (ImGui::InvisibleButton(id.c_str(), {grid.side, grid.side + line})) clicked = i;
        log_item(ui, id.c_str());
        if (!row.tiles[index].values.values.empty())
            list->AddImage(row.states[index].texture(ui, row.tiles[index]), cells, end);
        list->AddRect(cells, end, ImGui::IsItemHovered() ? ui.colors.accent : ui.colors.axis, 0.0F,
                      ImDrawFlags_None, ImGui::IsItemHovered() ? ui.px(2) : 1.0F);
        explain_tile(ui, seed, row.tiles[index], snapshot.step_unit);
        bottom = end.y;
    }
    ImGui::SetCursorScreenPos(start);
    ImGui::Dummy({size.x, bottom - start.y});
    return clicked;
}

std::optional<int> SeedTiles::draw(const Ui& ui, const std::shared_ptr<const Snapshot>& snapshot,
                                   const MatrixLook& look, ImVec2 size) {
    rebuild(snapshot, look);
    std::optional<int> clicked;
    if (rows_.empty()) return clicked;
    const float gap = ui.px(12);
    const auto count = static_cast<float>(rows_.size());
    const ImVec2 each(size.x, std::max(ui.px(130), std::floor((size.y - gap * count) / count)));
    for (Row& row : rows_) {
        if (const std::optional<int> seed = draw_row(ui, *snapshot, row, each)) clicked = seed;
        ImGui::Dummy({0.0F, gap - ImGui::GetStyle().ItemSpacing.y});
    }
    return clicked;
}

std::vector<HeatmapSpec> SeedTiles::heatmaps() const {
    std::vector<HeatmapSpec> all;
    for (const Row& row : rows_) all.insert(all.end(), row.tiles.begin(), row.tiles.end());
    return all;
}

}  // namespace emergence
