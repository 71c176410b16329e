#pragma once
// The pen that draws pictures. What a picture consists of is written once; the window's pen draws with Dear ImGui, a
// page's with Cairo.

#include <span>
#include <string>
#include <vector>

#include "core/pictures/geometry.h"
#include "core/pictures/palette.h"

namespace emergence {

/// A colour with its opacity, 0 to 1.
struct Ink {
    constexpr Ink() = default;
    constexpr Ink(Rgb of, double opacity = 1.0) : color(of), alpha(opacity) {}

    Rgb color;
    double alpha = 1.0;

    /// The same colour, `share` as opaque.
    Ink faded(double share) const { return {color, alpha * share}; }
};

struct Stroke {
    Ink ink;
    double width = 0.7;
    bool dashed = false;
    /// See dash_pattern().
    int dashes = 0;
    /// The length of the pattern's unit; 0: in proportion to the width.
    double dash = 0.0;
};

struct TextStyle {
    /// Of the font. The window has few sizes and takes a near one.
    double size = 8.0;
    Ink ink;
    bool bold = false;
    /// From line to line, in sizes.
    double leading = 1.3;

    double line_height() const { return leading * size; }
    /// Of a capital and of a p in DejaVu Sans.
    double ascent() const { return 0.76 * size; }
    double descent() const { return 0.24 * size; }
};

/// The part of a line of text that is at its place: across, and upright.
enum class Align { left, center, right };
enum class Level { baseline, top, middle, bottom };

/// Knows how wide text will be.
class TextRuler {
  public:
    virtual ~TextRuler() = default;
    /// Of one line.
    virtual double text_width(const std::string& line, const TextStyle& style) const = 0;
    /// Lines no wider than `limit`, broken at spaces and at '\n'; a word that is wider is broken between characters.
    /// No line for an empty text.
    std::vector<std::string> wrap(const std::string& text, const TextStyle& style, double limit) const;
    /// The same without broken words: the longest may be wider than `limit`.
    std::vector<std::string> wrap_words(const std::string& text, const TextStyle& style, double limit) const;
};

/// Draws in order, in points of a page or pixels of a window: y downwards.
class Pen : public TextRuler {
  public:
    virtual void fill(const Rect& rect, const Ink& ink) = 0;
    virtual void frame(const Rect& rect, const Stroke& stroke) = 0;
    virtual void polyline(std::span<const Point> points, const Stroke& stroke) = 0;
    /// Convex; clockwise, the window draws it with smooth edges.
    virtual void polygon(std::span<const Point> corners, const Ink& ink) = 0;
    /// The area between two lines with the same x.
    virtual void band(std::span<const Point> lower, std::span<const Point> upper, const Ink& ink) = 0;
    virtual void disc(Point center, double radius, const Ink& ink) = 0;
    /// The mark of the series with this colour index (marker_outline), within a circle; an open one is an outline.
    virtual void marker(Point center, double radius, int color_index, const Ink& ink, bool open = false) = 0;
    /// `quarter_turns` anticlockwise about `at`.
    virtual void text(const std::string& line, Point at, const TextStyle& style, Align align = Align::left,
                      Level level = Level::baseline, int quarter_turns = 0) = 0;
    /// Until unclip(), nothing is drawn outside `rect` (in SVG: nothing but text). Clips nest.
    virtual void clip(const Rect& rect) = 0;
    virtual void unclip() = 0;

    void line(Point from, Point to, const Stroke& stroke) {
        const Point ends[] = {from, to};
        polyline(ends, stroke);
    }
};

}  // namespace emergence
