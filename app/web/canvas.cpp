// A page without Cairo: every shape is a path, which SVG and the browser's own canvas both understand. Declared in
// app/export/canvas.h.
#include "app/export/canvas.h"

#include <emscripten.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/export/file_format.h"
#include "app/web/outlines.h"
#include "app/web/png.h"
#include "core/base/check.h"
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/pictures/palette.h"
#include "core/pictures/series_draw.h"

// The functions below paint on a canvas that no page shows, in whichever thread calls them.
EM_JS(int, paper_begin, (int width, int height, double scale), {
    if (!globalThis.OffscreenCanvas) return 0;
    const pen = new OffscreenCanvas(width, height).getContext('2d');
    pen.scale(scale, scale);
    pen.lineJoin = 'round';
    globalThis.paper = pen;
    return 1;
});
EM_JS(void, paper_fill, (const char* path, const char* color), {
    globalThis.paper.fillStyle = UTF8ToString(color);
    globalThis.paper.fill(new Path2D(UTF8ToString(path)));
});
EM_JS(void, paper_stroke, (const char* path, const char* color, double width, const char* dashes), {
    const pen = globalThis.paper;
    pen.strokeStyle = UTF8ToString(color);
    pen.lineWidth = width;
    pen.setLineDash(UTF8ToString(dashes).split(' ').filter(Boolean).map(Number));
    pen.stroke(new Path2D(UTF8ToString(path)));
});
EM_JS(void, paper_clip, (const char* path), {
    globalThis.paper.save();
    globalThis.paper.clip(new Path2D(UTF8ToString(path)));
});
EM_JS(void, paper_unclip, (), { globalThis.paper.restore(); });
EM_JS(void, paper_end, (void* pixels, int width, int height), {
    HEAPU8.set(globalThis.paper.getImageData(0, 0, width, height).data, pixels);
    globalThis.paper = null;
});

namespace emergence {

std::span<const FileFormat> writable_formats() {
    static constexpr FileFormat kWithoutPdf[] = {FileFormat::svg, FileFormat::png, FileFormat::csv, FileFormat::npz};
    return kWithoutPdf;
}

}  // namespace emergence

namespace emergence::page {

struct Device {
    double width = 0.0, height = 0.0;  // points
    int columns = 0, rows = 0;         // pixels; 0 in SVG
    int clips = 0;
    std::string svg;

    bool paints() const { return columns > 0; }
};

namespace {

constexpr double kDotsInInch = 72.0;

std::string color_of(const Ink& ink) {
    return fmt::format("rgba({},{},{},{:.3f})", ink.color.r, ink.color.g, ink.color.b, ink.alpha);
}

std::string number_of_ink(const Ink& ink) {
    return fmt::format("#{:02x}{:02x}{:02x}", ink.color.r, ink.color.g, ink.color.b);
}

std::string path_of(const Rect& rect) {
    return fmt::format("M{:.3f} {:.3f}h{:.3f}v{:.3f}h{:.3f}Z", rect.x, rect.y, rect.width, rect.height, -rect.width);
}

std::string path_of(std::span<const Point> points, bool closed) {
    std::string path;
    for (const Point& point : points)
        path += fmt::format("{}{:.3f} {:.3f}", path.empty() ? 'M' : 'L', std::clamp(point.x, -2e4, 2e4),
                            std::clamp(point.y, -2e4, 2e4));
    return closed ? path + 'Z' : path;
}

void fill_path(Device& device, const std::string& path, const Ink& ink) {
    if (device.paints()) return paper_fill(path.c_str(), color_of(ink).c_str());
    const std::string opacity = ink.alpha < 1.0 ? fmt::format(" fill-opacity=\"{:.3f}\"", ink.alpha) : "";
    device.svg += fmt::format("<path d=\"{}\" fill=\"{}\"{}/>\n", path, number_of_ink(ink), opacity);
}

std::string dashes_of(const Stroke& stroke) {
    std::string dashes;
    bool gap = false;
    if (stroke.dashed)
        for (const double length : dash_pattern(stroke.dashes)) {
            const double unit = stroke.dash > 0.0 ? stroke.dash : (gap ? 2.0 : 3.2) * stroke.width;
            dashes += fmt::format("{}{:.3f}", dashes.empty() ? "" : " ", length * unit);
            gap = !gap;
        }
    return dashes;
}

void stroke_path(Device& device, const std::string& path, const Stroke& stroke) {
    const std::string dashes = dashes_of(stroke);
    if (device.paints()) return paper_stroke(path.c_str(), color_of(stroke.ink).c_str(), stroke.width, dashes.c_str());
    device.svg += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:.3f}\"", path,
                              number_of_ink(stroke.ink), stroke.width);
    if (stroke.ink.alpha < 1.0) device.svg += fmt::format(" stroke-opacity=\"{:.3f}\"", stroke.ink.alpha);
    if (!dashes.empty()) device.svg += fmt::format(" stroke-dasharray=\"{}\"", dashes);
    device.svg += "/>\n";
}

}  // namespace

TextMeter::TextMeter() = default;
TextMeter::~TextMeter() = default;

double TextMeter::text_width(const std::string& line, const TextStyle& style) const {
    return outline_font(style.bold).width(set_text(line)) * style.size;
}

Canvas::Canvas(double width, double height, FileFormat format, Metadata metadata, int dots_per_inch)
    : Canvas(width, height, format, dots_per_inch / kDotsInInch, std::move(metadata)) {}

