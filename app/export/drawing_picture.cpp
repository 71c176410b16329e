#include "app/export/drawing_picture.h"

#include <algorithm>
#include <cmath>

#include "app/export/titles.h"

namespace emergence::page {
namespace {

Rgb color_of_shape(const DrawnShape& shape) {
    if (shape.color == kInkColor) return kInk;
    if (shape.color == kFaintColor) return kFaintInk;
    return categorical(shape.color, Theme::light);
}

std::vector<Point> points_of(const std::vector<DrawnPlace>& places) {
    std::vector<Point> points;
    for (const auto& [x, y] : places) points.push_back({x, y});
    return points;
}

}  // namespace

DrawingPicture::DrawingPicture(const DrawingSpec& drawing, const Rect& cell, const Style& style,
                               const TextMeter& meter)
    : drawing_(drawing),
      cell_(cell),
      style_(style),
      meter_(meter),
      readout_(meter.wrap(drawing.readout, style.note(), cell.width)) {}

std::vector<std::string> DrawingPicture::title_lines() const {
    return meter_.wrap(drawing_.title, style_.title(), cell_.width);
}

double DrawingPicture::title_height() const {
    return static_cast<double>(title_lines().size()) * style_.title().line_height();
}

Insets DrawingPicture::insets() const {
    return {0.0, style_.gap(), 0.0,
            style_.gap() + static_cast<double>(readout_.size()) * style_.note().line_height()};
}

void DrawingPicture::draw_shape(Canvas& canvas, const DrawnShape& shape, const DrawingFit& fit) const {
    std::vector<DrawnPlace> places;
    for (const DrawnPlace& place : shape.places) places.push_back(fit.at(place));
    if (places.empty()) return;
    const Rgb color = color_of_shape(shape);
    const double width = shape.width * style_.series_line();
    switch (shape.kind) {
        case DrawnShape::Kind::line: {
            if (places.size() < 2) return;
            const double head = 5.0 * width;
            const DrawnPlace tip = places.back();
            const auto corners = arrow_head(places[places.size() - 2], tip, head);
            // The line ends inside its head, or it would be blunt.
            if (shape.arrow)
                places.back() = {(corners[1].first + corners[2].first) / 2,
                                 (corners[1].second + corners[2].second) / 2};
            canvas.polyline(points_of(places), {color, width, 1.0, shape.dashed});
            if (shape.arrow) canvas.polygon(points_of(corners), color, 1.0);
            return;
        }
        case DrawnShape::Kind::polygon:
            canvas.polygon(points_of(places), color, 1.0);
            return;
        case DrawnShape::Kind::disc:
            canvas.disc({places[0].first, places[0].second}, shape.radius * fit.scale, color);
            return;
        case DrawnShape::Kind::label: {
            TextStyle text = style_.axis();
            text.color = color;
            text.size = std::max(text.size, shape.radius * fit.scale);
            canvas.text(shape.text, {places[0].first, places[0].second + text.ascent() / 2}, text,
                        Align::center);
            return;
        }
    }
}

void DrawingPicture::draw(Canvas& canvas, const Rect& area, double title_bottom) const {
    draw_title(canvas, title_lines(), cell_, cell_.center().x, title_bottom, style_.title(), meter_);
    const DrawingFit fit = fit_drawing(drawing_, area.x, area.y, area.width, area.height);
    const DrawnPlace upper_left = fit.at({drawing_.left, drawing_.top});
    const DrawnPlace lower_right = fit.at({drawing_.right, drawing_.bottom});
    canvas.clip({upper_left.first, upper_left.second, lower_right.first - upper_left.first,
                 lower_right.second - upper_left.second});
    for (const DrawnShape& shape : drawing_.shapes) draw_shape(canvas, shape, fit);
    canvas.unclip();
    double baseline = lower_right.second + style_.gap() + style_.note().line_height();
    for (const std::string& line : readout_) {
        canvas.text(line, {cell_.center().x, baseline}, style_.note(), Align::center);
        baseline += style_.note().line_height();
    }
}

}  // namespace emergence::page
