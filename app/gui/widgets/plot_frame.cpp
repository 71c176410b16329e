#include "app/gui/widgets/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/gui/widgets/imgui_pen.h"
#include "app/gui/widgets/tooltip.h"
#include "app/handbook/glossary.h"
#include "core/base/ranges.h"
#include "core/pictures/axis.h"
#include "core/pictures/pen.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

// Heights of plots in the 1600 x 1000 design: higher ones have a line for the title of the x axis, for the read-out, and
// for the meaning of the y axis.
constexpr float kHighPlot = 260.0F, kReadoutPlot = 420.0F, kFlatPlot = 120.0F;

// The title, and behind it the meaning of the y axis. The meaning stands below it if only a symbol, "c", would fit.
void set_heading(const Ui& ui, const PlotSpec& spec, ImVec2 size, float width, PlotFrame& frame) {
    constexpr size_t kHeadingLines = 2;
    frame.heading_width = width;
    frame.title = heading_in(ui, spec.title, width);
    const bool one_line = frame.title.lines.size() <= 1;
    const float room = one_line ? width - frame.title.width - ui.px(10) : 0.0F;
    const std::string meaning = greek(handbook::plainly(axis_title(spec.y)));
    frame.meaning = whole_parts(ui.fonts.small, meaning, room);
    if (frame.meaning == meaning) return;
    frame.cut_meaning = meaning;
    const std::string kept = frame.meaning.substr(0, frame.meaning.rfind(" …"));
    const bool explained = !kept.empty() && !meaning.starts_with(kept + ":");
    if (explained || spec.title.empty() || size.y <= ui.px(kFlatPlot)) return;
    std::vector<std::string> lines = lines_of_words(ui.fonts.small, meaning, size.x);
    if (lines.size() > kHeadingLines) return;
    frame.meaning.clear();
    frame.cut_meaning.clear();
    frame.meaning_below = std::move(lines);
}

// Equal margins line up the plots of a column. Wider labels push a plot in by steps, so that it does not tremble while it
// is dragged.
float left_margin(const Ui& ui, const std::vector<Tick>& ticks) {
    float margin = ui.px(44);
    for (const Tick& tick : ticks)
        while (text_size(ui.fonts.small, with_minus(tick.label)).x + ui.px(8) > margin) margin += ui.px(12);
    return margin;
}

// Places the footer. Returns the room that is left for the numbers of the x axis.
NumberRoom set_footer(const Ui& ui, bool own_line, PlotFrame& frame) {
    const float margin = frame.area_min.x - frame.min.x;
    const float width = text_size(ui.fonts.small, frame.footer).x;
    const bool at_left = width < margin - ui.px(8);
    const float below = frame.area_max.y + ui.px(3);
    frame.footer_centred = own_line;
    frame.footer_at = own_line  ? ImVec2((frame.area_min.x + frame.area_max.x) / 2, frame.max.y)
                      : at_left ? ImVec2(frame.area_min.x - ui.px(8), below)
                                : ImVec2(frame.area_max.x, below);
    const float beside = own_line || at_left || frame.footer.empty() ? 0.0F : width + ui.px(12);
    const float right = frame.area_max.x + ui.px(6);  // a legend may stand beyond
    return {static_cast<double>(frame.min.x), static_cast<double>(right - beside), static_cast<double>(right)};
}

// Shares of a plot's height and width that a legend may have.
constexpr float kMostHeight = 0.25F, kMostWidth = 0.3F;

float row_height(const Ui& ui) { return ui.fonts.small->FontSize + ui.px(2); }

float entry_width(const Ui& ui, const LegendEntry& entry) {
    return ui.px(22) + text_size(ui.fonts.small, entry.name).x;
}

// The last point of the line; NaN for none.
double end_of(const SeriesShape& shape) {
    double end = std::numeric_limits<double>::quiet_NaN();
    for (const double y : shape.center)
        if (std::isfinite(y)) end = y;
    return end;
}

constexpr int kGrey = 7;  // of the categorical palette

// A line of the run before.
bool is_before(const std::string& name) { return name.ends_with(", before"); }

}  // namespace

