#pragma once
// A picture made of lines, polygons, discs and labels in its own coordinates: a cart with its pole, a drawn MRP.
// Window and exporter draw the same shapes.

#include <string>
#include <utility>
#include <vector>

#include "core/pictures/pen.h"

namespace emergence {

/// A place in a drawing: x to the right, y upwards.
using DrawnPlace = std::pair<double, double>;

/// Colours of a shape besides those of the categorical palette (0 and above).
inline constexpr int kInkColor = -1;    // as text
inline constexpr int kFaintColor = -2;  // as axes and captions

/// One shape. A kind uses only the members that its comment names.
struct DrawnShape {
    enum class Kind {
        line,     // through `places`, `width` thick; `arrow`, `dashed`
        polygon,  // convex and filled, with the corners `places` in order
        disc,     // filled, centred at places[0], of `radius`
        /// `text`, centred at places[0], or beginning there if there are two places. It is `radius` high, but never
        /// smaller than small text.
        label,
    };
    Kind kind = Kind::line;
    std::vector<DrawnPlace> places;
    int color = kInkColor;
    double radius = 0.0;  // in the drawing's units; 0 for a label: small text
    double width = 1.0;   // as a multiple of the width of plots' lines
    bool arrow = false;   // the line has a head at its end
    bool dashed = false;
    std::string text = {};

    bool operator==(const DrawnShape&) const = default;
};

struct DrawnNumber {
    std::string name;
    double value = 0.0;
    std::string unit = {};

    bool operator==(const DrawnNumber&) const = default;
};

/// A rectangle in a drawing that the pointer can drag or click. It sets a live field of the run, and the next snapshot
/// draws the effect. Not exported.
struct DrawnHandle {
    std::string name;  // The name of the number in its field, e.g. "r3"; also for logs.
    std::string help;  // its meaning, its value and how to change it
    std::string field;
    DrawnPlace lower, upper;  // the lower left and upper right corners of the rectangle
    double value = 0.0;
    /// Dragging up and down sets the number `name` of a text field (core/base/text.h) by the height:
    /// `minimum` at the lower corner, `maximum` at the upper one, in whole steps. A double click removes the number
    /// from the field. With step 0 a click sets a whole-number field to `value`.
    double minimum = 0.0, maximum = 0.0, step = 0.0;
    bool changed = false;  // the field holds this number

    bool operator==(const DrawnHandle&) const = default;
};

/// One moment as a drawing. Both axes have the same scale; the bounds clip the shapes.
struct DrawingSpec {
    std::string id, title;
    double left = 0.0, right = 1.0, bottom = 0.0, top = 1.0;
    std::vector<DrawnShape> shapes;         // later shapes lie over earlier ones
    std::vector<DrawnNumber> numbers;       // exported as data
    std::string readout;                    // the present values that matter, in one line
    std::string note;                       // help text: the meaning of the drawing
    std::vector<DrawnHandle> handles = {};  // the last handle under the pointer receives the drag or click

    bool operator==(const DrawingSpec&) const = default;
};

/// The value that a handle sets at this height of the drawing, within its range and rounded to its step.
double value_at(const DrawnHandle& handle, double height);

DrawnShape drawn_line(std::vector<DrawnPlace> places, int color, double width = 1.0);
DrawnShape drawn_arrow(DrawnPlace from, DrawnPlace to, int color, double width = 1.0);
/// An axis-parallel box, from its lower left to its upper right corner.
DrawnShape drawn_box(DrawnPlace lower, DrawnPlace upper, int color);
DrawnShape drawn_disc(DrawnPlace center, double radius, int color);
DrawnShape drawn_label(DrawnPlace at, std::string text, int color = kInkColor);

/// Maps a drawing's places into a rectangle of a page or window (y downwards): centred and as large as fits.
struct DrawingFit {
    double scale = 1.0;       // the length of the drawing's unit
    double x = 0.0, y = 0.0;  // the place of the drawing's origin

    Point at(const DrawnPlace& place) const { return {x + scale * place.first, y - scale * place.second}; }
};
DrawingFit fit_drawing(const DrawingSpec& drawing, const Rect& room);

/// The three corners of the head, `length` long, of an arrow that ends at `to`. Arbitrary if `from` equals `to`.
std::vector<Point> arrow_head(Point from, Point to, double length);

/// The smallest 1, 1.5, 2, 3, 5 or 7.5 times a power of ten that is not below `value`, so that an axis stays still
/// while values move. 1 if `value` is not finite or not above 0.
double round_limit(double value);

/// A label of the height that charts use, but never smaller than small text.
DrawnShape small_label(DrawnPlace at, std::string text, int color = kFaintColor);

/// A chart in the coordinates of its drawing. Each function adds one part to the drawing: limits to the left, within
/// kLimitsWidth, columns' names below, the heading above.
struct BarChart {
    static constexpr double kLimitsWidth = 0.55;

    double left, bottom, width, height;
    double low, high;  // the values at the lower and upper edge
    int columns;

    double pitch() const { return width / columns; }
    double x(int column) const { return left + pitch() * column; }
    /// The height of a value, clamped to the limits.
    double y(double value) const;

    void heading(DrawingSpec& drawing, const std::string& text) const;
    /// Adds the line of 0 and the columns' names, with column `chosen` in ink. Names that are too long become numbers;
    /// narrow columns get only every second, third, ... name.
    void frame(DrawingSpec& drawing, const std::vector<std::string>& names, int chosen = -1) const;
    void limits(DrawingSpec& drawing) const;
    /// Adds a bar from 0 to `value`, over `share` of the column's width from `from` on; none if `value` is not finite.
    void bar(DrawingSpec& drawing, int column, double from, double share, double value, int color) const;
    /// A handle over the whole column for the number `name` of a field of named numbers; `changed`: the field holds it.
    DrawnHandle handle(int column, const char* field, std::string name, const std::string& what, double value,
                       double step, bool changed) const;
};

/// Draws the shapes into `room`, centred, as large as fits, cut at the drawing's bounds; a label moves inwards rather
/// than being cut. Returns where the drawing's places lie.
DrawingFit draw_shapes(Pen& pen, const DrawingSpec& drawing, const Rect& room, const PictureStyle& style);

Rect bounds_of(const DrawingSpec& drawing, const DrawingFit& fit);

}  // namespace emergence
