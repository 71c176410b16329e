#pragma once
// The pen that draws pictures, its colours and its lengths. One function draws each picture; the window's pen passes it
// on to Dear ImGui, a page's pen to Cairo.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace emergence {

// The colours of curves and matrices, shared by the window and the exporter, so that a panel and its file look alike.

/// Series::color holds colour + kDashedColors * pattern.
inline constexpr int kDashedColors = 100'000;

/// How many patterns differ; larger numbers start over.
inline constexpr int kDashPatterns = 32;

/// The number (Series::color) of dashed lines in a colour and a dash pattern; 0 is the usual pattern, which a plain
/// colour has too. categorical() gives the colour.
int in_dashes(int color, int dashes);
/// The pattern in such a number. When the colours start over, the pattern changes, so the 13th line does not look like
/// the first.
int dashes_of(int color);
/// How often the categorical colours have started over before this one.
int repeats_of(int color);

/// The lengths that a dashed line draws and skips in turn, in the unit of the drawing code. Their number is even.
std::span<const double> dash_pattern(int dashes);

/// A course of hues: from light blue to deep blue, or from orange to deep red.
enum class Course { blues, reds };

/// The number (Series::color) of the `i`-th of `count` ordered things, clamped to 0 <= i < count <= 64. categorical()
/// turns it into a colour.
int ordinal_color(Course course, int i, int count);

/// The number of the same thing along the other course; any other colour stays.
int other_course(int color);

/// The background of the colours: the window's light or dark one, or paper (light).
enum class Theme { light, dark };

/// An sRGB colour.
struct Rgb {
    uint8_t r = 0, g = 0, b = 0;
    bool operator==(const Rgb&) const = default;
};

/// A colour in OKLCh, the cylindrical form of the perceptual space OKLab (Ottosson 2020): lightness 0..1,
/// chroma, hue in degrees. Equal steps look about equally large.
struct Lch {
    double lightness = 0.0, chroma = 0.0, hue = 0.0;
};

/// The number of different categorical colours; larger indices start over.
inline constexpr int kNumCategorical = 12;

/// The colour of series number `index` (any integer; Series::color). The hues are blue, orange, green, rose, amber,
/// sky, violet, grey, brown, indigo, plum, lime. Lightness differs as well, so that protanopes and deuteranopes can
/// distinguish any two. Prefer the first eight, which are easier to distinguish than all twelve.
Rgb categorical(int index, Theme theme);

/// The colours of a matrix: equidistant control points, joined by straight lines in OKLab. A diverging map shows signed
/// values, -1 at the first point and +1 at the last, with equal lightness on both sides. A sequential map shows
/// magnitudes, 0 at the first point and 1 at the last. Zero is close to the theme's background.
struct ColorMap {
    bool diverging = false;
    std::vector<Lch> light, dark;
};

/// The colours of signed values and of magnitudes. Both are safe for protanopes and deuteranopes.
const ColorMap& diverging_map();
const ColorMap& sequential_map();

/// The colour of `t`, in units of the limit: -1..1 for a diverging map, 0..1 for a sequential one. Clamps values
/// outside; NaN gives missing().
Rgb color_of(const ColorMap& map, double t, Theme theme);

/// color_of for many cells: looks the colours up in steps of 1/256.
class ColorRamp {
  public:
    ColorRamp(const ColorMap& map, Theme theme);
    Rgb operator()(double t) const;

  private:
    bool diverging_;
    Rgb missing_;
    std::vector<Rgb> colors_;
};

/// True if black is easier to read on `ground` than white.
bool is_bright(Rgb ground);

/// The grey of a cell without a value, which no map contains. Drawing code hatches such cells as well.
Rgb missing(Theme theme);

// Points and rectangles on the page: in points (1/72 inch), y downwards from the upper left corner.

struct Point {
    double x = 0.0, y = 0.0;
    bool operator==(const Point&) const = default;
};

