#include "core/pictures/drawing.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace emergence {

double value_at(const DrawnHandle& handle, double height) {
    const double low = handle.lower.second, high = handle.upper.second;
    const double share = high > low ? std::clamp((height - low) / (high - low), 0.0, 1.0) : 0.0;
    const double value = handle.minimum + share * (handle.maximum - handle.minimum);
    if (handle.step <= 0.0) return value;
    // For a step such as 0.01 divide whole numbers: the result then has a short text.
    const double inverse = std::round(1.0 / handle.step);
    const double rounded = std::abs(inverse * handle.step - 1.0) < 1e-9
                               ? std::round(value * inverse) / inverse
                               : std::round(value / handle.step) * handle.step;
    return std::clamp(rounded, handle.minimum, handle.maximum);
}

DrawnShape drawn_line(std::vector<DrawnPlace> places, int color, double width) {
    DrawnShape shape;
    shape.kind = DrawnShape::Kind::line;
    shape.places = std::move(places);
    shape.color = color;
    shape.width = width;
    return shape;
}

DrawnShape drawn_arrow(DrawnPlace from, DrawnPlace to, int color, double width) {
    DrawnShape shape = drawn_line({from, to}, color, width);
    shape.arrow = true;
    return shape;
}

DrawnShape drawn_box(DrawnPlace lower, DrawnPlace upper, int color) {
    DrawnShape shape;
    shape.kind = DrawnShape::Kind::polygon;
    shape.places = {lower, {upper.first, lower.second}, upper, {lower.first, upper.second}};
    shape.color = color;
    return shape;
}

DrawnShape drawn_disc(DrawnPlace center, double radius, int color) {
    DrawnShape shape;
    shape.kind = DrawnShape::Kind::disc;
    shape.places = {center};
    shape.radius = radius;
    shape.color = color;
    return shape;
}

DrawnShape drawn_label(DrawnPlace at, std::string text, int color) {
    DrawnShape shape;
    shape.kind = DrawnShape::Kind::label;
    shape.places = {at};
    shape.text = std::move(text);
    shape.color = color;
    return shape;
}

DrawingFit fit_drawing(const DrawingSpec& drawing, const Rect& room) {
    const double across = std::max(1e-9, drawing.right - drawing.left);
    const double up = std::max(1e-9, drawing.top - drawing.bottom);
    DrawingFit fit;
    fit.scale = std::max(1e-9, std::min(room.width / across, room.height / up));
    fit.x = room.x + (room.width - fit.scale * across) / 2 - fit.scale * drawing.left;
    fit.y = room.y + (room.height + fit.scale * up) / 2 + fit.scale * drawing.bottom;
    return fit;
}

std::vector<Point> arrow_head(Point from, Point to, double length) {
    const double dx = to.x - from.x, dy = to.y - from.y;
    const double distance = std::max(1e-12, std::hypot(dx, dy));
    const double ux = dx / distance * length, uy = dy / distance * length;
    constexpr double kHalfWidth = 0.42;  // of the length
    return {to,
            {to.x - ux - kHalfWidth * uy, to.y - uy + kHalfWidth * ux},
            {to.x - ux + kHalfWidth * uy, to.y - uy - kHalfWidth * ux}};
}

}  // namespace emergence
