#include "app/export/canvas.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "app/export/cairo_bytes.h"
#include "app/export/file_format.h"
#include "core/base/check.h"
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/base/version.h"
#include "core/pictures/palette.h"
#include "core/pictures/series_draw.h"

namespace emergence {

std::span<const FileFormat> writable_formats() { return kFileFormats; }

}  // namespace emergence

namespace emergence::page {

struct Device {
    explicit Device(cairo_surface_t* made) : surface(made), context(cairo_create(made)) {}
    ~Device() {
        cairo_destroy(context);
        cairo_surface_destroy(surface);
    }
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    cairo_surface_t* surface;
    cairo_t* context;
};

namespace {

constexpr double kPointsInInch = 72.0;
constexpr int kImagePixels = 900;  // of the longer side of a raster of cells

/// Unhinted, so that text is as wide on every surface as the layout was told.
void use_unhinted_fonts(cairo_t* context) {
    cairo_font_options_t* options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(context, options);
    cairo_font_options_destroy(options);
}

void select_font(cairo_t* context, const TextStyle& style) {
    cairo_select_font_face(context, kFontFamily, CAIRO_FONT_SLANT_NORMAL,
                           style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(context, style.size);
}

double advance_of(cairo_t* context, const std::string& text) {
    cairo_text_extents_t extents;
    cairo_text_extents(context, set_text(text).c_str(), &extents);
    return extents.x_advance;
}

cairo_surface_t* make_surface(FileFormat format, double width, double height, double pixels_per_point,
                              std::string& bytes) {
    switch (format) {
        case FileFormat::pdf:
            return cairo_pdf_surface_create_for_stream(append_bytes, &bytes, width, height);
        case FileFormat::svg:
            return cairo_svg_surface_create_for_stream(append_bytes, &bytes, width, height);
        default:
            break;
    }
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::ceil(width * pixels_per_point)),
                                      static_cast<int>(std::ceil(height * pixels_per_point)));
}

void set_pdf_metadata(cairo_surface_t* surface, const Metadata& metadata) {
    const auto set = [&](cairo_pdf_metadata_t key, const std::string& value) {
        if (!value.empty()) cairo_pdf_surface_set_metadata(surface, key, value.c_str());
    };
    set(CAIRO_PDF_METADATA_TITLE, shown_lines(metadata.title));
    set(CAIRO_PDF_METADATA_KEYWORDS, shown_lines(metadata.config));
    set(CAIRO_PDF_METADATA_CREATOR, "Emergence " + version());
    // A fixed date, so that the same figure is the same file.
    set(CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
}

void set_ink(cairo_t* context, const Ink& ink) {
    const auto& [color, alpha] = ink;
    cairo_set_source_rgba(context, color.r / 255.0, color.g / 255.0, color.b / 255.0, alpha);
}

// Cairo's coordinates are fixed-point numbers: what is far outside is brought nearer.
double on_page(double coordinate) { return std::clamp(coordinate, -2e4, 2e4); }

void trace(cairo_t* context, std::span<const Point> points) {
    cairo_new_path(context);
    for (const Point& point : points) cairo_line_to(context, on_page(point.x), on_page(point.y));
}

}  // namespace

TextMeter::TextMeter() : device_(std::make_unique<Device>(cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1))) {
    use_unhinted_fonts(device_->context);
}

TextMeter::~TextMeter() = default;

double TextMeter::text_width(const std::string& line, const TextStyle& style) const {
    select_font(device_->context, style);
    return advance_of(device_->context, line);
}

Canvas::Canvas(double width, double height, FileFormat format, Metadata metadata, int dots_per_inch)
    : Canvas(width, height, format, dots_per_inch / kPointsInInch, std::move(metadata)) {}

Canvas::Canvas(double width, double height, double pixels_per_point)
    : Canvas(width, height, FileFormat::png, pixels_per_point, {}) {}

