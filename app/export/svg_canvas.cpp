// A page as SVG: every shape is a path, every line of text an element above them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/export/canvas.h"
#include "app/export/png.h"
#include "app/export/svg_path.h"
#include "core/base/text.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/bytes.h"

namespace emergence::page {
namespace {

// XML has no control characters, not even escaped.
std::string xml_text(const std::string& text) { return markup_text(shown_lines(text)); }

std::string color_text(const Ink& ink) {
    return fmt::format("#{:02x}{:02x}{:02x}", ink.color.r, ink.color.g, ink.color.b);
}

std::string opacity_of(const char* attribute, const Ink& ink) {
    return ink.alpha < 1.0 ? fmt::format(" {}=\"{}\"", attribute, short_number(ink.alpha)) : "";
}

// Stands in an id for what no other figure has, until the whole is known: two pictures on one web page share their ids.
constexpr char kOwnMark = '\x1a';

// FNV-1a.
uint64_t hash_of(std::string_view text) {
    uint64_t hash = 0xCBF29CE484222325U;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
    return hash;
}

class SvgCanvas final : public Canvas {
  public:
    SvgCanvas(double width, double height, Metadata metadata)
        : width_(width), height_(height), metadata_(std::move(metadata)) {}

    void disc(Point center, double radius, const Ink& ink) override {
        shapes_ +=
            fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"{}/>\n", short_number(center.x),
                        short_number(center.y), short_number(radius), color_text(ink), opacity_of("fill-opacity", ink));
    }
    void clip(const Rect& rect) override {
        shapes_ += fmt::format(
            "<clipPath id=\"clip{0}{5}\"><rect x=\"{1}\" y=\"{2}\" width=\"{3}\" height=\"{4}\"/></clipPath>\n"
            "<g clip-path=\"url(#clip{0}{5})\">\n",
            ++clips_, short_number(rect.x), short_number(rect.y), short_number(rect.width), short_number(rect.height),
            kOwnMark);
    }
    void unclip() override { shapes_ += "</g>\n"; }
    void cells(const Rect& rect, int columns, int rows, const std::vector<Rgb>& colors) override {
        const std::string png = png_of(raster_of(columns, rows, colors), "", "");
        shapes_ += fmt::format(
            "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" "
            "style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{}\"/>\n",
            short_number(rect.x), short_number(rect.y), short_number(rect.width), short_number(rect.height),
            base64(as_bytes(png)));
    }
    std::string finish() override {
        const std::string config = metadata_.config.empty() ? ""
                                                            : fmt::format("<metadata id=\"{}\">{}</metadata>\n",
                                                                          kSettingsKey, xml_text(metadata_.config));
        const std::string own = fmt::format("-{:016x}", hash_of(metadata_.title + config + shapes_ + texts_));
        for (size_t at = 0; (at = shapes_.find(kOwnMark, at)) != std::string::npos;) shapes_.replace(at, 1, own);
        return fmt::format(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}pt\" height=\"{1}pt\" viewBox=\"0 0 {0} {1}\" "
            "role=\"img\">\n<title>{2}</title>\n<desc>{7}</desc>\n{3}<g stroke-linejoin=\"round\">\n{4}</g>\n"
            "<g font-family=\"'{5}', Verdana, sans-serif\">\n{6}</g>\n</svg>\n",
            short_number(width_), short_number(height_), xml_text(metadata_.title), config, shapes_, kFontFamily,
            texts_, xml_text(metadata_.description));
    }

  private:
    void fill_area(std::span<const Point> corners, const Ink& ink) override {
        if (!corners.empty())
            shapes_ += fmt::format("<path d=\"{}\" fill=\"{}\"{}/>\n", svg_path(corners, true), color_text(ink),
                                   opacity_of("fill-opacity", ink));
    }
    void draw_stroke(std::span<const Point> points, bool closed, const Stroke& stroke) override {
        if (points.empty()) return;
        std::string dashes;
        for (const double length : dash_lengths(stroke)) dashes += " " + short_number(length);
        if (!dashes.empty()) dashes = fmt::format(" stroke-dasharray=\"{}\"", dashes.substr(1));
        shapes_ += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}{}/>\n",
                               svg_path(points, closed), color_text(stroke.ink), short_number(stroke.width),
                               opacity_of("stroke-opacity", stroke.ink), dashes);
    }
    // It states its width, so that a substitute font cannot make it overlap its neighbours.
    void set_line(const std::string& line, const TextPlace& place, const TextStyle& style) override {
        const std::string turn = place.quarter_turns == 0 ? "" : fmt::format(" rotate({})", -90 * place.quarter_turns);
        texts_ += fmt::format(
            "<text transform=\"translate({:.2f} {:.2f}){}\" x=\"{:.2f}\" font-size=\"{:.2f}\"{} fill=\"{}\" "
            "textLength=\"{:.2f}\" lengthAdjust=\"spacingAndGlyphs\">{}</text>\n",
            place.baseline.x, place.baseline.y, turn, place.shift, style.size,
            style.bold ? " font-weight=\"bold\"" : "", color_text(style.ink), place.width, xml_text(line));
    }

    double width_, height_;
    Metadata metadata_;
    std::string shapes_, texts_;
    int clips_ = 0;
};

}  // namespace

std::unique_ptr<Canvas> make_svg_canvas(double width, double height, const Metadata& metadata) {
    return std::make_unique<SvgCanvas>(width, height, metadata);
}

}  // namespace emergence::page
