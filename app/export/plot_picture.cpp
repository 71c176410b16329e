#include "app/export/plot_picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/export/titles.h"
#include "core/pictures/line_style.h"

namespace emergence::page {
namespace {

// As obstacles lines are thinned to so many columns a point.
constexpr double kObstacleColumns = 0.5;

bool any_finite(const std::vector<double>& values) {
    return std::any_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

}  // namespace

PlotPicture::PlotPicture(const PlotSpec& plot, const Rect& cell, const Style& style, const TextMeter& meter)
    : plot_(plot), cell_(cell), style_(style), meter_(meter), range_x_(fit_x(plot)), range_y_(fit_y(plot)) {
    const std::vector<SeriesShape> shapes = shapes_of(plot);
    const std::vector<std::string> names = legend_names(plot);
    PlotSpec ranged = plot;
    ranged.y.minimum = range_y_.first;
    ranged.y.maximum = range_y_.second;
    unshowable_ = drawing_note(ranged, shapes);
    for (size_t i = 0; i < plot.series.size(); ++i) {
        const Series& series = plot.series[i];
        if (series.hidden) continue;
        const Rgb color = categorical(series.color, Theme::light);
        curves_.push_back({shapes[i], color, series.color, series.dashed, series.bars, series.points,
                           !series.name.empty(), exits_of(ranged, shapes[i]), dashes_of(series.color)});
        has_data_ = has_data_ || any_finite(curves_.back().shape.center);
        const bool filled = !curves_.back().shape.band_low.empty() || (series.bars && !series.dashed);
        if (!series.name.empty())
            entries_.push_back({names[i], color, series.dashed, filled, false,
                                series.points || plot.sparse_markers ? series.color : -1, series.points,
                                dashes_of(series.color)});
    }
    if (const std::string seed = highlight_note(plot); !seed.empty())
        entries_.push_back({seed, kInk, false, false, true, -1});
}

double PlotPicture::x_of(double value, const Rect& area) const {
    return area.x + area.width * axis_fraction(value, range_x_.first, range_x_.second, plot_.x.scale);
}

double PlotPicture::y_of(double value, const Rect& area) const {
    return area.bottom() - area.height * axis_fraction(value, range_y_.first, range_y_.second, plot_.y.scale);
}

Obstacles PlotPicture::obstacles_in(const Rect& area) const {
    Obstacles obstacles;
    const auto add_lines = [&](PageLines lines) {
        for (std::vector<Point>& line : lines) obstacles.add_line(std::move(line));
    };
    for (const Curve& curve : curves_) {
        if (curve.points)
            for (const Point& at : scatter(curve.shape, area)) obstacles.add_box(Rect{at.x, at.y, 0.1, 0.1});
        if (curve.points) continue;
        if (curve.bars) {
            obstacles.add_line(bar_outline(curve.shape, area));
            obstacles.add_area(bar_outline(curve.shape, area));
            continue;
        }
        for (const auto* line : {&curve.shape.center, &curve.shape.raw, &curve.shape.highlighted})
            add_lines(page_lines(curve.shape.x, *line, area, kObstacleColumns));
        for (const std::vector<double>& row : curve.shape.seeds)
            add_lines(page_lines(curve.shape.x, row, area, kObstacleColumns));
        for (std::vector<Point>& band : page_bands(curve.shape, area, kObstacleColumns)) {
            obstacles.add_line(band);
            obstacles.add_area(std::move(band));
        }
    }
    if (!unshowable_.empty()) obstacles.add_box(unshowable_box(area));
    for (const ReferenceLine& line : plot_.lines) {
        const double x = x_of(line.value, area);
        const double y = y_of(line.value, area);
        if (line.vertical && std::isfinite(x)) obstacles.add_line({{x, area.y}, {x, area.bottom()}});
        if (!line.vertical && std::isfinite(y)) obstacles.add_line({{area.x, y}, {area.right(), y}});
    }
    return obstacles;
}

/// Puts each label beside its line where it covers least, and adds it to the obstacles.
std::vector<PlotPicture::PlacedLabel> PlotPicture::place_line_labels(const Rect& area,
                                                                     Obstacles& obstacles) const {
    std::vector<PlacedLabel> labels;
    const TextStyle text = style_.note();
    const double gap = 1.5 * style_.scale;
    for (const ReferenceLine& line : plot_.lines) {
        const double at = line.vertical ? x_of(line.value, area) : y_of(line.value, area);
        const bool visible = line.vertical ? at >= area.x - 1 && at <= area.right() + 1
                                           : at >= area.y - 1 && at <= area.bottom() + 1;
        if (line.label.empty() || !visible) continue;
        PlacedLabel label{meter_.wrap(line.label, text, 0.9 * (line.vertical ? area.height : area.width)),
                          {},
                          line.vertical};
        double length = 0.0;
        for (const std::string& part : label.lines) length = std::max(length, meter_.width(part, text));
        const double depth = static_cast<double>(label.lines.size()) * text.line_height();
        double best = 0.0;
        for (const double along : {1.0, 0.0, 0.5, 0.9, 0.1, 0.8, 0.2, 0.7, 0.3, 0.6, 0.4}) {
            for (const bool after : {line.vertical, !line.vertical}) {
                const double side = after ? at + gap : at - gap - depth;
                const Rect box =
                    line.vertical
                        ? Rect{side, area.y + gap + (1.0 - along) * (area.height - length - 2 * gap), depth,
                               length}
                        : Rect{area.x + gap + along * (area.width - length - 2 * gap), side, length, depth};
                const Rect clear = area.grown(1.0);
                const bool outside = box.x < clear.x || box.right() > clear.right() || box.y < clear.y ||
                                     box.bottom() > clear.bottom();
                const double score = obstacles.covered_by(box) + (outside ? 1e6 : 0.0);
                if (label.box.width > 0.0 && score >= best) continue;
                label.box = box;
                best = score;
            }
        }
        obstacles.add_box(label.box);
        labels.push_back(std::move(label));
    }
    add_shaded_labels(area, obstacles, labels);
    return labels;
}

/// In the upper part of the ranges, where they cover least.
void PlotPicture::add_shaded_labels(const Rect& area, Obstacles& obstacles,
                                    std::vector<PlacedLabel>& labels) const {
    const TextStyle text = style_.note();
    const double gap = 1.5 * style_.scale;
    for (const ShadedRange& range : plot_.shaded) {
        const Rect box = shaded_box(range, area);
        if (range.label.empty() || box.width <= 0.0) continue;
        PlacedLabel label{
            meter_.wrap(range.label, text, std::max(box.width - 2 * gap, 0.3 * area.width)), {}, false};
        double length = 0.0;
        for (const std::string& line : label.lines) length = std::max(length, meter_.width(line, text));
        const double depth = static_cast<double>(label.lines.size()) * text.line_height();
        double best = 0.0;
        for (const double down : {0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9}) {
            const double x = std::min(box.x + gap, area.right() - length);
            const Rect place{x, area.y + gap + down * (area.height - depth - 2 * gap), length, depth};
            const double covered = obstacles.covered_by(place);
            if (label.box.width > 0.0 && covered >= best) continue;
            label.box = place;
            best = covered;
        }
        obstacles.add_box(label.box);
        labels.push_back(std::move(label));
    }
}

double PlotPicture::widest_label(const std::vector<Tick>& ticks) const {
    double widest = 0.0;
    for (const Tick& tick : ticks)
        widest = std::max(widest, meter_.width(typographic(tick.label), style_.tick()));
    return widest;
}

/// As many ticks as have room for their labels side by side.
std::vector<Tick> PlotPicture::x_ticks(double width) const {
    for (int wanted = std::max(2, static_cast<int>(width / (34.0 * style_.scale)));; --wanted) {
        std::vector<Tick> ticks = make_ticks(plot_.x, range_x_, wanted);
        double previous_end = -1e9;
        bool fits = true;
        for (const Tick& tick : ticks) {
            if (tick.label.empty()) continue;
            const double at =
                width * axis_fraction(tick.value, range_x_.first, range_x_.second, plot_.x.scale);
            const double half = meter_.width(typographic(tick.label), style_.tick()) / 2;
            fits = fits && at - half > previous_end;
            previous_end = at + half + 0.7 * style_.tick().size;
        }
        if (fits || wanted <= 2) return ticks;
    }
}

std::vector<Tick> PlotPicture::y_ticks(double height) const {
    const int wanted = std::max(2, static_cast<int>(height / (24.0 * style_.scale)));
    return make_ticks(range_y_.first, range_y_.second, plot_.y.scale, wanted);
}

std::vector<std::string> PlotPicture::title_lines() const {
    return meter_.wrap(plot_.title, style_.title(), cell_.width);
}

/// No wider than the axis: what is left of it belongs to the other title.
std::vector<std::string> PlotPicture::x_title_lines() const {
    return meter_.wrap(axis_title(plot_.x), style_.axis(), axis_width());
}

std::vector<std::string> PlotPicture::y_title_lines() const {
    return meter_.wrap(axis_title(plot_.y), style_.axis(), 0.55 * cell_.height);
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

double PlotPicture::axis_width() const {
    return std::max(0.2 * cell_.width, cell_.width - left_room() - right_room());
}

Insets PlotPicture::insets() const {
    Insets room{left_room(), style_.gap(), right_room(), 0.0};
    room.bottom = style_.tick_length() + style_.gap() + style_.tick().size;
    if (const std::vector<std::string> lines = x_title_lines(); !lines.empty())
        room.bottom += style_.gap() + static_cast<double>(lines.size()) * style_.axis().line_height();
    if (legend_below_) room.bottom += legend_below_->height() + style_.gap();
    return room;
}

bool PlotPicture::make_room(const Rect& area) {
    if (legend_below_ || entries_.empty()) return false;
    Obstacles obstacles = obstacles_in(area);
    place_line_labels(area, obstacles);
    if (!place_inside(entries_, area, obstacles, style_, meter_).covers) return false;
    const Legend legend = legend_below(entries_, axis_width(), style_, meter_);
    // A plot that is mostly legend shows less than one whose legend covers something.
    if (area.height - legend.height() < 0.15 * cell_.height) return false;
    legend_below_ = legend;
    return true;
}

void PlotPicture::draw(Canvas& canvas, const Rect& area, double title_bottom) const {
    draw_title(canvas, title_lines(), cell_, area.center().x, title_bottom, style_.title(), meter_);
    draw_axes(canvas, area);
    draw_axis_titles(canvas, area);
    canvas.clip(area);
    draw_curves(canvas, area);
    canvas.unclip();
    draw_lines(canvas, area);
    draw_unshowable(canvas, area);
    draw_labels_and_legend(canvas, area);
    if (!has_data_) canvas.text("no data", area.center(), style_.note(), Align::center);
}

void PlotPicture::draw_labels_and_legend(Canvas& canvas, const Rect& area) const {
    Obstacles obstacles = obstacles_in(area);
    const Obstacles curves = obstacles;
    const TextStyle text = style_.note();
    for (const PlacedLabel& label : place_line_labels(area, obstacles)) {
        if (curves.covered_by(label.box) > 0.0) canvas.fill(label.box, {kPaper, 0.92});
        for (size_t i = 0; i < label.lines.size(); ++i) {
            const double down = static_cast<double>(i) * text.line_height() + text.ascent() + 0.1 * text.size;
            if (label.vertical)
                canvas.text(label.lines[i], {label.box.x + down, label.box.bottom()}, text, Align::left,
                            Level::baseline, 1);
            else
                canvas.text(label.lines[i], {label.box.x, label.box.y + down}, text);
        }
    }
    if (entries_.empty()) return;
    if (legend_below_) {
        const double x = std::min(area.x, cell_.right() - legend_below_->width());
        const double below = insets().bottom - legend_below_->height();
        legend_below_->draw(canvas, {std::max(cell_.x, x), area.bottom() + below});
        return;
    }
    const PlacedLegend placed = place_inside(entries_, area, obstacles, style_, meter_);
    if (placed.covers)
        canvas.fill({placed.upper_left.x, placed.upper_left.y, placed.legend.width(), placed.legend.height()},
                    {kPaper, 0.75});
    placed.legend.draw(canvas, placed.upper_left);
}

void PlotPicture::draw_axes(Canvas& canvas, const Rect& area) const {
    const Stroke grid{kGrid, style_.grid_line()};
    const Stroke axis{kInk, style_.axis_line()};
    const TextStyle text = style_.tick();
    for (const Tick& tick : x_ticks(area.width)) {
        const double x = x_of(tick.value, area);
        const bool minor = tick.label.empty();
        if (!minor) canvas.line({x, area.y}, {x, area.bottom()}, grid);
        const double length = minor ? style_.minor_tick_length() : style_.tick_length();
        canvas.line({x, area.bottom()}, {x, area.bottom() + length}, axis);
        canvas.text(typographic(tick.label),
                    {x, area.bottom() + style_.tick_length() + style_.gap() + text.ascent()}, text,
                    Align::center);
    }
    for (const Tick& tick : y_ticks(area.height)) {
        const double y = y_of(tick.value, area);
        const bool minor = tick.label.empty();
        if (!minor) canvas.line({area.x, y}, {area.right(), y}, grid);
        const double length = minor ? style_.minor_tick_length() : style_.tick_length();
        canvas.line({area.x - length, y}, {area.x, y}, axis);
        canvas.text(typographic(tick.label),
                    {area.x - style_.tick_length() - style_.gap() * 0.7, y + text.ascent() / 2}, text,
                    Align::right);
    }
    canvas.polyline(
        std::array<Point, 3>{{{area.x, area.y}, {area.x, area.bottom()}, {area.right(), area.bottom()}}},
        axis);
}

void PlotPicture::draw_axis_titles(Canvas& canvas, const Rect& area) const {
    const TextStyle text = style_.axis();
    const std::vector<std::string> x_lines = x_title_lines();
    const double below_ticks = area.bottom() + style_.tick_length() + 2 * style_.gap() + style_.tick().size;
    draw_title(canvas, x_lines, cell_, area.center().x,
               below_ticks + static_cast<double>(x_lines.size()) * text.line_height(), text, meter_);
    const std::vector<std::string> y_lines = y_title_lines();
    double longest = 0.0;
    for (const std::string& line : y_lines) longest = std::max(longest, meter_.width(line, text));
    // Longer than the axis, it hangs over at the lower end, where no title is in the way.
    const double middle = std::max(area.center().y, area.y + longest / 2);
    double x = area.x - style_.tick_length() - 2 * style_.gap() - widest_label(y_ticks(area.height)) -
               text.descent() - (static_cast<double>(y_lines.size()) - 1.0) * text.line_height();
    for (const std::string& line : y_lines) {
        canvas.text(line, {x, middle}, text, Align::center, Level::baseline, 1);
        x += text.line_height();
    }
}

/// Says what is left out: points that a logarithmic axis cannot show, lines beyond a cut one.
void PlotPicture::draw_unshowable(Canvas& canvas, const Rect& area) const {
    const Rect box = unshowable_box(area);
    canvas.text(unshowable_, {box.x, box.bottom() - style_.note().descent()}, style_.note());
}

Rect PlotPicture::unshowable_box(const Rect& area) const {
    const TextStyle text = style_.note();
    return {area.x + style_.gap(), area.bottom() - text.line_height(), meter_.width(unshowable_, text),
            text.line_height()};
}

}  // namespace emergence::page
