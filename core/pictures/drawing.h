#pragma once
// A picture made of lines, polygons, discs and words in coordinates of its own: a cart with its pole, a drawn
// MRP. Window and exporter draw the same shapes.

#include <string>
#include <utility>
#include <vector>

namespace emergence {

/// A place in a drawing: x to the right, y upwards.
using DrawnPlace = std::pair<double, double>;

/// Colours of a shape besides the categorical palette's (0 and above).
inline constexpr int kInkColor = -1;    // that of text
inline constexpr int kFaintColor = -2;  // that of axes and captions

/// One shape; a kind uses the fields that its comment names.
struct DrawnShape {
    enum class Kind {
        line,     // through `places`, `width` thick; `arrow`, `dashed`
        polygon,  // corners `places`, in order, convex; filled
        disc,     // about places[0], of `radius`; filled
        label,    // `text`, its middle at places[0], `radius` high and never smaller than small text
    };
    Kind kind = Kind::line;
    std::vector<DrawnPlace> places;
    int color = kInkColor;
    double radius = 0.0;  // in the drawing's units; 0 for a label: small text
    double width = 1.0;   // in points, times what plots' lines have
    bool arrow = false;   // the line has a head at its end
    bool dashed = false;
    std::string text = {};
};

/// A number that can be read off a drawing.
struct DrawnNumber {
    std::string name;
    double value = 0.0;
    std::string unit = {};
};

/// A place in a drawing that the pointer can take hold of. It sets a live field of the run; the next snapshot
/// draws what follows from that. No part of what is exported.
struct DrawnHandle {
    std::string name;         // of the number in its field, "r3"; and for logs
    std::string help;         // what it is, what it is now, how it is changed
    std::string field;        // what it sets
    DrawnPlace lower, upper;  // lower left and upper right corner of where it can be taken hold of
    double value = 0.0;
    /// Dragged up and down it sets the number `name` of a text field (core/base/named_numbers.h) to what the
    /// height says, `minimum` at the lower corner and `maximum` at the upper one, in whole steps; a double
    /// click takes the number out of the field. With step 0 a click sets a whole-number field to `value`.
    double minimum = 0.0, maximum = 0.0, step = 0.0;
    bool changed = false;  // its number stands in the field
};

/// A moment. Both axes have the same scale; what is outside the bounds is cut off.
struct DrawingSpec {
    std::string id;
    std::string title;
    double left = 0.0, right = 1.0, bottom = 0.0, top = 1.0;  // what is in sight
    std::vector<DrawnShape> shapes;                           // later ones lie over earlier ones
    std::vector<DrawnNumber> numbers;                         // exported as data
    std::string readout;                                      // what matters just now, one line
    std::string note;                                         // help: what is drawn
    std::vector<DrawnHandle> handles = {};                    // the last that is under the pointer counts
};

/// What a handle with steps says at this height of the drawing: within its range.
double value_at(const DrawnHandle& handle, double height);

DrawnShape drawn_line(std::vector<DrawnPlace> places, int color, double width = 1.0);
DrawnShape drawn_arrow(DrawnPlace from, DrawnPlace to, int color, double width = 1.0);
/// Axis-parallel, from its lower left to its upper right corner.
DrawnShape drawn_box(DrawnPlace lower, DrawnPlace upper, int color);
DrawnShape drawn_disc(DrawnPlace center, double radius, int color);
DrawnShape drawn_label(DrawnPlace at, std::string text, int color = kInkColor);

/// Where a drawing's places lie in a rectangle of a page or window (y downwards): as large as it fits,
/// centred.
struct DrawingFit {
    double scale = 1.0;       // of a unit
    double x = 0.0, y = 0.0;  // of the drawing's origin

    DrawnPlace at(const DrawnPlace& place) const {
        return {x + scale * place.first, y - scale * place.second};
    }
};
DrawingFit fit_drawing(const DrawingSpec& drawing, double left, double top, double width, double height);

/// The three corners of the head of an arrow that ends at `to`, `length` long. Anything where both are one.
std::vector<DrawnPlace> arrow_head(const DrawnPlace& from, const DrawnPlace& to, double length);

}  // namespace emergence