Canvas::Canvas(double width, double height, FileFormat format, double pixels_per_point, Metadata metadata)
    : format_(format),
      pixels_per_point_(pixels_per_point),
      metadata_(std::move(metadata)),
      device_(std::make_unique<Device>(make_surface(format, width, height, pixels_per_point, bytes_))) {
    check(format != FileFormat::csv && format != FileFormat::npz, "a canvas is a picture");
    if (format == FileFormat::pdf) set_pdf_metadata(device_->surface, metadata_);
    if (format == FileFormat::png) cairo_scale(device_->context, pixels_per_point, pixels_per_point);
    use_unhinted_fonts(device_->context);
    cairo_set_line_join(device_->context, CAIRO_LINE_JOIN_ROUND);
    // Over the edge, so that a last pixel that is on the page only in part is white as well.
    fill({0, 0, width + 1, height + 1}, kPaper);
}

Canvas::~Canvas() = default;

void Canvas::set_stroke(const Stroke& stroke) {
    set_ink(device_->context, stroke.ink);
    cairo_set_line_width(device_->context, stroke.width);
    std::vector<double> dashes;
    if (stroke.dashed)
        for (const double length : dash_pattern(stroke.dashes))
            dashes.push_back(length * (stroke.dash > 0.0        ? stroke.dash
                                       : dashes.size() % 2 == 0 ? 3.2 * stroke.width
                                                                : 2.0 * stroke.width));
    cairo_set_dash(device_->context, dashes.data(), static_cast<int>(dashes.size()), 0.0);
}

void Canvas::fill(const Rect& rect, const Ink& ink) {
    set_ink(device_->context, ink);
    cairo_rectangle(device_->context, rect.x, rect.y, rect.width, rect.height);
    cairo_fill(device_->context);
}

void Canvas::frame(const Rect& rect, const Stroke& stroke) {
    set_stroke(stroke);
    cairo_rectangle(device_->context, rect.x, rect.y, rect.width, rect.height);
    cairo_stroke(device_->context);
}

void Canvas::polyline(std::span<const Point> points, const Stroke& stroke) {
    set_stroke(stroke);
    trace(device_->context, points);
    cairo_stroke(device_->context);
}

void Canvas::polygon(std::span<const Point> corners, const Ink& ink) {
    set_ink(device_->context, ink);
    trace(device_->context, corners);
    cairo_close_path(device_->context);
    cairo_fill(device_->context);
}

void Canvas::band(std::span<const Point> lower, std::span<const Point> upper, const Ink& ink) {
    std::vector<Point> outline(upper.begin(), upper.end());
    outline.insert(outline.end(), lower.rbegin(), lower.rend());
    polygon(outline, ink);
}

void Canvas::cells(const Rect& rect, int columns, int rows, const std::vector<Rgb>& colors) {
    // Many pixels a cell: viewers that smooth images then smooth only a cell's rim. They compress well.
    const int side = std::max(1, kImagePixels / std::max(columns, rows));
    cairo_surface_t* image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, columns * side, rows * side);
    cairo_surface_flush(image);
    unsigned char* data = cairo_image_surface_get_data(image);
    const int stride = cairo_image_surface_get_stride(image);
    for (int y = 0; data != nullptr && y < rows * side; ++y)
        for (int x = 0; x < columns * side; ++x) {
            const Rgb color = colors[y / side * columns + x / side];
            const uint32_t pixel = (static_cast<uint32_t>(color.r) << 16U) | (static_cast<uint32_t>(color.g) << 8U) |
                                   static_cast<uint32_t>(color.b);
            std::memcpy(data + static_cast<ptrdiff_t>(y) * stride + static_cast<ptrdiff_t>(x) * 4, &pixel,
                        sizeof pixel);
        }
    cairo_surface_mark_dirty(image);
    cairo_save(device_->context);
    cairo_translate(device_->context, rect.x, rect.y);
    cairo_scale(device_->context, rect.width / (columns * side), rect.height / (rows * side));
    cairo_set_source_surface(device_->context, image, 0.0, 0.0);
    cairo_pattern_set_filter(cairo_get_source(device_->context), CAIRO_FILTER_NEAREST);
    cairo_paint(device_->context);
    cairo_restore(device_->context);
    cairo_surface_destroy(image);
}

