#include "app/gui/lessons/sketch_pad.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/gui/widgets/text.h"
#include "core/base/ranges.h"

namespace emergence {
namespace {

int column_of(float share, int columns) {
    return std::clamp(static_cast<int>(std::lround(share * static_cast<float>(columns - 1))), 0, columns - 1);
}

}  // namespace

bool SketchPad::enough() const {
    const auto drawn = count_if(heights_, [](const auto& h) { return h.has_value(); });
    return 2 * drawn >= kColumns;
}

Sketch SketchPad::sketch(const SketchPrediction& axes) const {
    Sketch points;
    for (int i = 0; i < kColumns; ++i)
        if (const auto height = heights_[static_cast<size_t>(i)])
            points.emplace_back(axes.left + (axes.right - axes.left) * i / (kColumns - 1),
                                axes.bottom + (axes.top - axes.bottom) * static_cast<double>(*height));
    return points;
}

void SketchPad::restore(const Sketch& sketch, const SketchPrediction& axes) {
    clear();
    for (const auto& [x, y] : sketch)
        heights_[static_cast<size_t>(
            column_of(static_cast<float>((x - axes.left) / (axes.right - axes.left)), kColumns))] =
            static_cast<float>((y - axes.bottom) / (axes.top - axes.bottom));
}

// The columns between two frames' places get the heights of the line between them.
void SketchPad::follow_mouse(ImVec2 min, ImVec2 size) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const ImVec2 now(std::clamp((mouse.x - min.x) / size.x, 0.0F, 1.0F),
                     std::clamp(1.0F - (mouse.y - min.y) / size.y, 0.0F, 1.0F));
    const ImVec2 before = last_.value_or(now);
    const int from = column_of(before.x, kColumns), to = column_of(now.x, kColumns);
    for (int i = std::min(from, to); i <= std::max(from, to); ++i) {
        const float share = from == to ? 1.0F : static_cast<float>(i - from) / static_cast<float>(to - from);
        heights_[static_cast<size_t>(i)] = before.y + share * (now.y - before.y);
    }
    last_ = now;
}

void SketchPad::draw(const Ui& ui, const SketchPrediction& axes, ImVec2 size, bool open, const Beside& beside) {
    const float label = ui.fonts.small->FontSize + ui.px(4);
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const ImVec2 room(size.x, size.y - label);
    ImGui::InvisibleButton("sketch", room);
    log_item(ui, "sketch");
    if (open && ImGui::IsItemActive())
        follow_mouse(min, room);
    else
        last_.reset();
    const ImVec2 max(min.x + room.x, min.y + room.y);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(min, max, ui.colors.plot, ui.px(3));
    list->AddRect(min, max, ui.colors.axis, ui.px(3));
    for (const float share : {0.25F, 0.5F, 0.75F})
        list->AddLine({min.x, min.y + share * room.y}, {max.x, min.y + share * room.y}, ui.colors.grid);
    const auto at = [&](double x, double y) {
        return ImVec2(
            min.x + room.x * static_cast<float>((x - axes.left) / (axes.right - axes.left)),
            max.y - room.y * static_cast<float>(std::clamp((y - axes.bottom) / (axes.top - axes.bottom), 0.0, 1.0)));
    };
    const auto line = [&](const Sketch& points, ImU32 color, float width) {
        for (size_t i = 1; i < points.size(); ++i)
            list->AddLine(at(points[i - 1].first, points[i - 1].second), at(points[i].first, points[i].second), color,
                          width * ui.scale);
    };
    ImGui::PushClipRect(min, max, true);
    for (const Sketch& one : beside.others) line(one, with_alpha(ui.colors.text, 0.35F), 1.0F);
    for (const Sketch& one : beside.seeds) line(one, with_alpha(ui.colors.accent, 0.35F), 1.0F);
    line(beside.live, ui.colors.accent, 3.0F);
    const Sketch drawn = sketch(axes);
    const ImU32 yours = ui.colors.warning;
    line(drawn, yours, 2.0F);
    ImGui::PopClipRect();
    if (drawn.empty())
        draw_text_placed(list, ui.fonts.small, {(min.x + max.x) / 2, (min.y + max.y) / 2}, Placed::middle,
                         Placed::middle, ui.colors.muted, "draw here");
    const ImFont* font = ui.fonts.small;
    draw_text(list, font, {min.x + ui.px(4), min.y + ui.px(2)}, ui.colors.muted, fmt::format("{:g}", axes.top));
    draw_text_placed(list, font, {min.x + ui.px(4), max.y - ui.px(2)}, Placed::start, Placed::end, ui.colors.muted,
                     fmt::format("{:g}", axes.bottom));
    draw_text(list, font, {min.x, max.y + ui.px(2)}, ui.colors.muted, fmt::format("{:g}", axes.left));
    draw_text_placed(list, font, {max.x, max.y + ui.px(2)}, Placed::end, Placed::start, ui.colors.muted,
                     fmt::format("{:g}", axes.right));
    draw_text_placed(list, font, {(min.x + max.x) / 2, max.y + ui.px(2)}, Placed::middle, Placed::start,
                     ui.colors.muted, greek(beside.axis));
    const float right = max.x - ui.px(4), first = min.y + ui.px(2);
    draw_text_placed(list, font, {right, first}, Placed::end, Placed::start,
                     beside.live.empty() ? ui.colors.muted : ui.colors.accent, greek(axes.curve));
    if (!beside.live.empty())
        draw_text_placed(list, font, {right, first + font->FontSize}, Placed::end, Placed::start, yours, "your guess");
    ImGui::Dummy({size.x, label});
}

}  // namespace emergence
