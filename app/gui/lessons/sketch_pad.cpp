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
        if (const auto height = heights_[i])
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

// The columns between the mouse's last and present place follow a straight line.
void SketchPad::follow_mouse(ImVec2 min, ImVec2 size) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const ImVec2 now(std::clamp((mouse.x - min.x) / size.x, 0.0F, 1.0F),
                     std::clamp(1.0F - (mouse.y - min.y) / size.y, 0.0F, 1.0F));
    const ImVec2 before = last_.value_or(now);
    const int from = column_of(before.x, kColumns), to = column_of(now.x, kColumns);
    for (int i = std::min(from, to); i <= std::max(from, to); ++i) {
        const float share = from == to ? 1.0F : static_cast<float>(i - from) / static_cast<float>(to - from);
        heights_[i] = before.y + share * (now.y - before.y);
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
    const ImFont* font = ui.fonts.small;
    const auto put = [&](ImVec2 place, Placed placed, const std::string& text, ImU32 color) {
        draw_text_placed(list, font, place, placed, color, text);
    };
    const ImU32 muted = ui.colors.muted;
    const float left = min.x + ui.px(4), right = max.x - ui.px(4), centre = (min.x + max.x) / 2;
    const float first = min.y + ui.px(2), below = max.y + ui.px(2);
    if (drawn.empty()) put({centre, (min.y + max.y) / 2}, Placed::centre, "draw here", muted);
    put({left, first}, Placed::top_left, fmt::format("{:g}", axes.top), muted);
    put({left, max.y - ui.px(2)}, Placed::bottom_left, fmt::format("{:g}", axes.bottom), muted);
    put({min.x, below}, Placed::top_left, fmt::format("{:g}", axes.left), muted);
    put({max.x, below}, Placed::top_right, fmt::format("{:g}", axes.right), muted);
    put({centre, below}, Placed::top, greek(beside.axis), muted);
    put({right, first}, Placed::top_right, greek(axes.curve), beside.live.empty() ? muted : ui.colors.accent);
    if (!beside.live.empty()) put({right, first + font->FontSize}, Placed::top_right, "your guess", yours);
    ImGui::Dummy({size.x, label});
}

}  // namespace emergence
