// The data of a plot on the page: lines, bands, bars, points, shaded ranges.

#include <algorithm>
#include <array>
#include <cmath>

#include "app/export/plot_picture.h"
#include "app/export/style.h"
#include "core/pictures/palette.h"

namespace emergence::page {
namespace {

// Lines are thinned to so many columns a point: 288 an inch.
constexpr double kDrawnColumns = 4.0;

// Cairo's coordinates are fixed-point numbers: what is far outside is brought nearer.
double on_page(double coordinate) { return std::clamp(coordinate, -2e4, 2e4); }

}  // namespace

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

/// The points of a scatter that lie inside the axes.
std::vector<Point> PlotPicture::scatter(const SeriesShape& shape, const Rect& area) const {
    std::vector<Point> points;
    const Rect inside = area.grown(style_.series_line());
    for (size_t i = 0; i < std::min(shape.x.size(), shape.center.size()); ++i) {
        const Point at{x_of(shape.x[i], area), y_of(shape.center[i], area)};
        if (at.x >= inside.x && at.x <= inside.right() && at.y >= inside.y && at.y <= inside.bottom())
            points.push_back(at);
    }
    return points;
}

/// Where a shaded range is seen; no width where it is not. On a logarithmic axis one that begins at 0 has no
/// left end.
Rect PlotPicture::shaded_box(const ShadedRange& range, const Rect& area) const {
    const double from = x_of(range.from, area), to = x_of(range.to, area);
    const double left = std::isnan(from) ? area.x : std::clamp(from, area.x, area.right());
    const double right = std::isnan(to) ? left : std::clamp(to, left, area.right());
    return {left, area.y, right - left, area.height};
}

void PlotPicture::draw_shaded(Canvas& canvas, const Rect& area) const {
    for (const ShadedRange& range : plot_.shaded)
        if (const Rect box = shaded_box(range, area); box.width > 0.0) canvas.fill(box, {kFaintInk, 0.13});
}

void PlotPicture::draw_curves(Canvas& canvas, const Rect& area) const {
    draw_shaded(canvas, area);
    for (const Curve& curve : curves_)
        if (curve.bars) draw_bars(canvas, curve, area);
    for (const Curve& curve : curves_)
        for (const std::vector<Point>& band : page_bands(curve.shape, area, kDrawnColumns))
            canvas.polygon(band, {curve.color, 0.2});
    const auto thin = [&](const Curve& curve, const std::vector<double>& y, const Stroke& stroke) {
        for (const std::vector<Point>& line : page_lines(curve.shape.x, y, area, kDrawnColumns))
            canvas.polyline(line, stroke);
    };
    for (const Curve& curve : curves_) {
        for (const std::vector<double>& row : curve.shape.seeds)
            thin(curve, row, {{curve.color, 0.5}, style_.thin_line(), curve.dashed, curve.dashes});
        thin(curve, curve.shape.raw, {{curve.color, 0.35}, style_.thin_line()});
    }
    // Thin and below the mean, which it must neither hide nor be taken for.
    const bool among_seeds = plot_.spread == Spread::every_seed;
    for (const Curve& curve : curves_)
        thin(curve, curve.shape.highlighted,
             {curve.color, (among_seeds ? 1.4 : 0.9) * style_.axis_line(), curve.dashed, curve.dashes});
    for (const Curve& curve : curves_)
        if (!curve.bars) draw_center(canvas, curve, area);
    for (const Curve& curve : curves_) draw_exits(canvas, curve, area);
}

void PlotPicture::draw_bars(Canvas& canvas, const Curve& curve, const Rect& area) const {
    const std::vector<Point> outline = bar_outline(curve.shape, area);
    if (!curve.dashed) canvas.polygon(outline, {curve.color, 0.3});
    canvas.polyline(outline, {curve.color, style_.axis_line(), curve.dashed, curve.dashes});
}

/// Mean or median, with marks on the measured points where there is room between them.
void PlotPicture::draw_center(Canvas& canvas, const Curve& curve, const Rect& area) const {
    const double radius = 1.3 * style_.series_line();
    if (curve.points) {
        for (const Point& at : scatter(curve.shape, area))
            canvas.marker(at, radius, curve.color_index, curve.color, curve.dashed);
        return;
    }
    for (const std::vector<Point>& line :
         page_lines(curve.shape.x, curve.shape.center, area, kDrawnColumns)) {
        // A point between two gaps is no line, and would not be seen.
        if (line.size() == 1) canvas.disc(line[0], radius, curve.color);
        canvas.polyline(line, {curve.color, style_.series_line(), curve.dashed, curve.dashes});
        const double room = (line.back().x - line.front().x) / static_cast<double>(line.size());
        if (line.size() == 1) continue;
        if (plot_.markers && !curve.dashed && room >= 3.5 * radius) {
            for (const Point& at : line) canvas.marker(at, radius, curve.color_index, curve.color);
        } else if (plot_.sparse_markers && curve.named) {
            // Each line begins elsewhere, so that where lines meet their marks do not.
            const size_t stride = marker_stride(room, 36.0 * radius);
            const auto phase = static_cast<size_t>(
                ((curve.color_index * 5) % kNumCategorical + kNumCategorical) % kNumCategorical);
            for (size_t i = stride * (phase + 1) / (kNumCategorical + 1); i < line.size(); i += stride)
                canvas.marker(line[i], 1.4 * radius, curve.color_index, curve.color, curve.dashed);
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
            canvas.polyline(
                std::array<Point, 3>{{{at - half, tip + half}, {at, tip}, {at + half, tip + half}}},
                {curve.color, 0.8 * style_.series_line()});
        }
    }
}

void PlotPicture::draw_lines(Canvas& canvas, const Rect& area) const {
    const Stroke stroke{kFaintInk, style_.axis_line(), true};
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