float fit_button_width(const Ui& ui) { return text_size(ui.fonts.small, "Fit").x + ui.px(14); }

PlotFrame lay_out_frame(const Ui& ui, const PlotSpec& spec, ImVec2 legend, bool fitted, ImVec2 min, ImVec2 size) {
    const PictureStyle style = picture_style(ui);
    const ImGuiPen pen(ui, nullptr);
    PlotFrame frame;
    frame.min = min;
    frame.max = {min.x + size.x, min.y + size.y};
    const AxisRange x_range{*spec.x.minimum, *spec.x.maximum}, y_range{*spec.y.minimum, *spec.y.maximum};
    const float line = ui.fonts.small->FontSize;
    set_heading(ui, spec, size, size.x - (fitted ? 0.0F : fit_button_width(ui) + ui.px(6)), frame);
    // In a small plot a tooltip has the numbers.
    if (size.y > ui.px(kReadoutPlot))
        frame.readout = pen.wrap(greek(spec.readout), style.plot.tick, static_cast<double>(size.x));
    frame.footer = greek(axis_title(spec.x));
    const bool own_line = !frame.footer.empty() && size.y > ui.px(kHighPlot);
    // Half of the uppermost number stands above the y axis, unless a legend does.
    const float below = ui.px(3) + (legend.y > 0.0F ? 0.0F : line / 2);
    const size_t lines = frame.meaning_below.size() + frame.readout.size();
    const float heading = (spec.title.empty() ? 0.0F : frame.title.height + ui.px(3)) +
                          (lines == 0 ? 0.0F : line * static_cast<float>(lines) + below);
    const float footer = line + ui.px(4) + (own_line ? line + ui.px(1) : 0.0F);

    frame.area_min.y = frame.min.y + heading + legend.y;
    frame.area_max.y = std::max(frame.max.y - footer, frame.area_min.y + ui.px(10));
    const int rows = std::max(2, static_cast<int>((frame.area_max.y - frame.area_min.y) / ui.px(30)));
    const std::vector<Tick> y_ticks = make_ticks(y_range.first, y_range.second, spec.y.scale, std::min(rows, 6));
    frame.area_min.x = frame.min.x + left_margin(ui, y_ticks);
    frame.area_max.x = std::max(frame.max.x - legend.x - ui.px(6), frame.area_min.x + ui.px(10));
    const int columns = std::clamp(static_cast<int>((frame.area_max.x - frame.area_min.x) / ui.px(75)), 2, 9);
    frame.place = PlotPlace(spec, x_range, y_range, rect_between(frame.area_min, frame.area_max));
    frame.axes = lay_out_axes(frame.place, make_ticks(spec.x, x_range, columns), y_ticks,
                              set_footer(ui, own_line, frame), style, pen);
    return frame;
}

void draw_frame(const Ui& ui, Pen& pen, const PlotFrame& frame, const std::string& note, const PictureStyle& style) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Rect& area = frame.place.area;
    pen.clip(rect_between(frame.min, frame.max));
    draw_lines(list, frame.title.font, frame.min, ui.colors.text, frame.title.lines);
    const float beside = frame.min.y + ui.fonts.bold->Ascent - ui.fonts.small->Ascent;
    float used = frame.title.width + ui.px(10);
    draw_text(list, ui.fonts.small, {frame.min.x + used, beside}, ui.colors.muted, frame.meaning);
    if (!frame.meaning.empty()) used += text_size(ui.fonts.small, frame.meaning).x + ui.px(10);
    if (used + text_size(ui.fonts.small, note).x <= frame.heading_width)
        draw_text_placed(list, ui.fonts.small, {frame.min.x + frame.heading_width, beside}, Placed::top_right,
                         ui.colors.warning, note);
    ImVec2 below(frame.min.x, frame.min.y + (frame.title.width == 0.0F ? 0.0F : frame.title.height + ui.px(3)));
    draw_lines(list, ui.fonts.small, below, ui.colors.muted, frame.meaning_below);
    below.y += ui.fonts.small->FontSize * static_cast<float>(frame.meaning_below.size());
    draw_lines(list, ui.fonts.small, below, ui.colors.text, frame.readout);
    pen.fill(area, to_ink(ui.colors.plot));
    draw_grid(pen, frame.axes, area, style);
    draw_axes_frame(pen, frame.axes, area, style);
    draw_text_placed(list, ui.fonts.small, frame.footer_at, frame.footer_centred ? Placed::bottom : Placed::top_right,
                     ui.colors.muted, frame.footer);
    pen.unclip();
}

