#pragma once
// A page to draw on, and the sizes and greys of a published figure. Text stays text in PDF and SVG.

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/export/export.h"
#include "core/pictures/pen.h"

namespace emergence::page {

inline constexpr const char* kFontFamily = "DejaVu Sans";

inline constexpr Rgb kInk{26, 26, 26};       // text and axes
inline constexpr Rgb kFaintInk{90, 90, 90};  // notes, captions, reference lines
inline constexpr Rgb kBorder{60, 60, 60};    // around matrices and their blocks
inline constexpr Rgb kHatch{140, 140, 140};  // over blocks that never change, and missing cells
inline constexpr Rgb kGrid{226, 226, 226};
inline constexpr Rgb kTrack{226, 226, 226};  // behind a norm
inline constexpr Rgb kPaper{255, 255, 255};

/// All lengths are in points.
struct Style {
    double scale = 1.0;

    TextStyle figure_title() const { return {11.5 * scale, kInk, true}; }
    TextStyle caption() const { return {8.0 * scale, kFaintInk, false}; }
    TextStyle title() const { return {9.0 * scale, kInk, true}; }
    TextStyle axis() const { return {8.5 * scale, kInk, false}; }
    TextStyle tick() const { return {7.5 * scale, kInk, false}; }
    TextStyle legend() const { return {7.5 * scale, kInk, false}; }
    TextStyle note() const { return {7.0 * scale, kFaintInk, false}; }
    TextStyle block() const { return {8.5 * scale, kInk, false}; }

    double margin() const { return 10.0 * scale; }    // around the page
    double cell_gap() const { return 14.0 * scale; }  // between cells
    double gap() const { return 3.0 * scale; }        // between things that belong together
    double axis_line() const { return 0.7 * scale; }
    double grid_line() const { return 0.5 * scale; }
    double series_line() const { return 1.4 * scale; }
    double thin_line() const { return 0.5 * scale; }
    double tick_length() const { return 3.0 * scale; }
    double minor_tick_length() const { return 1.8 * scale; }

    PictureStyle picture() const;
};

/// A line as it is set. Unseen characters are spelled, and a letter's index is set low: "TD(α_l)" has a small l.
std::string set_text(const std::string& line);

/// Measures text before a page exists.
class TextMeter final : public TextRuler {
  public:
    TextMeter();
    ~TextMeter() override;

    double text_width(const std::string& line, const TextStyle& style) const override;

  private:
    struct Device;
    std::unique_ptr<Device> device_;
};

/// What a file says about itself.
struct Metadata {
    std::string title;
    std::string config;            // embedded, so that it can be read back
    std::string description = {};  // describes the pictures for readers who do not see them
};

/// Says where a line of text goes. `shift` and `width` run along the line, from `baseline`.
struct TextPlace {
    Point baseline;
    double shift = 0.0;
    double width = 0.0;
    int quarter_turns = 0;  // anticlockwise
};

/// One page. Coordinates are points from the upper left corner. Everything is drawn in order, except that in
/// SVG text lies above the rest.
class Canvas : public Pen {
  public:
    void fill(const Rect& rect, const Ink& ink) final;
    void frame(const Rect& rect, const Stroke& stroke) final;
    void polyline(std::span<const Point> points, const Stroke& stroke) final;
    void polygon(std::span<const Point> corners, const Ink& ink) final;
    void band(std::span<const Point> lower, std::span<const Point> upper, const Ink& ink) final;
    void marker(Point center, double radius, int color_index, const Ink& ink, bool open = false) final;
    void text(const std::string& line, Point at, const TextStyle& style, Align align = Align::left,
              Level level = Level::baseline, int quarter_turns = 0) final;
    double text_width(const std::string& line, const TextStyle& style) const final;

    /// Draws a raster of flat cells, row by row from the top. Their edges are sharp at any size.
    virtual void cells(const Rect& rect, int columns, int rows, const std::vector<Rgb>& colors) = 0;
    /// Returns the file's bytes, which are the same for the same drawing, and ends the page. Throws IoError if the page
    /// is too large for memory.
    virtual std::string finish() = 0;
    /// Returns a page of pixels as pixels, and nothing of any other page.
    virtual PixelImage pixels() { return {}; }

    // The functions above are made of these.
    virtual void fill_area(std::span<const Point> corners, const Ink& ink) = 0;
    virtual void draw_stroke(std::span<const Point> points, bool closed, const Stroke& stroke) = 0;
    virtual void set_line(const std::string& line, const TextPlace& place, const TextStyle& style) = 0;

  private:
    TextMeter meter_;
};

/// Makes a white page, PDF or SVG or a file with so many pixels per point. Throws IoError if this program has none.
std::unique_ptr<Canvas> make_canvas(double width, double height, FileFormat format, const Metadata& metadata = {},
                                    double pixels_per_point = 1.0);

// Each kind of page implements these.
std::unique_ptr<Canvas> make_svg_canvas(double width, double height, const Metadata& metadata);
/// Uses Cairo, or in a browser the browser's own canvas.
std::unique_ptr<Canvas> make_painted_canvas(double width, double height, FileFormat format, const Metadata& metadata,
                                            double pixels_per_point);
/// The lengths of a stroke's dashes and gaps in turn. An unbroken stroke has none.
std::vector<double> dash_lengths(const Stroke& stroke);
/// Draws a raster with many pixels per cell. Viewers that smooth images then smooth only a cell's rim, and the raster
/// still compresses well.
PixelImage raster_of(int columns, int rows, const std::vector<Rgb>& colors);

/// Rounds a coordinate to a thousandth, and moves what is far outside nearer.
inline std::string short_number(double coordinate) {
    return fmt::format("{}", std::round(std::clamp(coordinate, -2e4, 2e4) * 1e3) / 1e3 + 0.0);
}

inline std::string svg_path(std::span<const Point> points, bool closed) {
    std::string path;
    for (const Point& point : points)
        path += fmt::format("{}{} {}", path.empty() ? 'M' : 'L', short_number(point.x), short_number(point.y));
    return closed ? path + 'Z' : path;
}

}  // namespace emergence::page