void Canvas::disc(Point center, double radius, const Ink& ink) {
    set_ink(device_->context, ink);
    cairo_new_path(device_->context);
    cairo_arc(device_->context, center.x, center.y, radius, 0.0, 2.0 * std::numbers::pi);
    cairo_fill(device_->context);
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
    select_font(device_->context, style);
    const double width = advance_of(device_->context, line);
    const double shift = align == Align::left ? 0.0 : align == Align::center ? -width / 2 : -width;
    if (format_ == FileFormat::svg) {
        svg_text_ += svg_text_element(set_text(line), {baseline, shift, width, quarter_turns}, style);
        return;
    }
    cairo_save(device_->context);
    cairo_translate(device_->context, baseline.x, baseline.y);
    cairo_rotate(device_->context, -quarter_turns * std::numbers::pi / 2.0);
    cairo_move_to(device_->context, shift, 0.0);
    set_ink(device_->context, style.ink);
    cairo_show_text(device_->context, set_text(line).c_str());
    cairo_restore(device_->context);
}

double Canvas::text_width(const std::string& line, const TextStyle& style) const {
    select_font(device_->context, style);
    return advance_of(device_->context, line);
}

void Canvas::clip(const Rect& rect) {
    cairo_save(device_->context);
    cairo_rectangle(device_->context, rect.x, rect.y, rect.width, rect.height);
    cairo_clip(device_->context);
}

void Canvas::unclip() { cairo_restore(device_->context); }

void Canvas::check_status() const {
    cairo_status_t status = cairo_status(device_->context);
    if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(device_->surface);
    if (status != CAIRO_STATUS_SUCCESS)
        throw IoError(fmt::format("the figure cannot be drawn: {}", cairo_text(status)));
}

PixelImage Canvas::finish_pixels() {
    check(format_ == FileFormat::png, "only a picture of pixels has pixels");
    check_status();
    cairo_surface_flush(device_->surface);
    PixelImage image;
    image.width = cairo_image_surface_get_width(device_->surface);
    image.height = cairo_image_surface_get_height(device_->surface);
    const unsigned char* data = cairo_image_surface_get_data(device_->surface);
    const auto stride = static_cast<size_t>(cairo_image_surface_get_stride(device_->surface));
    for (size_t y = 0; y < static_cast<size_t>(image.height); ++y)
        for (size_t x = 0; x < static_cast<size_t>(image.width); ++x) {
            uint32_t rgb = 0;  // Cairo's is 0x00RRGGBB in the machine's own order of bytes
            std::memcpy(&rgb, data + y * stride + 4 * x, sizeof rgb);
            image.pixels.push_back(0xFF000000U | (rgb & 0xFFU) << 16 | (rgb & 0xFF00U) | (rgb >> 16 & 0xFFU));
        }
    return image;
}

std::string Canvas::finish() {
    if (format_ != FileFormat::png) cairo_show_page(device_->context);
    check_status();
    if (format_ == FileFormat::png) cairo_surface_write_to_png_stream(device_->surface, append_bytes, &bytes_);
    cairo_surface_finish(device_->surface);
    if (const cairo_status_t status = cairo_surface_status(device_->surface); status != CAIRO_STATUS_SUCCESS)
        throw IoError(fmt::format("the figure cannot be drawn: {}", cairo_text(status)));
    if (format_ == FileFormat::svg) return finished_svg(bytes_, svg_text_, metadata_);
    if (format_ == FileFormat::png) return finished_png(bytes_, pixels_per_point_ * kPointsInInch, metadata_);
    return std::move(bytes_);
}

}  // namespace emergence::page