void PlotLegend::list(const PlotSpec& plot) {
    entries_.clear();
    bool before = false;
    for (LegendEntry& entry : legend_entries(plot)) {
        const bool of_before = !entry.note && is_before(plot.series[entry.series].name);
        if (of_before && std::exchange(before, true)) continue;
        if (of_before) entry.color = kGrey;
        entry.name = of_before ? "before" : entry.note ? entry.name : greek(handbook::plainly(entry.name));
        entries_.push_back(std::move(entry));
    }
    placed_.clear();
}

std::vector<PlotLegend::Placed> PlotLegend::in_rows(const Ui& ui, float width) const {
    std::vector<Placed> placed;
    ImVec2 at(0.0F, 0.0F);
    int row = 1;
    for (const LegendEntry& entry : entries_) {
        const float needed = std::min(entry_width(ui, entry), width);
        // Every row has an entry, however narrow the room.
        if (at.x > 0.0F && at.x + needed > width) {
            at = {0.0F, at.y + row_height(ui)};
            ++row;
        }
        if (row > rows_) break;
        placed.push_back({&entry, at, needed});
        at.x += needed + ui.px(14);
    }
    const auto end = [&] {
        return placed.back().at.x + placed.back().width + ui.px(14) +
               text_size(ui.fonts.small, left_out(placed.size())).x;
    };
    while (placed.size() > 1 && placed.size() < entries_.size() && placed.back().at.x > 0.0F && end() > width)
        placed.pop_back();
    return placed;
}

// 0 if lines cannot be named at their ends.
float PlotLegend::room_beside(const Ui& ui, const PlotSpec& spec, ImVec2 size) const {
    const bool lines = !any_of(spec.series, [](const Series& one) { return one.bars || one.points; });
    const float rows = row_height(ui) * static_cast<float>(entries_.size());
    if (!lines || entries_.size() < 2 || rows > 0.6F * size.y) return 0.0F;
    float widest = 0.0F;
    for (const LegendEntry& entry : entries_) widest = std::max(widest, entry_width(ui, entry));
    const float room = widest + ui.px(8);
    return room > kMostWidth * size.x ? 0.0F : room;
}

void PlotLegend::place(const Ui& ui, const PlotSpec& spec, ImVec2 size) {
    beside_ = omitted_ ? 0.0F : room_beside(ui, spec, size);
    rows_ = omitted_ || beside_ > 0.0F ? 0 : static_cast<int>(kMostHeight * size.y / row_height(ui));
    const std::vector<Placed> rows = in_rows(ui, size.x);
    height_ = rows.empty() ? 0.0F : rows.back().at.y + ui.fonts.small->FontSize + ui.px(6);
}

// "+ 3 more"; the read-out under the pointer names their lines.
std::string PlotLegend::left_out(size_t placed) const {
    return placed < entries_.size() ? fmt::format("+ {} more", entries_.size() - placed) : "";
}

std::vector<PlotLegend::Placed> PlotLegend::at_ends(const Ui& ui, const PlotFrame& frame) const {
    std::vector<Placed> placed;
    for (size_t i = 0; i < entries_.size(); ++i)
        if (std::isfinite(ends_[i]))
            placed.push_back({&entries_[i], {frame.area_max.x + ui.px(6), ends_[i]}, entry_width(ui, entries_[i])});
    return placed;
}

