// Draws a page with Cairo, as PDF or as pixels.
#include <cairo-pdf.h>
#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "app/export/canvas.h"
#include "app/export/pixel_files.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/files/atomic_write.h"

namespace emergence {

std::span<const FileFormat> writable_formats() { return kFileFormats; }

}  // namespace emergence

namespace emergence::page {

/// A surface and what draws on it. It is not in an unnamed namespace because TextMeter::Device in a header contains it.
struct Surface {
    explicit Surface(cairo_surface_t* made) : surface(made), context(cairo_create(made)) {}
    ~Surface() {
        cairo_destroy(context);
        cairo_surface_destroy(surface);
    }
    Surface(const Surface&) = delete;
    Surface& operator=(const Surface&) = delete;

    cairo_surface_t* surface;
    cairo_t* context;
};

namespace {

constexpr double kPointsInInch = 72.0;

cairo_status_t append_bytes(void* text, const unsigned char* data, unsigned int length) {
    static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
}

/// Fonts are unhinted, so that text is as wide on every surface as the layout was told.
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

cairo_surface_t* make_surface(bool pdf, double width, double height, double pixels_per_point, std::string& bytes) {
    if (pdf) return cairo_pdf_surface_create_for_stream(append_bytes, &bytes, width, height);
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::ceil(width * pixels_per_point)),
                                      static_cast<int>(std::ceil(height * pixels_per_point)));
}

// Converts between 0xAABBGGRR and Cairo's 0x00RRGGBB, which has the machine's own order of bytes.
uint32_t swapped(uint32_t pixel) { return (pixel & 0xFFU) << 16 | (pixel & 0xFF00U) | (pixel >> 16 & 0xFFU); }

void set_pdf_metadata(cairo_surface_t* surface, const Metadata& metadata) {
    const auto set = [&](cairo_pdf_metadata_t key, const std::string& value) {
        if (!value.empty()) cairo_pdf_surface_set_metadata(surface, key, value.c_str());
    };
    set(CAIRO_PDF_METADATA_TITLE, shown_lines(metadata.title));
    set(CAIRO_PDF_METADATA_KEYWORDS, shown_lines(metadata.config));
    set(CAIRO_PDF_METADATA_CREATOR, "Emergence " + version());
    // The date is fixed, so that the same figure gives the same file.
    set(CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
}

void set_ink(cairo_t* context, const Ink& ink) {
    const auto& [color, alpha] = ink;
    cairo_set_source_rgba(context, color.r / 255.0, color.g / 255.0, color.b / 255.0, alpha);
}

// Cairo's coordinates are fixed-point numbers, so points far outside the page are moved nearer.
double on_page(double coordinate) { return std::clamp(coordinate, -2e4, 2e4); }

void trace(cairo_t* context, std::span<const Point> points) {
    cairo_new_path(context);
    for (const Point& point : points) cairo_line_to(context, on_page(point.x), on_page(point.y));
}

class CairoCanvas final : public Canvas {
  public:
    CairoCanvas(double width, double height, FileFormat format, const Metadata& metadata, double pixels_per_point)
        : is_pdf_(format == FileFormat::pdf),
          pixels_per_point_(pixels_per_point),
          metadata_(metadata),
          page_(make_surface(is_pdf_, width, height, pixels_per_point, bytes_)) {
        if (is_pdf_)
            set_pdf_metadata(page_.surface, metadata);
        else
            cairo_scale(context_, pixels_per_point, pixels_per_point);
        use_unhinted_fonts(context_);
        cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
    }

    void disc(Point center, double radius, const Ink& ink) override;
    void clip(const Rect& rect) override {
        cairo_save(context_);
        cairo_rectangle(context_, rect.x, rect.y, rect.width, rect.height);
        cairo_clip(context_);
    }
    void unclip() override { cairo_restore(context_); }
    void cells(const Rect& rect, int columns, int rows, const std::vector<Rgb>& colors) override;
    std::string finish() override;
    PixelImage pixels() override;

  private:
    void fill_area(std::span<const Point> corners, const Ink& ink) override;
    void draw_stroke(std::span<const Point> points, bool closed, const Stroke& stroke) override;
    void set_line(const std::string& line, const TextPlace& place, const TextStyle& style) override;
    void check_status() const;

    bool is_pdf_;
    double pixels_per_point_;
    Metadata metadata_;
    std::string bytes_;
    Surface page_;
    cairo_t* context_ = page_.context;
};

void CairoCanvas::fill_area(std::span<const Point> corners, const Ink& ink) {
    set_ink(context_, ink);
    trace(context_, corners);
    cairo_close_path(context_);
    cairo_fill(context_);
}

void CairoCanvas::draw_stroke(std::span<const Point> points, bool closed, const Stroke& stroke) {
    set_ink(context_, stroke.ink);
    cairo_set_line_width(context_, stroke.width);
    const std::vector<double> dashes = dash_lengths(stroke);
    cairo_set_dash(context_, dashes.data(), static_cast<int>(dashes.size()), 0.0);
    trace(context_, points);
    if (closed) cairo_close_path(context_);
    cairo_stroke(context_);
}

void CairoCanvas::cells(const Rect& rect, int columns, int rows, const std::vector<Rgb>& colors) {
    const PixelImage raster = raster_of(columns, rows, colors);
    cairo_surface_t* image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, raster.width, raster.height);
    cairo_surface_flush(image);
    unsigned char* data = cairo_image_surface_get_data(image);
    const auto stride = static_cast<size_t>(cairo_image_surface_get_stride(image));
    for (size_t i = 0, width = static_cast<size_t>(raster.width); data != nullptr && i < raster.pixels.size(); ++i) {
        const uint32_t pixel = swapped(raster.pixels[i]);
        std::memcpy(data + i / width * stride + 4 * (i % width), &pixel, sizeof pixel);
    }
    cairo_surface_mark_dirty(image);
    cairo_save(context_);
    cairo_translate(context_, rect.x, rect.y);
    cairo_scale(context_, rect.width / raster.width, rect.height / raster.height);
    cairo_set_source_surface(context_, image, 0.0, 0.0);
    cairo_pattern_set_filter(cairo_get_source(context_), CAIRO_FILTER_NEAREST);
    cairo_paint(context_);
    cairo_restore(context_);
    cairo_surface_destroy(image);
}

