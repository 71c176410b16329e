#include "core/pictures/plot_place.h"

#include <array>

namespace emergence {
namespace {

PlotAxes::Mark mark_at(double at, const Tick& tick, const PictureStyle& style) {
    return {style.snapped(at), tick.label.empty(), style.number(tick.label), 0.0};
}

}  // namespace

AxisMap::AxisMap(std::pair<double, double> range, Scale scale, double first, double last)
    : scale_(scale), low_(range.first), high_(range.second), first_(first), last_(last) {}

double AxisMap::place(double value) const {
    return first_ + axis_fraction(value, low_, high_, scale_) * (last_ - first_);
}

double AxisMap::value(double place) const {
    return axis_value((place - first_) / (last_ - first_), low_, high_, scale_);
}

PlotPlace::PlotPlace(const PlotSpec& plot, std::pair<double, double> x_range, std::pair<double, double> y_range,
                     const Rect& inside)
    : area(inside),
      x(x_range, plot.x.scale, inside.x, inside.right()),
      y(y_range, plot.y.scale, inside.bottom(), inside.y) {}

PlotAxes lay_out_axes(const PlotPlace& place, const std::vector<Tick>& x_ticks, const std::vector<Tick>& y_ticks,
                      NumberRoom room, const PictureStyle& style, const TextRuler& ruler) {
    PlotAxes axes;
    for (const Tick& tick : y_ticks) axes.y.push_back(mark_at(place.y.place(tick.value), tick, style));
    for (const Tick& tick : x_ticks) {
        PlotAxes::Mark& mark = axes.x.emplace_back(mark_at(place.x.place(tick.value), tick, style));
        if (mark.minor) continue;
        const double width = ruler.text_width(mark.number, style.plot.tick);
        mark.left = std::min(mark.at - width / 2, room.edge - width);
        if (mark.left < room.from || mark.left + width > room.to)
            mark.number.clear();
        else
            room.from = mark.left + width + style.plot.numbers_apart;
    }
    return axes;
}

void draw_grid(Pen& pen, const PlotAxes& axes, const Rect& area, const PictureStyle& style) {
    const PlotStyle& look = style.plot;
    const auto stroke_of = [&](const PlotAxes::Mark& mark) -> const Stroke& {
        return mark.minor ? look.minor_grid : look.grid;
    };
    for (const PlotAxes::Mark& mark : axes.y) {
        if (const Stroke& stroke = stroke_of(mark); stroke.width > 0.0)
            pen.line({area.x, mark.at}, {area.right(), mark.at}, stroke);
        pen.text(mark.number, {area.x - look.y_number_gap, mark.at}, look.tick, Align::right, Level::middle);
    }
    for (const PlotAxes::Mark& mark : axes.x) {
        if (const Stroke& stroke = stroke_of(mark); stroke.width > 0.0)
            pen.line({mark.at, area.y}, {mark.at, area.bottom()}, stroke);
        pen.text(mark.number, {mark.left, area.bottom() + look.x_number_gap}, look.tick, Align::left, Level::top);
    }
}

void draw_axes_frame(Pen& pen, const PlotAxes& axes, const Rect& area, const PictureStyle& style) {
    const PlotStyle& look = style.plot;
    if (look.framed) return pen.frame(area, look.axis);
    const auto length_of = [&](const PlotAxes::Mark& mark) {
        return mark.minor ? look.minor_tick_length : look.tick_length;
    };
    for (const PlotAxes::Mark& mark : axes.x)
        pen.line({mark.at, area.bottom()}, {mark.at, area.bottom() + length_of(mark)}, look.axis);
    for (const PlotAxes::Mark& mark : axes.y)
        pen.line({area.x - length_of(mark), mark.at}, {area.x, mark.at}, look.axis);
    pen.polyline(std::array<Point, 3>{{{area.x, area.y}, {area.x, area.bottom()}, {area.right(), area.bottom()}}},
                 look.axis);
}

}  // namespace emergence
