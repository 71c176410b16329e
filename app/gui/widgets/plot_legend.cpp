#include "app/gui/widgets/plot_legend.h"

#include <algorithm>
#include <cmath>

#include "app/gui/widgets/strokes.h"
#include "app/gui/widgets/text.h"
#include "core/pictures/line_style.h"

namespace emergence {
namespace {

// Seconds that something may be under the legend before it leaves, and between two looks.
constexpr double kLeaveAfter = 1.0, kBetweenLooks = 0.1;

float row_height(const Ui& ui) { return ui.fonts.small->FontSize + ui.px(2); }

}  // namespace

std::string PlotLegend::text_of(const PlotSpec& spec, size_t entry) const {
    if (entry >= spec.series.size()) return note_;
    return greek(entry < names_.size() ? names_[entry] : spec.series[entry].name);
}

float PlotLegend::entry_width(const Ui& ui, const PlotSpec& spec, size_t entry) const {
    return ui.px(22) + text_size(ui.fonts.small, text_of(spec, entry)).x;
}

std::vector<size_t> PlotLegend::listed(const PlotSpec& spec) const {
    std::vector<size_t> entries;
    if (omitted_) return entries;
    for (size_t i = 0; i < spec.series.size(); ++i)
        if (!spec.series[i].name.empty()) entries.push_back(i);
    if (!note_.empty()) entries.push_back(spec.series.size());
    return entries;
}

std::string PlotLegend::purpose_of(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame) const {
    const bool bars =
        std::any_of(spec.series.begin(), spec.series.end(), [](const Series& one) { return one.bars; });
    std::string purpose = bars ? "bars" : "lines";
    purpose += spec.x.scale == Scale::linear ? " linear" : " log";
    purpose += spec.y.scale == Scale::linear ? " linear" : " log";
    // Coarsely, so that the legend does not jump about while a splitter is dragged.
    for (const float length : {frame.max.x - frame.min.x, frame.max.y - frame.min.y})
        purpose.append(" ").append(std::to_string(static_cast<int>(length / ui.px(80))));
    // Not what coincides with what just now: that comes and goes with the data.
    for (const Series& series : spec.series) purpose.append("\n").append(series.name);
    return purpose.append("\n").append(note_);
}

std::vector<PlotLegend::Entry> PlotLegend::entries_in(const Ui& ui, const PlotSpec& spec, float width) const {
    std::vector<Entry> entries;
    ImVec2 at(0.0F, 0.0F);
    for (const size_t i : listed(spec)) {
        const float needed = std::min(entry_width(ui, spec, i), width);
        // However narrow the room, a row has one entry.
        if (at.x > 0.0F && at.x + needed > width) at = {0.0F, at.y + row_height(ui)};
        entries.push_back({i, at, needed});
        at.x += needed + ui.px(14);
    }
    return entries;
}

float PlotLegend::height_above(const Ui& ui, const PlotSpec& spec, float width) const {
    return inside() ? 0.0F : rows_height(ui, spec, width);
}

float PlotLegend::rows_height(const Ui& ui, const PlotSpec& spec, float width) const {
    const std::vector<Entry> entries = entries_in(ui, spec, width);
    return entries.empty() ? 0.0F : entries.back().at.y + ui.fonts.small->FontSize + ui.px(6);
}

// One entry a row.
ImVec2 PlotLegend::size_inside(const Ui& ui, const PlotSpec& spec) const {
    ImVec2 size(0.0F, 0.0F);
    for (const size_t entry : listed(spec)) {
        size.x = std::max(size.x, entry_width(ui, spec, entry));
        size.y += row_height(ui);
    }
    return {size.x + ui.px(12), size.y + ui.px(6)};
}

Rect PlotLegend::corner_box(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame, int corner) const {
    const ImVec2 size = size_inside(ui, spec);
    const float gap = ui.px(6);
    const bool right = corner < 2;
    const bool top = corner % 2 == 0;
    return {right ? frame.area_max.x - gap - size.x : frame.area_min.x + gap,
            top ? frame.area_min.y + gap : frame.area_max.y - gap - size.y, size.x, size.y};
}

std::optional<int> PlotLegend::free_corner(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame,
                                           const Obstacles& obstacles, float margin) const {
    const ImVec2 size = size_inside(ui, spec);
    const ImVec2 room(frame.area_max.x - frame.area_min.x, frame.area_max.y - frame.area_min.y);
    // A plot that is mostly legend shows little.
    if (size.x > 0.5F * room.x || size.y > 0.7F * room.y) return std::nullopt;
    for (int corner = 0; corner < 4; ++corner)
        if (obstacles.covered_by(corner_box(ui, spec, frame, corner).grown(margin)) == 0.0) return corner;
    return std::nullopt;
}

void PlotLegend::settle(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame,
                        const Obstacles& obstacles, bool fitted, double now) {
    if (const std::string purpose = purpose_of(ui, spec, frame); purpose != purpose_) {
        const std::optional<int> free = free_corner(ui, spec, frame, obstacles, ui.px(8));
        // The plot's height stays while its user has zoomed.
        if (fitted || purpose_.empty() || free.has_value() == inside()) corner_ = free;
        purpose_ = purpose;
        since_.reset();
        return;
    }
    if (!corner_ || now - looked_at_ < kBetweenLooks) return;
    looked_at_ = now;
    const bool stands_well = obstacles.covered_by(corner_box(ui, spec, frame, *corner_)) == 0.0 &&
                             size_inside(ui, spec).y < 0.8F * (frame.area_max.y - frame.area_min.y);
    if (stands_well) {
        since_.reset();
        return;
    }
    if (!since_) since_ = now;
    if (now - *since_ < kLeaveAfter) return;
    const std::optional<int> better = free_corner(ui, spec, frame, obstacles, ui.px(8));
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
    const Rect box = corner_ ? corner_box(ui, spec, frame, *corner_) : Rect{};
    const ImVec2 pad(ui.px(6), ui.px(3));
    min_ = corner_ ? ImVec2(static_cast<float>(box.x), static_cast<float>(box.y)) : above;
    const ImVec2 first = corner_ ? ImVec2(min_.x + pad.x, min_.y + pad.y) : above;
    entries_ = entries_in(ui, spec, corner_ ? 1.0F : frame.max.x - frame.min.x);
    max_ = corner_ ? ImVec2(static_cast<float>(box.right()), static_cast<float>(box.bottom())) : min_;
    ImGui::PushID("legend");
    for (Entry& entry : entries_) {
        if (corner_) entry.width = entry_width(ui, spec, entry.series);
        entry.at = {first.x + entry.at.x, first.y + entry.at.y};
        if (entry.series >= spec.series.size()) continue;
        const Series& series = spec.series[entry.series];
        ImGui::SetCursorScreenPos(entry.at);
        ImGui::PushID(static_cast<int>(entry.series));
        ImGui::InvisibleButton("entry", {entry.width, row_height(ui)}, ImGuiButtonFlags_MouseButtonLeft);
        log_item(ui, ("legend " + spec.id + " " + series.name).c_str());
        if (ImGui::IsItemHovered()) pointed_ = entry.series;
        if (ImGui::IsItemClicked()) click(spec, series.name, hidden);
        ImGui::PopID();
    }
    ImGui::PopID();
}

void PlotLegend::draw(const Ui& ui, const PlotSpec& spec) const {
    if (entries_.empty()) return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (corner_) {
        list->AddRectFilled(min_, max_, with_alpha(ui.colors.plot, 0.85F), ui.px(3));
        list->AddRect(min_, max_, with_alpha(ui.colors.axis, 0.35F), ui.px(3));
    }
    for (const Entry& entry : entries_) {
        const bool is_note = entry.series >= spec.series.size();
        const float strength = !is_note && spec.series[entry.series].hidden ? 0.35F : 1.0F;
        const ImU32 color = is_note ? ui.colors.muted
                                    : with_alpha(series_color(ui, spec.series[entry.series].color), strength);
        const float middle = std::round(entry.at.y + ui.fonts.small->FontSize * 0.55F);
        const ImVec2 to(entry.at.x + ui.px(16), middle);
        if (is_note)
            list->AddLine({entry.at.x, middle}, to, color, 1.0F * ui.scale);
        else if (spec.series[entry.series].points)
            draw_marker(list, {entry.at.x + ui.px(8), middle}, 3.5F * ui.scale,
                        spec.series[entry.series].color, color, spec.series[entry.series].dashed);
        else if (spec.series[entry.series].dashed)
            draw_dashed(list, {{entry.at.x, middle}, to}, color, ui.px(2), ui.px(4),
                        dashes_of(spec.series[entry.series].color));
        else
            list->AddLine({entry.at.x, middle}, to, color, spec.sparse_markers ? ui.px(2) : ui.px(3));
        if (!is_note && spec.sparse_markers && !spec.series[entry.series].points)
            draw_marker(list, {entry.at.x + ui.px(8), middle}, 4.5F * ui.scale,
                        spec.series[entry.series].color, color, spec.series[entry.series].dashed);
        const ImU32 text = pointed_ == entry.series ? ui.colors.accent : ui.colors.text;
        draw_text(list, ui.fonts.small, {to.x + ui.px(6), entry.at.y}, with_alpha(text, strength),
                  elided(ui.fonts.small, text_of(spec, entry.series), entry.width - ui.px(20)));
    }
}

}  // namespace emergence
