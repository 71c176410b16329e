#include "core/pictures/draw_shapes.h"

namespace emergence {
namespace {

constexpr double kHeadLength = 5.0;  // of an arrow, in widths of its line

Ink ink_of(const DrawnShape& shape, const PictureStyle& style) {
    if (shape.color == kInkColor) return style.ink;
    if (shape.color == kFaintColor) return style.faint;
    return categorical(shape.color, style.theme);
}

void draw_line_shape(Pen& pen, const DrawnShape& shape, std::vector<Point> points, const PictureStyle& style) {
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
void draw_label(Pen& pen, const DrawnShape& shape, Point at, double height, const Rect& bounds,
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

void draw_shape(Pen& pen, const DrawnShape& shape, const DrawingFit& fit, const Rect& bounds,
                const PictureStyle& style) {
    std::vector<Point> points;
    for (const DrawnPlace& place : shape.places) points.push_back(fit.at(place));
    if (points.empty()) return;
    switch (shape.kind) {
        case DrawnShape::Kind::line:
            return draw_line_shape(pen, shape, std::move(points), style);
        case DrawnShape::Kind::polygon:
            return pen.polygon(points, ink_of(shape, style));
        case DrawnShape::Kind::disc:
            return pen.disc(points[0], shape.radius * fit.scale, ink_of(shape, style));
        case DrawnShape::Kind::label:
            return draw_label(pen, shape, points[0], shape.radius * fit.scale, bounds, style);
    }
}

}  // namespace

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
