#include "app/export/canvas.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/pictures/axis.h"

namespace emergence::page {
namespace {

constexpr int kRasterPixels = 900;  // of the longer side of a raster of cells

std::array<Point, 4> corners_of(const Rect& rect) {
    return {{{rect.x, rect.y}, {rect.right(), rect.y}, {rect.right(), rect.bottom()}, {rect.x, rect.bottom()}}};
}

}  // namespace

std::string set_text(const std::string& line) {
    static const std::map<char, const char*> kLow = {{'k', "\u2096"}, {'l', "\u2097"}, {'m', "\u2098"},
                                                     {'n', "\u2099"}, {'s', "\u209B"}, {'t', "\u209C"}};
    std::string text = shown_text(line);
    const auto is_word = [&text](size_t at) {
        if (at >= text.size()) return false;
        const auto byte = static_cast<unsigned char>(text[at]);
        return byte >= 0x80 || byte == '_' || std::isalnum(byte) != 0;
    };
    for (size_t at = text.find('_', 1); at < text.size(); at = text.find('_', at + 1)) {
        size_t letter = at - 1;  // where it begins
        while (letter > 0 && continues_character(text[letter])) --letter;
        const auto low = kLow.find(at + 1 < text.size() ? text[at + 1] : ' ');
        if (low == kLow.end() || !is_word(letter) || (letter > 0 && is_word(letter - 1)) || is_word(at + 2)) continue;
        text.replace(at, 2, low->second);
    }
    return text;
}

std::vector<double> dash_lengths(const Stroke& stroke) {
    std::vector<double> dashes;
    if (stroke.dashed)
        for (const double length : dash_pattern(stroke.dashes))
            dashes.push_back(length * (stroke.dash > 0.0        ? stroke.dash
                                       : dashes.size() % 2 == 0 ? 3.2 * stroke.width
                                                                : 2.0 * stroke.width));
    return dashes;
}

PixelImage raster_of(int columns, int rows, const std::vector<Rgb>& colors) {
    const int side = std::max(1, kRasterPixels / std::max(columns, rows));
    PixelImage image{columns * side, rows * side, {}};
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const auto& [r, g, b] = colors[static_cast<size_t>(y / side * columns + x / side)];
            image.pixels.push_back(0xFF000000U | static_cast<uint32_t>(b) << 16U | static_cast<uint32_t>(g) << 8U | r);
        }
    return image;
}

std::unique_ptr<Canvas> make_canvas(double width, double height, FileFormat format, const Metadata& metadata,
                                    double pixels_per_point) {
    auto canvas = format == FileFormat::svg ? make_svg_canvas(width, height, metadata)
                                            : make_painted_canvas(width, height, format, metadata, pixels_per_point);
    // Over the edge, so that a last pixel that is on the page only in part is white as well.
    canvas->fill({0, 0, width + 1, height + 1}, kPaper);
    return canvas;
}

void Canvas::fill(const Rect& rect, const Ink& ink) { fill_area(corners_of(rect), ink); }

void Canvas::frame(const Rect& rect, const Stroke& stroke) { draw_stroke(corners_of(rect), true, stroke); }

void Canvas::polyline(std::span<const Point> points, const Stroke& stroke) { draw_stroke(points, false, stroke); }

void Canvas::polygon(std::span<const Point> corners, const Ink& ink) { fill_area(corners, ink); }

void Canvas::band(std::span<const Point> lower, std::span<const Point> upper, const Ink& ink) {
    std::vector<Point> outline(upper.begin(), upper.end());
    outline.insert(outline.end(), lower.rbegin(), lower.rend());
    fill_area(outline, ink);
}

void Canvas::marker(Point center, double radius, int color_index, const Ink& ink, bool open) {
    std::vector<Point> outline;
    for (const auto& [x, y] : marker_outline(color_index))
        outline.push_back({center.x + radius * x, center.y + radius * y});
    if (!open) return fill_area(outline, ink);
    outline.push_back(outline.front());
    draw_stroke(outline, false, {ink, 0.4 * radius});
}

void Canvas::text(const std::string& line, Point at, const TextStyle& style, Align align, Level level,
                  int quarter_turns) {
    if (line.empty()) return;
    if (level == Level::top) at.y += style.ascent();
    if (level == Level::middle) at.y += style.ascent() / 2;
    if (level == Level::bottom) at.y -= style.descent();
    const double width = text_width(line, style);
    const double shift = align == Align::left ? 0.0 : align == Align::center ? -width / 2 : -width;
    set_line(set_text(line), {at, shift, width, quarter_turns}, style);
}

double Canvas::text_width(const std::string& line, const TextStyle& style) const {
    return meter_.text_width(line, style);
}

PixelImage Canvas::pixels() {
    check(false, "only a page of pixels has pixels");
    return {};
}

}  // namespace emergence::page
