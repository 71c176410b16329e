#include "app/export/plot_picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/export/titles.h"

namespace emergence::page {
namespace {

// Lines are thinned to so many columns a point: as they are drawn (288 an inch), and as obstacles.
constexpr double kDrawnColumns = 4.0, kObstacleColumns = 0.5;

// Cairo's coordinates are fixed-point numbers: what is far outside is brought nearer.
double on_page(double coordinate) { return std::clamp(coordinate, -2e4, 2e4); }

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
        curves_.push_back(
            {shapes[i], color, series.color, series.dashed, series.bars, exits_of(ranged, shapes[i])});
        has_data_ = has_data_ || any_finite(curves_.back().shape.center);
        const bool filled = !curves_.back().shape.band_low.empty() || (series.bars && !series.dashed);
        if (!series.name.empty()) entries_.push_back({names[i], color, series.dashed, filled});
    }
    if (const std::string seed = highlight_note(plot); !seed.empty())
        entries_.push_back({seed, kInk, false, false, true});
}

double PlotPicture::x_of(double value, const Rect& area) const {
    return area.x + area.width * axis_fraction(value, range_x_.first, range_x_.second, plot_.x.scale);
}

double PlotPicture::y_of(double value, const Rect& area) const {
    return area.bottom() - area.height * axis_fraction(value, range_y_.first, range_y_.second, plot_.y.scale);
}

/// The line as it is drawn: thinned, cut at its gaps.
PlotPicture::PageLines PlotPicture::page_lines(const std::vector<double>& x, const std::vector<double>& y,
                                               const Rect& area, double columns_per_point) const {
    const size_t n = std::min(x.size(), y.size());
    std::vector<double> columns(n), heights(n);
    for (size_t i = 0; i < n; ++i) {
        columns[i] = (x_of(x[i], area) - area.x) * columns_per_point;
        heights[i] = y_of(y[i], area);
    }
    const LinePoints thinned =
        decimate(columns, heights, static_cast<int>(std::ceil(area.width * columns_per_point)) + 1);
    PageLines lines;
    for (const auto& [begin, end] : runs_without_gaps(thinned.y)) {
        std::vector<Point>& line = lines.emplace_back();
        for (size_t i = begin; i < end; ++i)
            line.push_back({on_page(area.x + thinned.x[i] / columns_per_point), on_page(thinned.y[i])});
    }
    return lines;
}

/// The band as closed polygons, one between every two gaps.
PlotPicture::PageLines PlotPicture::page_bands(const SeriesShape& shape, const Rect& area,
                                               double columns_per_point) const {
    std::vector<double> low = shape.band_low;
    // A band that reaches to zero or below has no lower end on a log axis: it runs out of the picture.
    if (plot_.y.scale == Scale::logarithmic)
        for (size_t i = 0; i < low.size(); ++i)
            if (low[i] <= 0.0 && shape.band_high[i] > 0.0) low[i] = range_y_.first;
    const PageLines upper = page_lines(shape.x, shape.band_high, area, columns_per_point);
    PageLines lower = page_lines(shape.x, low, area, columns_per_point);
    PageLines bands;
    for (size_t i = 0; i < std::min(upper.size(), lower.size()); ++i) {
        std::vector<Point>& band = bands.emplace_back(upper[i]);
        band.insert(band.end(), lower[i].rbegin(), lower[i].rend());
    }
    return bands;
}

std::vector<Point> PlotPicture::bar_outline(const SeriesShape& shape, const Rect& area) const {
    std::vector<Point> outline;
    const double ground = area.bottom();
    for (size_t i = 0; i + 1 < shape.x.size(); ++i) {
        const double top = std::isfinite(shape.center[i]) ? y_of(shape.center[i], area) : ground;
        const double height = std::isfinite(top) ? top : ground;
        for (const double x : {shape.x[i], shape.x[i + 1]})
            outline.push_back({on_page(x_of(x, area)), on_page(std::min(height, ground))});
    }
    if (outline.empty()) return outline;
    outline.insert(outline.begin(), {outline.front().x, ground});
    outline.push_back({outline.back().x, ground});
    return outline;
}

