// Draws pages of pixels with the browser's own canvas, without Cairo.
#include <emscripten.h>
#include <fmt/format.h>

#include <cmath>

#include "app/export/canvas.h"
#include "app/export/pixel_files.h"
#include "app/web/outlines.h"
#include "core/base/error.h"

// These functions paint on an invisible canvas of the thread that calls them.
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
namespace {

constexpr double kDotsInInch = 72.0;

std::string color_of(const Ink& ink) {
    return fmt::format("rgba({},{},{},{:.3f})", ink.color.r, ink.color.g, ink.color.b, ink.alpha);
}

class PaperCanvas final : public Canvas {
  public:
    PaperCanvas(double width, double height, FileFormat format, Metadata metadata, double pixels_per_point)
        : columns_(static_cast<int>(std::ceil(width * pixels_per_point))),
          rows_(static_cast<int>(std::ceil(height * pixels_per_point))),
          pixels_per_point_(pixels_per_point),
          metadata_(std::move(metadata)) {
        if (format != FileFormat::png) throw IoError("a browser writes figures as SVG or PNG");
        if (paper_begin(columns_, rows_, pixels_per_point) == 0)
            throw IoError("this browser cannot draw pictures as pixels. Export SVG");
    }

    void disc(Point center, double radius, const Ink& ink) override {
        const std::string path =
            fmt::format("M{0:.3f} {1:.3f}a{2:.3f} {2:.3f} 0 1 0 {3:.3f} 0a{2:.3f} {2:.3f} 0 1 0 {4:.3f} 0Z",
                        center.x - radius, center.y, radius, 2.0 * radius, -2.0 * radius);
        paper_fill(path.c_str(), color_of(ink).c_str());
    }
    void clip(const Rect& rect) override {
        const Point corners[] = {
            {rect.x, rect.y}, {rect.right(), rect.y}, {rect.right(), rect.bottom()}, {rect.x, rect.bottom()}};
        paper_clip(svg_path(corners, true).c_str());
    }
    void unclip() override { paper_unclip(); }
    // Each cell overlaps its neighbours a little, so no seams show.
    void cells(const Rect& rect, int columns, int rows, const std::vector<Rgb>& colors) override {
        const double width = rect.width / columns, height = rect.height / rows;
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column)
                fill({rect.x + column * width, rect.y + row * height, width * (column + 1 < columns ? 1.02 : 1.0),
                      height * (row + 1 < rows ? 1.02 : 1.0)},
                     colors[row * columns + column]);
    }
    PixelImage pixels() override {
        PixelImage image{columns_, rows_, {}};
        image.pixels.resize(static_cast<size_t>(columns_) * static_cast<size_t>(rows_));
        paper_end(image.pixels.data(), columns_, rows_);
        return image;
    }
    std::string finish() override {
        return png_of(pixels(), metadata_.title, metadata_.config, pixels_per_point_ * kDotsInInch);
    }

  private:
    void fill_area(std::span<const Point> corners, const Ink& ink) override {
        if (!corners.empty()) paper_fill(svg_path(corners, true).c_str(), color_of(ink).c_str());
    }
    void draw_stroke(std::span<const Point> points, bool closed, const Stroke& stroke) override {
        if (points.empty()) return;
        std::string dashes;
        for (const double length : dash_lengths(stroke)) dashes += short_number(length) + " ";
        paper_stroke(svg_path(points, closed).c_str(), color_of(stroke.ink).c_str(), stroke.width, dashes.c_str());
    }
    void set_line(const std::string& line, const TextPlace& place, const TextStyle& style) override {
        paper_fill(outline_font(style.bold).path(line, place, style.size).c_str(), color_of(style.ink).c_str());
    }

    int columns_, rows_;
    double pixels_per_point_;
    Metadata metadata_;
};

}  // namespace

struct TextMeter::Device {};
TextMeter::TextMeter() = default;
TextMeter::~TextMeter() = default;

double TextMeter::text_width(const std::string& line, const TextStyle& style) const {
    return outline_font(style.bold).width(set_text(line)) * style.size;
}

std::unique_ptr<Canvas> make_painted_canvas(double width, double height, FileFormat format, const Metadata& metadata,
                                            double pixels_per_point) {
    return std::make_unique<PaperCanvas>(width, height, format, metadata, pixels_per_point);
}

}  // namespace emergence::page
