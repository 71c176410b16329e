#include "app/gui/widgets/imgui_pen.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "app/gui/widgets/strokes.h"
#include "app/gui/widgets/text.h"
#include "core/base/check.h"

namespace emergence {
namespace {

std::vector<ImVec2> as_pixels(std::span<const Point> points) {
    std::vector<ImVec2> pixels;
    pixels.reserve(points.size());
    for (const Point& point : points) pixels.push_back(pixel_of(point));
    return pixels;
}

struct FontChoice {
    const ImFont* font;
    float size;
};

// Large text comes from the large font, drawn smaller.
FontChoice font_for(const Ui& ui, const TextStyle& style) {
    if (style.bold) return {ui.fonts.bold, ui.fonts.bold->FontSize};
    const auto wanted = static_cast<float>(style.size);
    if (wanted <= ui.fonts.body->FontSize) return {ui.fonts.small, ui.fonts.small->FontSize};
    return {ui.fonts.large, std::min(wanted, ui.fonts.large->FontSize)};
}

ImVec2 extent_of(const FontChoice& choice, const std::string& line) {
    return choice.font->CalcTextSizeA(choice.size, FLT_MAX, 0.0F, line.data(), line.data() + line.size());
}

bool is_along_an_axis(std::span<const Point> points) {
    return points.size() == 2 && (points[0].x == points[1].x || points[0].y == points[1].y);
}

}  // namespace

ImU32 to_color(const Ink& ink) { return with_alpha(to_color(ink.color), static_cast<float>(ink.alpha)); }

Ink to_ink(ImU32 color) {
    const auto part = [color](int shift) { return static_cast<uint8_t>(color >> shift & 0xFFU); };
    return {{part(IM_COL32_R_SHIFT), part(IM_COL32_G_SHIFT), part(IM_COL32_B_SHIFT)},
            part(IM_COL32_A_SHIFT) / 255.0};
}

PictureStyle picture_style(const Ui& ui) {
    PictureStyle style;
    style.theme = ui.theme;
    style.unit = static_cast<double>(ui.scale);
    style.snap = true;
    style.ink = to_ink(ui.colors.text);
    style.faint = to_ink(ui.colors.muted);
    style.label = {static_cast<double>(ui.fonts.small->FontSize), style.ink};
    style.shape = {1.6 * style.unit, 1.0, static_cast<double>(ui.px(4))};
    style.spelled = greek;
    MatrixStyle& matrix = style.matrix;
    const ImFont* small = ui.fonts.small;
    matrix.text = {static_cast<double>(small->FontSize), style.ink, false, 1.0};
    matrix.row_gap = static_cast<double>(ui.px(6));
    matrix.column_gap = static_cast<double>(ui.px(3) + small->FontSize - small->Ascent);
    matrix.labels_apart = static_cast<double>(ui.px(4));
    matrix.most_numbers = 10;
    matrix.number_height = 1.2 * static_cast<double>(small->FontSize);
    matrix.number_width = static_cast<double>(ui.px(75));
    matrix.frame = {style.ink.faded(0.75), 1.0};
    matrix.border = {style.ink.faded(0.75), static_cast<double>(ui.px(1))};
    matrix.bar = {to_ink(with_alpha(ui.colors.axis, 0.8F)), 1.0};
    matrix.hatching = {style.faint.faded(0.5), static_cast<double>(ui.px(1))};
    matrix.hatch_spacing = static_cast<double>(ui.px(9));
    matrix.mark_radius = static_cast<double>(ui.px(5));
    matrix.least_mark = 3.0;
    matrix.edge_share = 0.25;
    matrix.least_edge = 2.0;
    matrix.most_edge = static_cast<double>(ui.px(4));
    return style;
}

void ImGuiPen::fill(const Rect& rect, const Ink& ink) {
    list_->AddRectFilled(pixel_of({rect.x, rect.y}), pixel_of({rect.right(), rect.bottom()}), to_color(ink));
}

void ImGuiPen::frame(const Rect& rect, const Stroke& stroke) {
    list_->AddRect(pixel_of({rect.x, rect.y}), pixel_of({rect.right(), rect.bottom()}), to_color(stroke.ink),
                   0.0F, ImDrawFlags_None, static_cast<float>(stroke.width));
}

void ImGuiPen::polyline(std::span<const Point> points, const Stroke& stroke) {
    const ImU32 color = to_color(stroke.ink);
    const auto width = static_cast<float>(stroke.width);
    if (stroke.dashed)
        draw_dashed(list_, as_pixels(points), color, width,
                    static_cast<float>(stroke.dash > 0.0 ? stroke.dash : 2.5 * stroke.width), stroke.dashes);
    else if (is_along_an_axis(points))
        list_->AddLine(pixel_of(points[0]), pixel_of(points[1]), color, width);
    else
        draw_stroke(list_, as_pixels(points), color, width);
}

void ImGuiPen::polygon(std::span<const Point> corners, const Ink& ink) {
    const std::vector<ImVec2> pixels = as_pixels(corners);
    list_->AddConvexPolyFilled(pixels.data(), static_cast<int>(pixels.size()), to_color(ink));
}

void ImGuiPen::band(std::span<const Point> lower, std::span<const Point> upper, const Ink& ink) {
    draw_band(list_, as_pixels(lower), as_pixels(upper), to_color(ink));
}

void ImGuiPen::disc(Point center, double radius, const Ink& ink) {
    list_->AddCircleFilled(pixel_of(center), static_cast<float>(radius), to_color(ink));
}

void ImGuiPen::marker(Point center, double radius, int color_index, const Ink& ink, bool open) {
    draw_marker(list_, pixel_of(center), static_cast<float>(radius), color_index, to_color(ink), open);
}

void ImGuiPen::text(const std::string& line, Point at, const TextStyle& style, Align align, Level level,
                    int quarter_turns) {
    check(quarter_turns == 0, "the window turns no text");
    if (line.empty()) return;
    const FontChoice choice = font_for(ui_, style);
    ImVec2 corner = pixel_of(at);
    const ImVec2 extent = align == Align::left ? ImVec2() : extent_of(choice, line);
    if (align == Align::center) corner.x -= extent.x / 2;
    if (align == Align::right) corner.x -= extent.x;
    if (level == Level::middle) corner.y -= choice.size / 2;
    if (level == Level::bottom) corner.y -= choice.size;
    if (level == Level::baseline) corner.y -= choice.font->Ascent * choice.size / choice.font->FontSize;
    if (choice.size == choice.font->FontSize)
        draw_text(list_, choice.font, corner, to_color(style.ink), line);
    else
        list_->AddText(choice.font, choice.size, {std::round(corner.x), std::round(corner.y)},
                       to_color(style.ink), line.data(), line.data() + line.size());
}

double ImGuiPen::text_width(const std::string& line, const TextStyle& style) const {
    return static_cast<double>(extent_of(font_for(ui_, style), line).x);
}

void ImGuiPen::clip(const Rect& rect) {
    list_->PushClipRect(pixel_of({rect.x, rect.y}), pixel_of({rect.right(), rect.bottom()}), true);
}

void ImGuiPen::unclip() { list_->PopClipRect(); }

}  // namespace emergence
