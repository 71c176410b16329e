#include "app/gui/widgets/imgui_pen.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <vector>

#include "app/gui/widgets/text.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/pictures/axis.h"
#include "core/pictures/pen.h"

namespace emergence {
namespace {

// Segments of four vertices each: clearly fewer than 65,536 vertices, the limit of 16-bit indices.
constexpr size_t kChunk = 4000;

constexpr size_t kFewestInColumns = 16;

// One bar a pixel column from its lowest to its highest point, joined to the column before.
void draw_columns(ImDrawList* list, std::span<const Point> points, ImU32 color, double thickness) {
    size_t i = 0;
    double previous = points.front().y;
    while (i < points.size()) {
        const double column = std::floor(points[i].x);
        const double end = column + 1.0;
        double low = previous;
        double high = previous;
        for (; i < points.size() && points[i].x < end; ++i) {
            low = std::min(low, points[i].y);
            high = std::max(high, points[i].y);
            previous = points[i].y;
        }
        list->AddRectFilled(pixel_of({column, low - thickness / 2}), pixel_of({end, high + thickness / 2}), color);
    }
}

// Computed once: a plot draws hundreds of marks in a frame.
const std::vector<std::pair<double, double>>& outline_of(int color_index) {
    static const auto outlines = [] {
        std::array<std::vector<std::pair<double, double>>, kNumCategorical> all;
        for (int i = 0; i < kNumCategorical; ++i) all[static_cast<size_t>(i)] = marker_outline(i);
        return all;
    }();
    return outlines[static_cast<size_t>((color_index % kNumCategorical + kNumCategorical) % kNumCategorical)];
}

// Of the three sizes.
const ImFont* font_for(const Ui& ui, const TextStyle& style) {
    const bool small = static_cast<float>(style.size) <= ui.fonts.body->FontSize;
    return style.bold ? ui.fonts.bold : small ? ui.fonts.small : ui.fonts.body;
}

PlotStyle plot_style(const Ui& ui) {
    const auto scale = static_cast<double>(ui.scale), small = static_cast<double>(ui.fonts.small->FontSize);
    const auto px = [&ui](float length) { return static_cast<double>(ui.px(length)); };
    const Ink muted = to_ink(ui.colors.muted), ground = to_ink(ui.colors.plot), grid = to_ink(ui.colors.grid);
    PlotStyle plot;
    LegendStyle& legend = plot.legend;
    legend.text = {small, to_ink(ui.colors.text), false, 1.0};
    legend.width = px(16);
    legend.line = {px(3)};
    legend.marked_line = {px(2)};
    legend.dashed = {px(2), 1.0, px(4)};
    legend.thin = {scale};
    legend.marker = 4.5 * scale;
    legend.point = 3.5 * scale;
    legend.note = muted;
    plot.tick = plot.label = {small, muted, false, 1.0};
    plot.note = plot.label;
    plot.note.ink = to_ink(ui.colors.warning);
    plot.label_ground = {ground.color, 0.85};
    plot.note_ground = {ground.color, 0.8};
    plot.shade = {muted.color, 0.14};
    plot.grid = {grid, 1.0};
    plot.minor_grid = {{grid.color, 0.5}, 1.0};
    plot.axis = {{to_ink(ui.colors.axis).color, 0.6}, 1.0};
    plot.framed = true;
    plot.x_number_gap = px(3);
    plot.y_number_gap = px(6);
    plot.numbers_apart = px(8);
    plot.reference = {muted, px(1), true, 0, px(5)};
    plot.gap = px(4);
    plot.top_gap = px(2);
    plot.live = true;
    plot.center = {2.0 * scale};
    plot.dashed = {1.6 * scale, 1.0, px(5)};
    plot.seed = {1.0, 0.45, px(4)};
    plot.raw = {1.0, 0.3};
    plot.highlighted = {scale, 0.9, px(2)};
    plot.bars = {1.4 * scale, 1.0, px(4)};
    plot.band = ui.theme == Theme::dark ? 0.24 : 0.18;
    plot.bar = 0.35;
    plot.marker = 3.0 * scale;
    plot.dot = px(3);
    plot.sparse_marker = 4.0 * scale;
    plot.markers_apart = px(9);
    plot.sparse_apart = px(84);
    plot.exit = px(5);
    plot.exit_gap = px(2);
    plot.exit_line = 2.0 * scale;
    plot.emphasis = scale;
    return plot;
}

bool is_along_an_axis(std::span<const Point> points) {
    return points.size() == 2 && (points[0].x == points[1].x || points[0].y == points[1].y);
}

}  // namespace

PictureStyle picture_style(const Ui& ui) {
    const auto px = [&ui](float length) { return static_cast<double>(ui.px(length)); };
    PictureStyle style;
    style.plot = plot_style(ui);
    style.theme = ui.theme;
    style.unit = static_cast<double>(ui.scale);
    style.snap = true;
    style.ink = to_ink(ui.colors.text);
    style.faint = to_ink(ui.colors.muted);
    style.label = {static_cast<double>(ui.fonts.small->FontSize), style.ink};
    style.shape = {1.6 * style.unit, 1.0, px(4)};
    style.spelled = greek;
    style.number = [](std::string_view number) { return with_minus(std::string(number)); };
    MatrixStyle& matrix = style.matrix;
    const ImFont* small = ui.fonts.small;
    matrix.text = {static_cast<double>(small->FontSize), style.ink, false, 1.0};
    matrix.row_gap = px(6);
    matrix.column_gap = px(3) + static_cast<double>(small->FontSize - small->Ascent);
    matrix.labels_apart = px(4);
    matrix.most_numbers = 10;
    matrix.number_height = 1.2 * static_cast<double>(small->FontSize);
    matrix.number_width = px(75);
    matrix.frame = {style.ink.faded(0.75), 1.0};
    matrix.border = {style.ink.faded(0.75), px(1)};
    matrix.bar = {to_ink(with_alpha(ui.colors.axis, 0.8F)), 1.0};
    matrix.hatching = {style.faint.faded(0.5), px(1)};
    matrix.hatch_spacing = px(9);
    matrix.mark_radius = px(5);
    matrix.least_mark = 3.0;
    matrix.edge_share = 0.25;
    matrix.least_edge = 2.0;
    matrix.most_edge = px(4);
    matrix.number = matrix.text;
    matrix.on_bright = {{0, 0, 0}, 220 / 255.0};
    matrix.on_dark = {{255, 255, 255}, 230 / 255.0};
    matrix.number_pad = px(4);
    matrix.bar_text = {matrix.text.size, style.faint, false, 1.0};
    matrix.bar_gap = px(5);
    matrix.lying_bar_gap = px(6);
    matrix.bar_over = px(2);
    return style;
}

void draw_stroke(ImDrawList* list, std::span<const Point> points, ImU32 color, float thickness) {
    if (points.size() < 2) return;
    // Columns stand for a line that goes from left to right; a path may turn round and a ring ends where it began.
    const auto left_of = [](const Point& a, const Point& b) { return a.x < b.x; };
    if (points.size() >= kFewestInColumns &&
        static_cast<double>(points.size()) > 2.0 * (points.back().x - points.front().x) &&
        std::is_sorted(points.begin(), points.end(), left_of)) {
        draw_columns(list, points, color, static_cast<double>(thickness));
        return;
    }
    for (size_t begin = 0; begin + 1 < points.size(); begin += kChunk) {
        const size_t count = std::min(kChunk + 1, points.size() - begin);
        // ImGui's list has a buffer for the path.
        for (const Point& point : points.subspan(begin, count)) list->PathLineTo(pixel_of(point));
        list->PathStroke(color, ImDrawFlags_None, thickness);
    }
}

void draw_dashed(ImDrawList* list, std::span<const Point> points, ImU32 color, float thickness, float dash,
                 int dashes) {
    const std::span<const double> pattern = dash_pattern(dashes);
    size_t part = 0;  // of the pattern; even ones are drawn
    const auto length_of = [&](size_t one) { return std::max(0.5F, dash * static_cast<float>(pattern[one])); };
    float left = length_of(0);  // of the part
    for (size_t i = 0; i + 1 < points.size(); ++i) {
        const ImVec2 a = pixel_of(points[i]);
        const ImVec2 b = pixel_of(points[i + 1]);
        const float length = std::hypot(b.x - a.x, b.y - a.y);
        if (!(length > 0.0F)) continue;
        const auto at = [&](float t) { return ImVec2(a.x + (b.x - a.x) * t / length, a.y + (b.y - a.y) * t / length); };
        float done = 0.0F;
        while (done < length) {
            const float step = std::min(left, length - done);
            if (part % 2 == 0) list->AddLine(at(done), at(done + step), color, thickness);
            done += std::max(step, 0.01F);  // never stuck on rounding
            left -= std::max(step, 0.01F);
            if (left > 0.0F) continue;
            part = (part + 1) % pattern.size();
            left = length_of(part);
        }
    }
}

ImU32 to_color(const Ink& ink) { return with_alpha(to_color(ink.color), static_cast<float>(ink.alpha)); }

Ink to_ink(ImU32 color) {
    const auto part = [color](int shift) { return static_cast<uint8_t>(color >> shift & 0xFFU); };
    return {{part(IM_COL32_R_SHIFT), part(IM_COL32_G_SHIFT), part(IM_COL32_B_SHIFT)}, part(IM_COL32_A_SHIFT) / 255.0};
}

void ImGuiPen::fill(const Rect& rect, const Ink& ink) {
    list_->AddRectFilled(pixel_of({rect.x, rect.y}), pixel_of({rect.right(), rect.bottom()}), to_color(ink));
}

void ImGuiPen::frame(const Rect& rect, const Stroke& stroke) {
    list_->AddRect(pixel_of({rect.x, rect.y}), pixel_of({rect.right(), rect.bottom()}), to_color(stroke.ink), 0.0F,
                   ImDrawFlags_None, static_cast<float>(stroke.width));
}

void ImGuiPen::polyline(std::span<const Point> points, const Stroke& stroke) {
    const ImU32 color = to_color(stroke.ink);
    const auto width = static_cast<float>(stroke.width);
    if (stroke.dashed)
        draw_dashed(list_, points, color, width,
                    static_cast<float>(stroke.dash > 0.0 ? stroke.dash : 2.5 * stroke.width), stroke.dashes);
    else if (is_along_an_axis(points))
        list_->AddLine(pixel_of(points[0]), pixel_of(points[1]), color, width);
    else
        draw_stroke(list_, points, color, width);
}

void ImGuiPen::polygon(std::span<const Point> corners, const Ink& ink) {
    for (const Point& corner : corners) list_->PathLineTo(pixel_of(corner));
    list_->PathFillConvex(to_color(ink));
}

void ImGuiPen::band(std::span<const Point> lower, std::span<const Point> upper, const Ink& ink) {
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    for (size_t begin = 0; begin + 1 < lower.size(); begin += kChunk) {
        const size_t segments = std::min(kChunk, lower.size() - 1 - begin);
        list_->PrimReserve(static_cast<int>(segments) * 6, static_cast<int>(segments) * 4);
        for (size_t i = begin; i < begin + segments; ++i)
            list_->PrimQuadUV(pixel_of(upper[i]), pixel_of(upper[i + 1]), pixel_of(lower[i + 1]), pixel_of(lower[i]),
                              white, white, white, white, to_color(ink));
    }
}

void ImGuiPen::disc(Point center, double radius, const Ink& ink) {
    list_->AddCircleFilled(pixel_of(center), static_cast<float>(radius), to_color(ink));
}

void ImGuiPen::marker(Point center, double radius, int color_index, const Ink& ink, bool open) {
    std::vector<ImVec2> mark;
    bool star = false;
    for (const auto& [x, y] : outline_of(color_index)) {
        mark.push_back(pixel_of({center.x + radius * x, center.y + radius * y}));
        star = star || std::hypot(x, y) < 0.6;
    }
    const auto count = static_cast<int>(mark.size());
    if (open)
        list_->AddPolyline(mark.data(), count, to_color(ink), ImDrawFlags_Closed, static_cast<float>(0.4 * radius));
    else if (star)  // point by point, from the centre, from which all of it is seen
        for (size_t i = 1; i < mark.size(); i += 2) {
            const ImVec2 corner[] = {pixel_of(center), mark[i], mark[(i + 1) % mark.size()],
                                     mark[(i + 2) % mark.size()]};
            list_->AddConvexPolyFilled(corner, 4, to_color(ink));
        }
    else
        list_->AddConvexPolyFilled(mark.data(), count, to_color(ink));
}

void ImGuiPen::text(const std::string& given, Point at, const TextStyle& style, Align align, Level level,
                    int quarter_turns) {
    check(quarter_turns == 0, "the window turns no text");
    if (given.empty()) return;
    const std::string line = shown_text(given);
    const ImFont* font = font_for(ui_, style);
    ImVec2 corner = pixel_of(at);
    const ImVec2 extent = align == Align::left ? ImVec2() : text_size(font, line);
    if (align == Align::center) corner.x -= extent.x / 2;
    if (align == Align::right) corner.x -= extent.x;
    if (level == Level::middle) corner.y -= font->FontSize / 2;
    if (level == Level::bottom) corner.y -= font->FontSize;
    if (level == Level::baseline) corner.y -= font->Ascent;
    draw_text(list_, font, corner, to_color(style.ink), line);
}

double ImGuiPen::text_width(const std::string& line, const TextStyle& style) const {
    return static_cast<double>(text_size(font_for(ui_, style), shown_text(line)).x);
}

void ImGuiPen::clip(const Rect& rect) {
    list_->PushClipRect(pixel_of({rect.x, rect.y}), pixel_of({rect.right(), rect.bottom()}), true);
}

void ImGuiPen::unclip() { list_->PopClipRect(); }

}  // namespace emergence
