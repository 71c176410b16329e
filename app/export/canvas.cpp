#include "app/export/canvas.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>

#include "app/export/cell_picture.h"
#include "app/export/pixel_files.h"
#include "core/base/text.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/bytes.h"
#include "core/pictures/axis.h"
#include "core/pictures/pen.h"

namespace emergence::page {
namespace {

constexpr int kRasterPixels = 900;  // the longer side of a raster of cells

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
            const auto& [r, g, b] = colors[y / side * columns + x / side];
            image.pixels.push_back(0xFF000000U | static_cast<uint32_t>(b) << 16U | static_cast<uint32_t>(g) << 8U | r);
        }
    return image;
}

std::unique_ptr<Canvas> make_canvas(double width, double height, FileFormat format, const Metadata& metadata,
                                    double pixels_per_point) {
    auto canvas = format == FileFormat::svg ? make_svg_canvas(width, height, metadata)
                                            : make_painted_canvas(width, height, format, metadata, pixels_per_point);
    // The white reaches over the edge, so that a last pixel that is only partly on the page is white as well.
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

// Writes a page as SVG. Every shape is a path, and every line of text is an element above the shapes.

namespace {

// XML forbids control characters, even escaped ones.
std::string xml_text(const std::string& text) { return markup_text(shown_lines(text)); }

std::string color_text(const Ink& ink) {
    return fmt::format("#{:02x}{:02x}{:02x}", ink.color.r, ink.color.g, ink.color.b);
}

std::string opacity_of(const char* attribute, const Ink& ink) {
    return ink.alpha < 1.0 ? fmt::format(" {}=\"{}\"", attribute, short_number(ink.alpha)) : "";
}

// Stands in ids until the whole file is known. Then a hash of the file replaces it, because two pictures on one web
// page share their ids.
constexpr char kOwnMark = '\x1a';

// This is FNV-1a.
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
    // The text states its width, so that a substitute font cannot make it overlap its neighbours.
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

namespace {

PlotStyle plot_style(const Style& page) {
    PlotStyle plot;
    plot.tick = page.tick();
    plot.label = plot.note = page.note();
    plot.label_ground = plot.note_ground = {kPaper, 0.92};
    plot.shade = {kFaintInk, 0.13};
    plot.grid = {kGrid, page.grid_line()};
    plot.minor_grid.width = 0.0;
    plot.axis = {kInk, page.axis_line()};
    plot.tick_length = page.tick_length();
    plot.minor_tick_length = page.minor_tick_length();
    plot.x_number_gap = page.tick_length() + page.gap();
    plot.y_number_gap = page.tick_length() + 0.7 * page.gap();
    plot.numbers_apart = 0.7 * page.tick().size;
    plot.reference = {kFaintInk, page.axis_line(), true};
    plot.gap = plot.line_gap = plot.top_gap = page.gap() / 2;
    plot.turns_labels = true;
    // The resolution is 288 dots per inch.
    plot.columns = 4.0;
    plot.obstacle_columns = 0.5;
    const double line = page.series_line();
    plot.center = plot.dashed = {line};
    plot.seed = {page.thin_line(), 0.5};
    plot.seeds_behind = 0.35;
    plot.raw = {page.thin_line(), 0.35};
    plot.highlighted = {1.2 * page.axis_line()};
    plot.bars = {page.axis_line()};
    plot.marker = plot.dot = 1.3 * line;
    plot.sparse_marker = 1.8 * line;
    plot.markers_apart = 4.5 * line;
    plot.sparse_apart = 47.0 * line;
    plot.exit = 2.5 * page.scale;
    plot.exit_gap = 1.2 * page.scale;
    plot.exit_line = 0.8 * line;
    plot.exits_apart = 20.0 * page.scale;
    plot.legend = {page.legend(),      16.0 * page.scale, plot.center, plot.center, plot.dashed,
                   {page.axis_line()}, 1.8 * line,        1.3 * line,  0.2,         kInk};
    return plot;
}

}  // namespace

PictureStyle Style::picture() const {
    PictureStyle style;
    style.unit = scale;
    style.ink = kInk;
    style.faint = kFaintInk;
    style.label = axis();
    style.spelled = greek;
    style.shape = {series_line()};
    MatrixStyle& matrix = style.matrix;
    matrix.text = block();
    matrix.row_gap = matrix.column_gap = 2 * gap();
    matrix.labels_apart = gap();
    matrix.frame = {kBorder, axis_line()};
    matrix.border = {kBorder, 0.7 * axis_line()};
    matrix.bar = {kBorder, grid_line()};
    matrix.hatching = {kHatch, 0.5 * grid_line()};
    matrix.hatch_spacing = 5.0 * scale;
    matrix.mark_radius = 3.0 * scale;
    matrix.least_mark = 1.2 * scale;
    matrix.number = tick();
    matrix.on_dark = kPaper;
    matrix.number_pad = gap();
    matrix.bar_text = tick();
    matrix.bar_gap = matrix.lying_bar_gap = gap();
    matrix.bar_over = gap() / 2;
    matrix.track = kTrack;
    matrix.norm = kFaintInk;
    matrix.norm_mark = {categorical(1, Theme::light), 1.2 * scale};
    style.plot = plot_style(*this);
    style.number = [](std::string_view number) { return with_minus(std::string(number)); };
    return style;
}

}  // namespace emergence::page
