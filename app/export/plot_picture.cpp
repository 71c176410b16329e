#include "app/export/plot_picture.h"

#include <algorithm>
#include <cmath>

#include "app/export/titles.h"
#include "core/pictures/axis.h"

namespace emergence::page {
namespace {

// With the limits that its axes have, without series that are hidden.
PlotSpec with_ranges(PlotSpec plot) {
    cut_outliers(plot);
    const AxisRange x = fit_x(plot), y = fit_y(plot);
    std::erase_if(plot.series, [](const Series& series) { return series.hidden; });
    plot.x.minimum = x.first;
    plot.x.maximum = x.second;
    plot.y.minimum = y.first;
    plot.y.maximum = y.second;
    return plot;
}

bool has_data(const std::vector<SeriesShape>& shapes) {
    return std::any_of(shapes.begin(), shapes.end(), [](const SeriesShape& shape) {
        return std::any_of(shape.center.begin(), shape.center.end(), [](double v) { return std::isfinite(v); });
    });
}

}  // namespace

PlotPicture::PlotPicture(const PlotSpec& plot, const Rect& cell, const Style& style, const TextMeter& meter)
    : shown_(with_ranges(plot)),
      shapes_(shapes_of(shown_)),
      cell_(cell),
      style_(style),
      look_(style.picture()),
      meter_(meter),
      entries_(legend_entries(shown_)),
      range_x_(*shown_.x.minimum, *shown_.x.maximum),
      range_y_(*shown_.y.minimum, *shown_.y.maximum) {}

PlotLayout PlotPicture::layout_in(const Rect& area) const {
    return lay_out_plot(shown_, shapes_, PlotPlace(shown_, range_x_, range_y_, area), look_, meter_);
}

double PlotPicture::widest_label(const std::vector<Tick>& ticks) const {
    double widest = 0.0;
    for (const Tick& tick : ticks) widest = std::max(widest, meter_.text_width(with_minus(tick.label), style_.tick()));
    return widest;
}

/// As many ticks as have room for their labels side by side.
std::vector<Tick> PlotPicture::x_ticks(double width) const {
    for (int wanted = std::max(2, static_cast<int>(width / (34.0 * style_.scale)));; --wanted) {
        std::vector<Tick> ticks = make_ticks(shown_.x, range_x_, wanted);
        double previous_end = -1e9;
        bool fits = true;
        for (const Tick& tick : ticks) {
            if (tick.label.empty()) continue;
            const double at = width * axis_fraction(tick.value, range_x_.first, range_x_.second, shown_.x.scale);
            const double half = meter_.text_width(with_minus(tick.label), style_.tick()) / 2;
            fits = fits && at - half > previous_end;
            previous_end = at + half + 0.7 * style_.tick().size;
        }
        if (fits || wanted <= 2) return ticks;
    }
}

std::vector<Tick> PlotPicture::y_ticks(double height) const {
    const int wanted = std::max(2, static_cast<int>(height / (24.0 * style_.scale)));
    return make_ticks(range_y_.first, range_y_.second, shown_.y.scale, wanted);
}

std::vector<std::string> PlotPicture::title_lines() const {
    return meter_.wrap(shown_.title, style_.title(), cell_.width);
}

/// No wider than the axis: what is left of it belongs to the other title.
std::vector<std::string> PlotPicture::x_title_lines() const {
    return meter_.wrap(axis_title(shown_.x), style_.axis(), axis_width());
}

std::vector<std::string> PlotPicture::y_title_lines() const {
    return meter_.wrap(axis_title(shown_.y), style_.axis(), 0.55 * cell_.height);
}

double PlotPicture::title_height() const {
    return static_cast<double>(title_lines().size()) * style_.title().line_height();
}

double PlotPicture::left_room() const {
    const double ticks = style_.tick_length() + style_.gap() + widest_label(y_ticks(0.75 * cell_.height));
    const std::vector<std::string> lines = y_title_lines();
    if (lines.empty()) return ticks;
    return ticks + style_.gap() + static_cast<double>(lines.size()) * style_.axis().line_height();
}

double PlotPicture::right_room() const {
    return std::max(4.0 * style_.scale, widest_label(x_ticks(0.8 * cell_.width)) / 2);
}

double PlotPicture::axis_width() const { return std::max(0.2 * cell_.width, cell_.width - left_room() - right_room()); }

Insets PlotPicture::insets() const {
    Insets room{left_room(), style_.gap(), right_room(), 0.0};
    room.bottom = style_.tick_length() + style_.gap() + style_.tick().size;
    if (const std::vector<std::string> lines = x_title_lines(); !lines.empty())
        room.bottom += style_.gap() + static_cast<double>(lines.size()) * style_.axis().line_height();
    if (legend_below_) room.bottom += legend_below_->height() + style_.gap();
    return room;
}

CellPicture::Need PlotPicture::need() const {
    Need need{insets(), 90.0 * style_.scale, 76.0 * style_.scale, 76.0 * style_.scale};
    const Rect least{cell_.x + left_room(), cell_.y, axis_width(), need.height};
    if (const auto legend = legend_out_of(least)) need.around.bottom += legend->height() + style_.gap();
    return need;
}

std::optional<Legend> PlotPicture::legend_out_of(const Rect& area) const {
    if (legend_below_ || entries_.empty()) return std::nullopt;
    if (!place_inside(entries_, area, layout_in(area).obstacles, style_, meter_).covers) return std::nullopt;
    const Legend legend = legend_below(entries_, axis_width(), style_, meter_);
    // Below the labels of the y axis there is room too.
    const Legend wider = legend_below(entries_, cell_.width, style_, meter_);
    return wider.height() < legend.height() ? wider : legend;
}

bool PlotPicture::make_room(const Rect& area) {
    const auto legend = legend_out_of(area);
    if (!legend) return false;
    // Beside a plot whose legend stands below there is room already.
    const double free = std::max(0.0, cell_.bottom() - area.bottom() - insets().bottom);
    const double left = area.height - std::max(0.0, legend->height() - free);
    // A plot that is mostly legend shows less than one whose legend covers something.
    if (left < 0.15 * cell_.height) return false;
    legend_below_ = legend;
    return true;
}

void PlotPicture::draw(Canvas& canvas, const Rect& area, double title_bottom) const {
    draw_title(canvas, title_lines(), cell_, area.center().x, title_bottom, style_.title(), meter_);
    const PlotLayout layout = layout_in(area);
    const PlotAxes axes =
        lay_out_axes(layout.place, x_ticks(area.width), y_ticks(area.height),
                     {cell_.x - cell_.width, cell_.right() + cell_.width, cell_.right() + cell_.width}, look_, meter_);
    draw_grid(canvas, axes, area, look_);
    draw_axis_titles(canvas, area);
    draw_plot(canvas, shown_, layout, std::vector<Emphasis>(shown_.series.size(), Emphasis::normal), look_);
    draw_axes_frame(canvas, axes, area, look_);
    draw_legend(canvas, area, layout.obstacles);
    if (!shown_.series.empty() && !has_data(shapes_))
        canvas.text("no data", area.center(), style_.note(), Align::center);
}

void PlotPicture::draw_legend(Canvas& canvas, const Rect& area, const Obstacles& obstacles) const {
    if (entries_.empty()) return;
    if (legend_below_) {
        const double x = std::min(area.x, cell_.right() - legend_below_->width());
        const double below = insets().bottom - legend_below_->height();
        legend_below_->draw(canvas, {std::max(cell_.x, x), area.bottom() + below}, look_);
        return;
    }
    const PlacedLegend placed = place_inside(entries_, area, obstacles, style_, meter_);
    if (placed.covers)
        canvas.fill({placed.upper_left.x, placed.upper_left.y, placed.legend.width(), placed.legend.height()},
                    {kPaper, 0.75});
    placed.legend.draw(canvas, placed.upper_left, look_);
}

void PlotPicture::draw_axis_titles(Canvas& canvas, const Rect& area) const {
    const TextStyle text = style_.axis();
    const std::vector<std::string> x_lines = x_title_lines();
    const double below_ticks = area.bottom() + style_.tick_length() + 2 * style_.gap() + style_.tick().size;
    draw_title(canvas, x_lines, cell_, area.center().x,
               below_ticks + static_cast<double>(x_lines.size()) * text.line_height(), text, meter_);
    const std::vector<std::string> y_lines = y_title_lines();
    double longest = 0.0;
    for (const std::string& line : y_lines) longest = std::max(longest, meter_.text_width(line, text));
    // Longer than the axis, it hangs over at the lower end, where no title is in the way.
    const double middle = std::max(area.center().y, area.y + longest / 2);
    double x = area.x - style_.tick_length() - 2 * style_.gap() - widest_label(y_ticks(area.height)) - text.descent() -
               (static_cast<double>(y_lines.size()) - 1.0) * text.line_height();
    for (const std::string& line : y_lines) {
        canvas.text(line, {x, middle}, text, Align::center, Level::baseline, 1);
        x += text.line_height();
    }
}

}  // namespace emergence::page