void CairoCanvas::disc(Point center, double radius, const Ink& ink) {
    set_ink(context_, ink);
    cairo_new_path(context_);
    cairo_arc(context_, center.x, center.y, radius, 0.0, 2.0 * std::numbers::pi);
    cairo_fill(context_);
}

void CairoCanvas::set_line(const std::string& line, const TextPlace& place, const TextStyle& style) {
    select_font(context_, style);
    cairo_save(context_);
    cairo_translate(context_, place.baseline.x, place.baseline.y);
    cairo_rotate(context_, -place.quarter_turns * std::numbers::pi / 2.0);
    cairo_move_to(context_, place.shift, 0.0);
    set_ink(context_, style.ink);
    cairo_show_text(context_, line.c_str());
    cairo_restore(context_);
}

void CairoCanvas::check_status() const {
    cairo_status_t status = cairo_status(context_);
    if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(page_.surface);
    if (status != CAIRO_STATUS_SUCCESS)
        throw IoError("the figure cannot be drawn: {}",
                      status == CAIRO_STATUS_NO_MEMORY ? out_of_memory_text() : cairo_status_to_string(status));
}

PixelImage CairoCanvas::pixels() {
    check_status();
    cairo_surface_flush(page_.surface);
    PixelImage image{cairo_image_surface_get_width(page_.surface), cairo_image_surface_get_height(page_.surface), {}};
    const unsigned char* data = cairo_image_surface_get_data(page_.surface);
    const auto stride = static_cast<size_t>(cairo_image_surface_get_stride(page_.surface));
    for (size_t y = 0; y < static_cast<size_t>(image.height); ++y)
        for (size_t x = 0; x < static_cast<size_t>(image.width); ++x) {
            uint32_t pixel = 0;
            std::memcpy(&pixel, data + y * stride + 4 * x, sizeof pixel);
            image.pixels.push_back(0xFF000000U | swapped(pixel));
        }
    return image;
}

std::string CairoCanvas::finish() {
    if (!is_pdf_) return png_of(pixels(), metadata_.title, metadata_.config, pixels_per_point_ * kPointsInInch);
    cairo_show_page(context_);
    check_status();
    cairo_surface_finish(page_.surface);
    check_status();
    return std::move(bytes_);
}

}  // namespace

struct TextMeter::Device : Surface {
    using Surface::Surface;
};

TextMeter::TextMeter() : device_(std::make_unique<Device>(cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1))) {
    use_unhinted_fonts(device_->context);
}

TextMeter::~TextMeter() = default;

double TextMeter::text_width(const std::string& line, const TextStyle& style) const {
    select_font(device_->context, style);
    cairo_text_extents_t extents;
    cairo_text_extents(device_->context, set_text(line).c_str(), &extents);
    return extents.x_advance;
}

std::unique_ptr<Canvas> make_painted_canvas(double width, double height, FileFormat format, const Metadata& metadata,
                                            double pixels_per_point) {
    return std::make_unique<CairoCanvas>(width, height, format, metadata, pixels_per_point);
}

}  // namespace emergence::page