struct Segment {
    Point from, to;
};

struct Rect {
    double x = 0.0, y = 0.0, width = 0.0, height = 0.0;

    double right() const { return x + width; }
    double bottom() const { return y + height; }
    Point center() const { return {x + width / 2, y + height / 2}; }
    Rect grown(double by) const { return {x - by, y - by, width + 2 * by, height + 2 * by}; }
    bool overlaps(const Rect& other) const {
        return x < other.right() && other.x < right() && y < other.bottom() && other.y < bottom();
    }
};

struct Size {
    double width = 0.0, height = 0.0;
};

struct Insets {
    double left = 0.0, top = 0.0, right = 0.0, bottom = 0.0;

    /// What is left of `outer`, but never less than a few points.
    Rect inside(const Rect& outer) const {
        constexpr double kSmallest = 8.0;
        return {outer.x + left, outer.y + top, std::max(kSmallest, outer.width - left - right),
                std::max(kSmallest, outer.height - top - bottom)};
    }
};

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
    int dashes = 0;     // see dash_pattern()
    double dash = 0.0;  // the length of the pattern's unit; 0: in proportion to the width
};

struct TextStyle {
    double size = 8.0;  // The size of the font. The window has few sizes and takes a near one.
    Ink ink;
    bool bold = false;
    double leading = 1.3;  // the distance from line to line, as a multiple of the size

    double line_height() const { return leading * size; }
    /// How far a capital rises above the baseline, and how far a p descends below it, in DejaVu Sans.
    double ascent() const { return 0.76 * size; }
    double descent() const { return 0.24 * size; }
};

/// The part of a line of text that lies at its place.
enum class Align { left, center, right };
enum class Level { baseline, top, middle, bottom };

class TextRuler {
  public:
    virtual ~TextRuler() = default;
    /// The width of one line.
    virtual double text_width(const std::string& line, const TextStyle& style) const = 0;
    double widest(const std::vector<std::string>& lines, const TextStyle& style) const;
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

struct LineLook {
    double width = 1.0;
    double alpha = 1.0;
    double dash = 0.0;  // Stroke::dash of those that are dashed

    Stroke stroke(const Ink& ink, bool dashed = false, int dashes = 0) const {
        return {ink.faded(alpha), width, dashed, dashes, dash};
    }
};

struct MatrixStyle {
    TextStyle text;  // the text of block labels and of the numbers of rows and columns
    /// The gaps between cells and row labels, between cells and the baseline of column labels, and between column
    /// labels.
    double row_gap = 0.0, column_gap = 0.0, labels_apart = 0.0;
    /// How many numbers of rows or columns there are at most, and the length that each takes.
    int most_numbers = 6;
    double number_height = 0.0, number_width = 0.0;
    Stroke frame, border, bar;  // the lines around the matrix, between its blocks and around the colour bar
    Stroke hatching;
    double hatch_spacing = 5.0;
    /// The radius of the largest mark of a cell, and of the smallest that still has a shape.
    double mark_radius = 3.0, least_mark = 1.2;
    /// The thickness of a mark at a cell's edge: its share of the cell's lane, and its limits.
    double edge_share = 0.2, least_edge = 0.0, most_edge = 1e9;
    /// The numbers in cells and their colours on bright and on dark cells. A cell must be wider than its number by the
    /// pad, and higher by half the pad.
    TextStyle number;
    Ink on_bright, on_dark;
    double number_pad = 4.0;
    /// The numbers of the colour bar: their gap to an upright bar and to a lying one, and how far they reach beyond its
    /// ends.
    TextStyle bar_text;
    double bar_gap = 5.0, lying_bar_gap = 6.0, bar_over = 2.0;
    Ink track, norm;  // the strip that shows the norm
    Stroke norm_mark;
};

/// The samples in a plot's legend.
struct LegendStyle {
    TextStyle text;
    double width = 16.0;
    LineLook line, marked_line, dashed, thin;
    double marker = 3.0, point = 3.0;  // the radii of a mark on a line and of one alone
    double patch = 0.0;                // how opaque the patch behind the line of a series with a band is; 0: none
    Ink note;                          // the colour of the sample for the highlighted seed
};

struct PlotStyle {
    /// The texts of the axes' numbers, of labels on lines and ranges, and of the note on what the drawing leaves out.
    TextStyle tick, label, note;
    Ink label_ground, note_ground;  // the ground under labels and under the note
    Ink shade;                      // the fill of shaded ranges
    Stroke grid, minor_grid;
    Stroke axis;  // the axes: a frame, or two lines with ticks outside
    bool framed = false;
    double tick_length = 0.0, minor_tick_length = 0.0;
    /// From the axes to their numbers, and between two numbers of the x axis.
    double x_number_gap = 0.0, y_number_gap = 0.0, numbers_apart = 8.0;
    Stroke reference;
    /// The gaps between labels and the axes' edges, between a reference line and its label, and below the upper edge.
    double gap = 4.0, line_gap = 1.0, top_gap = 2.0;
    bool turns_labels = false;  // labels of upright lines are read from below
    bool live = false;          // the data moves, so labels do not keep off it
    /// How many columns per length a line is thinned to, as it is drawn and as an obstacle.
    double columns = 1.0, obstacle_columns = 1.0;

