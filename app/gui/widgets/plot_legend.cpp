#include "app/gui/widgets/plot_legend.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/widgets/imgui_pen.h"
#include "app/gui/widgets/text.h"

namespace emergence {
namespace {

// Seconds that something may be under the legend before it leaves, and between two looks.
constexpr double kLeaveAfter = 1.0, kBetweenLooks = 0.1;

float row_height(const Ui& ui) { return ui.fonts.small->FontSize + ui.px(2); }

}  // namespace

void PlotLegend::set_entries(std::vector<LegendEntry> entries) {
    entries_ = std::move(entries);
    for (LegendEntry& entry : entries_)
        if (!entry.note) entry.name = greek(entry.name);
    placed_.clear();
}

float PlotLegend::entry_width(const Ui& ui, const LegendEntry& entry) {
    return ui.px(22) + text_size(ui.fonts.small, entry.name).x;
}

std::string PlotLegend::purpose_of(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame) const {
    const bool bars = std::any_of(spec.series.begin(), spec.series.end(), [](const Series& one) { return one.bars; });
    std::string purpose = bars ? "bars" : "lines";
    purpose += spec.x.scale == Scale::linear ? " linear" : " log";
    purpose += spec.y.scale == Scale::linear ? " linear" : " log";
    // Coarsely, so that the legend does not jump about while a splitter is dragged.
    for (const float length : {frame.max.x - frame.min.x, frame.max.y - frame.min.y})
        purpose.append(" ").append(std::to_string(static_cast<int>(length / ui.px(80))));
    // Not what coincides with what just now: that comes and goes with the data.
    for (const Series& series : spec.series) purpose.append("\n").append(series.name);
    for (const LegendEntry& entry : entries_)
        if (entry.note) purpose.append("\n").append(entry.name);
    return purpose;
}

std::vector<PlotLegend::Placed> PlotLegend::placed_in(const Ui& ui, float width) const {
    std::vector<Placed> placed;
    if (omitted_) return placed;
    ImVec2 at(0.0F, 0.0F);
    for (const LegendEntry& entry : entries_) {
        const float needed = std::min(entry_width(ui, entry), width);
        // However narrow the room, a row has one entry.
        if (at.x > 0.0F && at.x + needed > width) at = {0.0F, at.y + row_height(ui)};
        placed.push_back({&entry, at, needed});
        at.x += needed + ui.px(14);
    }
    return placed;
}

float PlotLegend::height_above(const Ui& ui, float width) const { return inside() ? 0.0F : rows_height(ui, width); }

float PlotLegend::rows_height(const Ui& ui, float width) const {
    const std::vector<Placed> placed = placed_in(ui, width);
    return placed.empty() ? 0.0F : placed.back().at.y + ui.fonts.small->FontSize + ui.px(6);
}

// One entry a row.
ImVec2 PlotLegend::size_inside(const Ui& ui) const {
    ImVec2 size(0.0F, 0.0F);
    for (const LegendEntry& entry : entries_) {
        size.x = std::max(size.x, entry_width(ui, entry));
        size.y += row_height(ui);
    }
    return {size.x + ui.px(12), size.y + ui.px(6)};
}

Rect PlotLegend::corner_box(const Ui& ui, const PlotFrame& frame, int corner) const {
    const ImVec2 size = size_inside(ui);
    const float gap = ui.px(6);
    const bool right = corner < 2;
    const bool top = corner % 2 == 0;
    return {right ? frame.area_max.x - gap - size.x : frame.area_min.x + gap,
            top ? frame.area_min.y + gap : frame.area_max.y - gap - size.y, size.x, size.y};
}

std::optional<int> PlotLegend::free_corner(const Ui& ui, const PlotFrame& frame, const Obstacles& obstacles,
                                           float margin) const {
    const ImVec2 size = size_inside(ui);
    const ImVec2 room(frame.area_max.x - frame.area_min.x, frame.area_max.y - frame.area_min.y);
    // A plot that is mostly legend shows little.
    if (size.x > 0.5F * room.x || size.y > 0.7F * room.y) return std::nullopt;
    for (int corner = 0; corner < 4; ++corner)
        if (obstacles.covered_by(corner_box(ui, frame, corner).grown(margin)) == 0.0) return corner;
    return std::nullopt;
}

void PlotLegend::settle(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame, const Obstacles& obstacles,
                        bool fitted, double now) {
    if (const std::string purpose = purpose_of(ui, spec, frame); purpose != purpose_) {
        const std::optional<int> free = free_corner(ui, frame, obstacles, ui.px(8));
        // The plot's height stays while its user has zoomed.
        if (fitted || purpose_.empty() || free.has_value() == inside()) corner_ = free;
        purpose_ = purpose;
        since_.reset();
        return;
    }
    if (!corner_ || now - looked_at_ < kBetweenLooks) return;
    looked_at_ = now;
    const bool stands_well = obstacles.covered_by(corner_box(ui, frame, *corner_)) == 0.0 &&
                             size_inside(ui).y < 0.8F * (frame.area_max.y - frame.area_min.y);
    if (stands_well) {
        since_.reset();
        return;
    }
    if (!since_) since_ = now;
    if (now - *since_ < kLeaveAfter) return;
    const std::optional<int> better = free_corner(ui, frame, obstacles, ui.px(8));
    if (!better && !fitted) return;
    corner_ = better;
    since_.reset();
}

void PlotLegend::click(const PlotSpec& spec, const std::string& name, std::set<std::string>& hidden) {
    if (!ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        hidden_before_ = hidden;
        if (hidden.erase(name) == 0) hidden.insert(name);
        return;
    }
    std::set<std::string> others;
    for (const Series& series : spec.series)
        if (!series.name.empty() && series.name != name) others.insert(series.name);
    const bool alone = hidden_before_ == others;
    hidden = alone ? std::set<std::string>{} : others;
}

void PlotLegend::handle(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame, ImVec2 above,
                        std::set<std::string>& hidden) {
    pointed_.reset();
    const Rect box = corner_ ? corner_box(ui, frame, *corner_) : Rect{};
    const ImVec2 pad(ui.px(6), ui.px(3));
    min_ = corner_ ? ImVec2(static_cast<float>(box.x), static_cast<float>(box.y)) : above;
    const ImVec2 first = corner_ ? ImVec2(min_.x + pad.x, min_.y + pad.y) : above;
    placed_ = placed_in(ui, corner_ ? 1.0F : frame.max.x - frame.min.x);
    max_ = corner_ ? ImVec2(static_cast<float>(box.right()), static_cast<float>(box.bottom())) : min_;
    ImGui::PushID("legend");
    for (Placed& placed : placed_) {
        if (corner_) placed.width = entry_width(ui, *placed.entry);
        placed.at = {first.x + placed.at.x, first.y + placed.at.y};
        if (placed.entry->note) continue;
        const size_t index = placed.entry->series;
        const Series& series = spec.series[index];
        ImGui::SetCursorScreenPos(placed.at);
        ImGui::PushID(static_cast<int>(index));
        ImGui::InvisibleButton("entry", {placed.width, row_height(ui)}, ImGuiButtonFlags_MouseButtonLeft);
        log_item(ui, ("legend " + spec.id + " " + series.name).c_str());
        if (ImGui::IsItemHovered()) pointed_ = index;
        if (ImGui::IsItemClicked()) click(spec, series.name, hidden);
        ImGui::PopID();
    }
    ImGui::PopID();
}

void PlotLegend::draw(const Ui& ui, const PictureStyle& style) const {
    if (placed_.empty()) return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImGuiPen pen(ui, list);
    if (corner_) {
        list->AddRectFilled(min_, max_, with_alpha(ui.colors.plot, 0.85F), ui.px(3));
        list->AddRect(min_, max_, with_alpha(ui.colors.axis, 0.35F), ui.px(3));
    }
    for (const auto& [entry, at, width] : placed_) {
        const float middle = std::round(at.y + ui.fonts.small->FontSize * 0.55F);
        draw_sample(pen, *entry, {static_cast<double>(at.x), static_cast<double>(middle)}, style);
        const bool pointed = !entry->note && pointed_ == entry->series;
        draw_text(list, ui.fonts.small, {at.x + ui.px(16) + ui.px(6), at.y},
                  with_alpha(pointed ? ui.colors.accent : ui.colors.text, entry->faint ? 0.35F : 1.0F),
                  elided(ui.fonts.small, entry->name, width - ui.px(20)));
    }
}

}  // namespace emergence
