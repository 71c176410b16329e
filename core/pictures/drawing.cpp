#include "core/pictures/drawing.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/ranges.h"
#include "core/pictures/axis.h"

namespace emergence {
double value_at(const DrawnHandle& handle, double height) {
    const double low = handle.lower.second, high = handle.upper.second;
    const double share = high > low ? std::clamp((height - low) / (high - low), 0.0, 1.0) : 0.0;
    const double value = handle.minimum + share * (handle.maximum - handle.minimum);
    if (handle.step <= 0.0) return value;
    // For a step such as 0.01 divide whole numbers: the result then has a short text.
    const double inverse = std::round(1.0 / handle.step);
    const double rounded = std::abs(inverse * handle.step - 1.0) < 1e-9 ? std::round(value * inverse) / inverse
                                                                        : std::round(value / handle.step) * handle.step;
    return std::clamp(rounded, handle.minimum, handle.maximum);
}

DrawnShape drawn_line(std::vector<DrawnPlace> places, int color, double width) {
    return {.kind = DrawnShape::Kind::line, .places = std::move(places), .color = color, .width = width};
}

DrawnShape drawn_arrow(DrawnPlace from, DrawnPlace to, int color, double width) {
    DrawnShape shape = drawn_line({from, to}, color, width);
    shape.arrow = true;
    return shape;
}

DrawnShape drawn_box(DrawnPlace lower, DrawnPlace upper, int color) {
    return {.kind = DrawnShape::Kind::polygon,
            .places = {lower, {upper.first, lower.second}, upper, {lower.first, upper.second}},
            .color = color};
}

DrawnShape drawn_disc(DrawnPlace center, double radius, int color) {
    return {.kind = DrawnShape::Kind::disc, .places = {center}, .color = color, .radius = radius};
}

DrawnShape drawn_label(DrawnPlace at, std::string text, int color) {
    return {.kind = DrawnShape::Kind::label, .places = {at}, .color = color, .text = std::move(text)};
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

double round_limit(double value) {
    if (!(value > 0.0) || !std::isfinite(value)) return 1.0;
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double step : {1.0, 1.5, 2.0, 3.0, 5.0, 7.5})
        if (value <= step * power) return step * power;
    return 10.0 * power;
}

DrawnShape small_label(DrawnPlace at, std::string text, int color) {
    DrawnShape shape = drawn_label(at, std::move(text), color);
    shape.radius = 0.2;
    return shape;
}

double BarChart::y(double value) const { return bottom + height * (std::clamp(value, low, high) - low) / (high - low); }

void BarChart::heading(DrawingSpec& drawing, const std::string& text) const {
    drawing.shapes.push_back(small_label({left + width / 2, bottom + height + 0.2}, text, kInkColor));
}

void BarChart::frame(DrawingSpec& drawing, const std::vector<std::string>& names, int chosen) const {
    drawing.shapes.push_back(drawn_line({{left, y(0.0)}, {left + width, y(0.0)}}, kFaintColor, 0.5));
    const int every = std::max(1, static_cast<int>(std::ceil(0.32 / pitch())));
    for (int k = 0; k < columns; k += every) {
        const std::string& name = names[k];
        const bool fits = 0.12 * static_cast<double>(name.size()) < pitch() * every;
        drawing.shapes.push_back(small_label({x(k) + pitch() / 2, bottom - 0.17},
                                             fits ? name : fmt::format("{}", k + 1),
                                             k == chosen ? kInkColor : kFaintColor));
    }
}

void BarChart::limits(DrawingSpec& drawing) const {
    const double at = left - kLimitsWidth / 2;
    drawing.shapes.push_back(small_label({at, bottom + height - 0.08}, readout(high)));
    drawing.shapes.push_back(small_label({at, y(0.0)}, "0"));
    if (low < 0.0) drawing.shapes.push_back(small_label({at, bottom + 0.08}, readout(low)));
}

void BarChart::bar(DrawingSpec& drawing, int column, double from, double share, double value, int color) const {
    if (!std::isfinite(value)) return;
    const double edge = x(column) + from * pitch(), end = y(value), zero = y(0.0);
    drawing.shapes.push_back(
        drawn_box({edge, std::min(end, zero)}, {edge + share * pitch(), std::max(end, zero)}, color));
}

DrawnHandle BarChart::handle(int column, const char* field, std::string name, const std::string& what, double value,
                             double step, bool changed) const {
    return {.name = std::move(name),
            .help = fmt::format("{}: {}{}", what, readout(value),
                                changed ? ", changed; double-click to undo" : ". Drag it"),
            .field = field,
            .lower = {x(column), bottom},
            .upper = {x(column) + pitch(), bottom + height},
            .value = value,
            .minimum = low,
            .maximum = high,
            .step = step,
            .changed = changed};
}

constexpr double kHeadLength = 5.0;  // of an arrow, in widths of its line

static Ink ink_of(const DrawnShape& shape, const PictureStyle& style) {
    if (shape.color == kInkColor) return style.ink;
    if (shape.color == kFaintColor) return style.faint;
    return categorical(shape.color, style.theme);
}

static void draw_line_shape(Pen& pen, const DrawnShape& shape, std::vector<Point> points, const PictureStyle& style) {
    if (points.size() < 2) return;
    const Ink ink = ink_of(shape, style);
    Stroke stroke = style.shape.stroke(ink, shape.dashed);
    stroke.width *= shape.width;
    if (!shape.arrow) return pen.polyline(points, stroke);
    const std::vector<Point> head = arrow_head(points[points.size() - 2], points.back(), kHeadLength * stroke.width);
    // The line ends inside its head, or it would be blunt.
    points.back() = {(head[1].x + head[2].x) / 2, (head[1].y + head[2].y) / 2};
    pen.polyline(points, stroke);
    pen.polygon(head, ink);
}

// Half of "-2.4 m" says something else.
static void draw_label(Pen& pen, const DrawnShape& shape, Point at, double height, const Rect& bounds,
                       const PictureStyle& style) {
    TextStyle text = style.label;
    text.ink = ink_of(shape, style);
    text.size = std::max(text.size, height);
    const double half = pen.text_width(shape.text, text) / 2 + style.unit;
    if (shape.places.size() > 1) at.x += half;  // it begins there
    if (at.x >= bounds.x && at.x <= bounds.right() && bounds.width >= 2 * half)
        at.x = std::clamp(at.x, bounds.x + half, bounds.right() - half);
    pen.text(shape.text, at, text, Align::center, Level::middle);
}

static void draw_shape(Pen& pen, const DrawnShape& shape, const DrawingFit& fit, const Rect& bounds,
                       const PictureStyle& style) {
    std::vector<Point> points = mapped(shape.places, [&](const DrawnPlace& place) { return fit.at(place); });
    if (points.empty()) return;
    const Ink ink = ink_of(shape, style);
    const double radius = shape.radius * fit.scale;
    if (shape.kind == DrawnShape::Kind::line) draw_line_shape(pen, shape, std::move(points), style);
    if (shape.kind == DrawnShape::Kind::polygon) pen.polygon(points, ink);
    if (shape.kind == DrawnShape::Kind::disc) pen.disc(points[0], radius, ink);
    if (shape.kind == DrawnShape::Kind::label) draw_label(pen, shape, points[0], radius, bounds, style);
}

Rect bounds_of(const DrawingSpec& drawing, const DrawingFit& fit) {
    const Point upper_left = fit.at({drawing.left, drawing.top});
    const Point lower_right = fit.at({drawing.right, drawing.bottom});
    return {upper_left.x, upper_left.y, lower_right.x - upper_left.x, lower_right.y - upper_left.y};
}

DrawingFit draw_shapes(Pen& pen, const DrawingSpec& drawing, const Rect& room, const PictureStyle& style) {
    const DrawingFit fit = fit_drawing(drawing, room);
    const Rect bounds = bounds_of(drawing, fit);
    pen.clip(bounds);
    for (const DrawnShape& shape : drawing.shapes) draw_shape(pen, shape, fit, bounds, style);
    pen.unclip();
    return fit;
}

}  // namespace emergence