Obstacles PlotPicture::obstacles_in(const Rect& area) const {
    Obstacles obstacles;
    const auto add_lines = [&](PageLines lines) {
        for (std::vector<Point>& line : lines) obstacles.add_line(std::move(line));
    };
    for (const Curve& curve : curves_) {
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
    return labels;
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
        std::vector<Tick> ticks = make_ticks(range_x_.first, range_x_.second, plot_.x.scale, wanted);
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

bool PlotPicture::move_legend_out(const Rect& area) {
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
        if (curves.covered_by(label.box) > 0.0) canvas.fill(label.box, kPaper, 0.92);
        for (size_t i = 0; i < label.lines.size(); ++i) {
            const double down = static_cast<double>(i) * text.line_height() + text.ascent() + 0.1 * text.size;
            if (label.vertical)
                canvas.text(label.lines[i], {label.box.x + down, label.box.bottom()}, text, Align::left, 1);
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
                    kPaper, 0.75);
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
    canvas.polyline({{area.x, area.y}, {area.x, area.bottom()}, {area.right(), area.bottom()}}, axis);
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
        canvas.text(line, {x, middle}, text, Align::center, 1);
        x += text.line_height();
    }
}

void PlotPicture::draw_curves(Canvas& canvas, const Rect& area) const {
    for (const Curve& curve : curves_)
        if (curve.bars) draw_bars(canvas, curve, area);
    for (const Curve& curve : curves_)
        for (const std::vector<Point>& band : page_bands(curve.shape, area, kDrawnColumns))
            canvas.polygon(band, curve.color, 0.2);
    const auto thin = [&](const Curve& curve, const std::vector<double>& y, const Stroke& stroke) {
        for (const std::vector<Point>& line : page_lines(curve.shape.x, y, area, kDrawnColumns))
            canvas.polyline(line, stroke);
    };
    for (const Curve& curve : curves_) {
        for (const std::vector<double>& row : curve.shape.seeds)
            thin(curve, row, {curve.color, style_.thin_line(), 0.5, curve.dashed});
        thin(curve, curve.shape.raw, {curve.color, style_.thin_line(), 0.35, false});
    }
    // Thin and below the mean, which it must neither hide nor be taken for.
    const bool among_seeds = plot_.spread == Spread::every_seed;
    for (const Curve& curve : curves_)
        thin(curve, curve.shape.highlighted,
             {curve.color, (among_seeds ? 1.4 : 0.9) * style_.axis_line(), 1.0, curve.dashed});
    for (const Curve& curve : curves_)
        if (!curve.bars) draw_center(canvas, curve, area);
    for (const Curve& curve : curves_) draw_exits(canvas, curve, area);
}

void PlotPicture::draw_bars(Canvas& canvas, const Curve& curve, const Rect& area) const {
    const std::vector<Point> outline = bar_outline(curve.shape, area);
    if (!curve.dashed) canvas.polygon(outline, curve.color, 0.3);
    canvas.polyline(outline, {curve.color, style_.axis_line(), 1.0, curve.dashed});
}

/// Mean or median, with marks on the measured points where there is room between them.
void PlotPicture::draw_center(Canvas& canvas, const Curve& curve, const Rect& area) const {
    const double radius = 1.3 * style_.series_line();
    for (const std::vector<Point>& line :
         page_lines(curve.shape.x, curve.shape.center, area, kDrawnColumns)) {
        // A point between two gaps is no line, and would not be seen.
        if (line.size() == 1) canvas.disc(line[0], radius, curve.color);
        canvas.polyline(line, {curve.color, style_.series_line(), 1.0, curve.dashed});
        const double room = (line.back().x - line.front().x) / static_cast<double>(line.size());
        if (!plot_.markers || curve.dashed || line.size() == 1 || room < 3.5 * radius) continue;
        for (const Point& at : line) {
            std::vector<Point> mark;
            for (const auto& [dx, dy] : marker_outline(curve.color_index))
                mark.push_back({at.x + radius * dx, at.y + radius * dy});
            canvas.polygon(mark, curve.color, 1.0);
        }
    }
}

/// A chevron at the top edge for every place where the line goes on beyond a cut axis.
void PlotPicture::draw_exits(Canvas& canvas, const Curve& curve, const Rect& area) const {
    const double half = 2.5 * style_.scale;
    double previous = -1e9;
    for (const double exit : curve.exits) {
        const double x = x_of(exit, area);
        // A line that trembles about the edge has one mark.
        if (!(x >= area.x && x <= area.right()) || x < previous + 20.0 * style_.scale) continue;
        previous = x;
        const double at = std::clamp(x, area.x + half, std::max(area.x + half, area.right() - half));
        for (const double down : {half / 2, 1.5 * half}) {
            const double tip = area.y + down;
            canvas.polyline({{at - half, tip + half}, {at, tip}, {at + half, tip + half}},
                            {curve.color, 0.8 * style_.series_line()});
        }
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

void PlotPicture::draw_lines(Canvas& canvas, const Rect& area) const {
    const Stroke stroke{kFaintInk, style_.axis_line(), 1.0, true};
    canvas.clip(area.grown(style_.axis_line()));
    for (const ReferenceLine& line : plot_.lines) {
        const double x = on_page(x_of(line.value, area));
        const double y = on_page(y_of(line.value, area));
        if (line.vertical && std::isfinite(x)) canvas.line({x, area.y}, {x, area.bottom()}, stroke);
        if (!line.vertical && std::isfinite(y)) canvas.line({area.x, y}, {area.right(), y}, stroke);
    }
    canvas.unclip();
}

}  // namespace emergence::page