// Names do not move under the pointer, so that a double click stays on its line.
void PlotLegend::follow_ends(const Ui& ui, const std::vector<SeriesShape>& shapes, const PlotFrame& frame) {
    const bool pointed = ImGui::IsMouseHoveringRect({frame.area_max.x, frame.area_min.y}, frame.max);
    if (pointed && ends_.size() == entries_.size()) return;
    const auto top = static_cast<double>(frame.area_min.y), height = static_cast<double>(frame.area_max.y) - top;
    std::vector<std::pair<double, size_t>> ends;
    for (const LegendEntry& entry : entries_) {
        const double end =
            entry.note ? std::numeric_limits<double>::quiet_NaN() : frame.place.y.place(end_of(shapes[entry.series]));
        // A line that ends outside the plot is named below the others.
        ends.emplace_back(std::isfinite(end) ? std::clamp(end - top, 0.0, height) : height, ends.size());
    }
    std::sort(ends.begin(), ends.end());
    std::vector<double> centers;
    for (const auto& end : ends) centers.push_back(end.first);
    const std::vector<double> rows(centers.size(), static_cast<double>(row_height(ui)));
    const std::vector<double> starts = place_side_by_side(centers, rows, height, 0.0);
    ends_.assign(entries_.size(), 0.0F);
    for (size_t i = 0; i < ends.size(); ++i) ends_[ends[i].second] = static_cast<float>(std::round(top + starts[i]));
}

void PlotLegend::click(const PlotSpec& spec, const std::string& name, std::set<std::string>& hidden) {
    std::set<std::string> meant, others;
    for (const Series& series : spec.series)
        if (series.name == name || (is_before(name) && is_before(series.name)))
            meant.insert(series.name);
        else if (!series.name.empty())
            others.insert(series.name);
    if (!ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        hidden_before_ = hidden;
        const bool shows = hidden.contains(name);
        for (const std::string& one : meant) shows ? void(hidden.erase(one)) : void(hidden.insert(one));
        return;
    }
    const bool alone = hidden_before_ == others;
    hidden = alone ? std::set<std::string>{} : others;
}

void PlotLegend::handle(const Ui& ui, const PlotSpec& spec, const std::vector<SeriesShape>& shapes,
                        const PlotFrame& frame, ImVec2 above, std::set<std::string>& hidden) {
    pointed_.reset();
    const bool beside = beside_ > 0.0F;
    if (beside) follow_ends(ui, shapes, frame);
    placed_ = beside ? at_ends(ui, frame) : in_rows(ui, frame.max.x - frame.min.x);
    ImGui::PushID("legend");
    for (Placed& placed : placed_) {
        if (!beside) placed.at = {above.x + placed.at.x, above.y + placed.at.y};
        if (placed.entry->note) continue;
        const size_t index = placed.entry->series;
        const Series& series = spec.series[index];
        ImGui::SetCursorScreenPos(placed.at);
        ImGui::PushID(static_cast<int>(index));
        ImGui::InvisibleButton("entry", {placed.width, row_height(ui)}, ImGuiButtonFlags_MouseButtonLeft);
        log_item(ui, ("legend " + spec.id + " " + series.name).c_str());
        if (ImGui::IsItemHovered()) pointed_ = index;
        if (ImGui::IsItemHovered() && ui.terms != nullptr) ui.terms->labelled(series.name);
        if (ImGui::IsItemClicked()) click(spec, series.name, hidden);
        ImGui::PopID();
    }
    ImGui::PopID();
}

void PlotLegend::draw(const Ui& ui, const PictureStyle& style) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImGuiPen pen(ui, list);
    for (const auto& [entry, at, width] : placed_) {
        const float middle = std::round(at.y + ui.fonts.small->FontSize * 0.55F);
        draw_sample(pen, *entry, {static_cast<double>(at.x), static_cast<double>(middle)}, style);
        const bool pointed = !entry->note && pointed_ == entry->series;
        draw_text(list, ui.fonts.small, {at.x + ui.px(16) + ui.px(6), at.y},
                  with_alpha(pointed ? ui.colors.accent : ui.colors.text, entry->faint ? 0.35F : 1.0F),
                  elided(ui.fonts.small, entry->name, width - ui.px(20)));
    }
    if (placed_.empty() || rows_ == 0) return;
    const Placed& last = placed_.back();
    draw_text(list, ui.fonts.small, {last.at.x + last.width + ui.px(14), last.at.y}, ui.colors.muted,
              left_out(placed_.size()));
}

}  // namespace emergence