Canvas::Canvas(double width, double height, double pixels_per_point)
    : Canvas(width, height, FileFormat::png, pixels_per_point, {}) {}

Canvas::Canvas(double width, double height, FileFormat format, double pixels_per_point, Metadata metadata)
    : format_(format),
      pixels_per_point_(pixels_per_point),
      metadata_(std::move(metadata)),
      device_(std::make_unique<Device>()) {
    if (format != FileFormat::svg && format != FileFormat::png) throw IoError("a browser writes figures as SVG or PNG");
    device_->width = width;
    device_->height = height;
    if (format == FileFormat::png) {
        device_->columns = static_cast<int>(std::ceil(width * pixels_per_point));
        device_->rows = static_cast<int>(std::ceil(height * pixels_per_point));
        if (paper_begin(device_->columns, device_->rows, pixels_per_point) == 0)
            throw IoError("this browser cannot draw pictures as pixels. Export SVG");
    }
    fill({0, 0, width + 1, height + 1}, kPaper);
}

Canvas::~Canvas() = default;

void Canvas::fill(const Rect& rect, const Ink& ink) { fill_path(*device_, path_of(rect), ink); }

void Canvas::frame(const Rect& rect, const Stroke& stroke) { stroke_path(*device_, path_of(rect), stroke); }

void Canvas::polyline(std::span<const Point> points, const Stroke& stroke) {
    if (!points.empty()) stroke_path(*device_, path_of(points, false), stroke);
}

void Canvas::polygon(std::span<const Point> corners, const Ink& ink) {
    if (!corners.empty()) fill_path(*device_, path_of(corners, true), ink);
}

void Canvas::band(std::span<const Point> lower, std::span<const Point> upper, const Ink& ink) {
    std::vector<Point> outline(upper.begin(), upper.end());
    outline.insert(outline.end(), lower.rbegin(), lower.rend());
    polygon(outline, ink);
}

// Cells of one colour are one path, and lie over their neighbours by a hair, so that no seams shine through.
void Canvas::cells(const Rect& rect, int columns, int rows, const std::vector<Rgb>& colors) {
    const double width = rect.width / columns, height = rect.height / rows;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            fill({rect.x + column * width, rect.y + row * height, width * (column + 1 < columns ? 1.02 : 1.0),
                  height * (row + 1 < rows ? 1.02 : 1.0)},
                 colors[row * columns + column]);
}

void Canvas::disc(Point center, double radius, const Ink& ink) {
    fill_path(*device_,
              fmt::format("M{0:.3f} {1:.3f}a{2:.3f} {2:.3f} 0 1 0 {3:.3f} 0a{2:.3f} {2:.3f} 0 1 0 {4:.3f} 0Z",
                          center.x - radius, center.y, radius, 2.0 * radius, -2.0 * radius),
              ink);
}

void Canvas::marker(Point center, double radius, int color_index, const Ink& ink, bool open) {
    std::vector<Point> outline;
    for (const auto& [x, y] : marker_outline(color_index))
        outline.push_back({center.x + radius * x, center.y + radius * y});
    if (!open) return polygon(outline, ink);
    outline.push_back(outline.front());
    polyline(outline, {ink, 0.4 * radius});
}

void Canvas::text(const std::string& line, Point at, const TextStyle& style, Align align, Level level,
                  int quarter_turns) {
    if (line.empty()) return;
    Point baseline = at;
    if (level == Level::top) baseline.y += style.ascent();
    if (level == Level::middle) baseline.y += style.ascent() / 2;
    if (level == Level::bottom) baseline.y -= style.descent();
    const double width = text_width(line, style);
    const double shift = align == Align::left ? 0.0 : align == Align::center ? -width / 2 : -width;
    const TextPlace place{baseline, shift, width, quarter_turns};
    if (device_->paints())
        fill_path(*device_, outline_font(style.bold).path(set_text(line), place, style.size), style.ink);
    else
        svg_text_ += svg_text_element(set_text(line), place, style);
}

double Canvas::text_width(const std::string& line, const TextStyle& style) const {
    return TextMeter().text_width(line, style);
}

void Canvas::clip(const Rect& rect) {
    if (device_->paints()) return paper_clip(path_of(rect).c_str());
    const int name = ++device_->clips;
    device_->svg += fmt::format(
        "<clipPath id=\"clip{0}\"><path d=\"{1}\"/></clipPath><g clip-path=\"url(#clip{0})\">\n", name, path_of(rect));
}

void Canvas::unclip() {
    if (device_->paints()) return paper_unclip();
    device_->svg += "</g>\n";
}

PixelImage Canvas::finish_pixels() {
    check(device_->paints(), "only a picture of pixels has pixels");
    PixelImage image{device_->columns, device_->rows, {}};
    image.pixels.resize(static_cast<size_t>(image.width) * static_cast<size_t>(image.height));
    paper_end(image.pixels.data(), image.width, image.height);
    return image;
}

std::string Canvas::finish() {
    if (format_ == FileFormat::png)
        return finished_png(png_bytes(finish_pixels()), pixels_per_point_ * kDotsInInch, metadata_);
    return finished_svg(fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.2f}pt\" "
                                    "height=\"{1:.2f}pt\" viewBox=\"0 0 {0:.2f} {1:.2f}\" "
                                    "stroke-linejoin=\"round\">\n{2}</svg>\n",
                                    device_->width, device_->height, device_->svg),
                        svg_text_, metadata_);
}

}  // namespace emergence::page