    LineLook center, dashed, seed, raw, highlighted, bars;
    double seeds_behind = 0.25;    // how opaque seeds are beside a highlighted one
    double band = 0.2, bar = 0.3;  // how opaque bands and filled bars are
    /// The radii of marks on measured points, of a point alone and of sparse marks; and the least distances between
    /// marks.
    double marker = 3.0, dot = 3.0, sparse_marker = 4.0;
    double markers_apart = 9.0, sparse_apart = 84.0;
    /// The chevrons where a line leaves a cut axis: half their width, their distance from the edge, the width of their
    /// line, and the least distance between two.
    double exit = 5.0, exit_gap = 2.0, exit_line = 2.0, exits_apart = 40.0;
    double emphasis = 1.0;  // how much thicker the line under the pointer is
    LegendStyle legend;
};

struct PictureStyle {
    Theme theme = Theme::light;
    double unit = 1.0;  // one unit of the design, in points or pixels
    bool snap = false;  // lines along the axes lie on whole pixels

    Ink ink, faint;   // the colour of text and axes, and that of notes and captions
    TextStyle label;  // the smallest text in a drawing
    LineLook shape;   // the lines of drawings
    MatrixStyle matrix;
    PlotStyle plot;

    /// How to spell names, and the numbers of axes.
    std::string (*spelled)(std::string_view) = [](std::string_view name) { return std::string(name); };
    std::string (*number)(std::string_view) = [](std::string_view digits) { return std::string(digits); };

    double snapped(double coordinate) const { return snap ? std::round(coordinate) : coordinate; }
};

// What already lies in a plot, so legends and labels can keep off it.

struct Obstacles {
    std::vector<std::vector<Point>> lines;
    std::vector<std::vector<Point>> areas;  // Polygons. Only their insides count: their edges are lines.
    std::vector<Rect> boxes;

    /// How much of `rect` is in the way, in points of covered line; 0 if it covers nothing.
    double covered_by(const Rect& rect) const;
};

/// Start positions for intervals of the given `extents` near their `centers` (ascending), inside [0, length] and at
/// least `gap` apart. If they cannot all fit, each keeps its centre, and those that would overlap an earlier one are
/// NaN (left out).
std::vector<double> place_side_by_side(const std::vector<double>& centers, const std::vector<double>& extents,
                                       double length, double gap);

/// Spelled-out Greek as letters, apostrophes as primes and hyphens of numbers as minus signs: "gamma phi' -1" becomes
/// "γ φ′ −1". Whole words only.
std::string greek(std::string_view label);

}  // namespace emergence
