#pragma once
// A page to draw on, over Cairo. Text stays text in PDF and SVG.

#include <memory>
#include <string>
#include <vector>

#include "app/export/export.h"
#include "app/export/style.h"
#include "core/pictures/pen.h"

namespace emergence::page {

struct Device;  // a Cairo surface with its context

/// Measures text before there is a page.
class TextMeter final : public TextRuler {
  public:
    TextMeter();
    ~TextMeter() override;
    TextMeter(const TextMeter&) = delete;
    TextMeter& operator=(const TextMeter&) = delete;

    double text_width(const std::string& line, const TextStyle& style) const override;

  private:
    std::unique_ptr<Device> device_;
};

/// What a file says about itself.
struct Metadata {
    std::string title;
    std::string config;  // embedded, to be read back
};

/// One page. Coordinates are points from the upper left corner. Everything is drawn in order, except that in
/// SVG text lies above the rest.
class Canvas final : public Pen {
  public:
    Canvas(double width, double height, FileFormat format, Metadata metadata, int dots_per_inch = 150);
    /// For finish_pixels().
    Canvas(double width, double height, double pixels_per_point);
    ~Canvas() override;
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;

    void fill(const Rect& rect, const Ink& ink) override;
    void frame(const Rect& rect, const Stroke& stroke) override;
    void polyline(std::span<const Point> points, const Stroke& stroke) override;
    void polygon(std::span<const Point> corners, const Ink& ink) override;
    void band(std::span<const Point> lower, std::span<const Point> upper, const Ink& ink) override;
    void disc(Point center, double radius, const Ink& ink) override;
    void marker(Point center, double radius, int color_index, const Ink& ink, bool open = false) override;
    void text(const std::string& line, Point at, const TextStyle& style, Align align = Align::left,
              Level level = Level::baseline, int quarter_turns = 0) override;
    double text_width(const std::string& line, const TextStyle& style) const override;
    void clip(const Rect& rect) override;
    void unclip() override;
    /// A raster of flat cells, row by row from the top, with sharp edges at any size.
    void cells(const Rect& rect, int columns, int rows, const std::vector<Rgb>& colors);

    /// The file's bytes, the same for the same drawing. Ends the page. Throws IoError where Cairo refuses (a
    /// page too large for memory, text that is not UTF-8).
    std::string finish();
    /// The same as pixels, of a canvas that was made for them.
    PixelImage finish_pixels();

  private:
    Canvas(double width, double height, FileFormat format, double pixels_per_point, Metadata metadata);
    void set_stroke(const Stroke& stroke);
    void check_status() const;

    FileFormat format_;
    double pixels_per_point_;
    Metadata metadata_;
    std::string bytes_;
    std::string svg_text_;  // <text> elements: Cairo 1.16 would write outlines
    std::unique_ptr<Device> device_;
};

}  // namespace emergence::page
