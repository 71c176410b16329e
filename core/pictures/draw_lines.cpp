// How the series of a plot are drawn.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include "core/pictures/draw_plot.h"
#include "core/pictures/pen.h"

namespace emergence {
namespace {

double strength(Emphasis emphasis) { return emphasis == Emphasis::faint ? 0.3 : 1.0; }

// Marks on the measured points where there is room between them; a point between two gaps always has one.
void draw_line_markers(Pen& pen, const PointRun& run, const Series& series, const Ink& ink, const PlotSpec& plot,
                       const PlotStyle& look) {
    if (run.size() == 1) pen.disc(run[0], look.dot, ink);
    if (run.size() < 2) return;
    const double apart = (run.back().x - run.front().x) / static_cast<double>(run.size() - 1);
    if (plot.markers && !is_dashed(series) && apart >= look.markers_apart) {
        for (const Point& at : run) pen.marker(at, look.marker, series.color, ink);
        return;
    }
    if (!plot.sparse_markers || series.name.empty()) return;
    // Each line begins elsewhere, so that where lines meet their marks do not.
    const size_t stride = marker_stride(apart, look.sparse_apart);
    const auto phase = static_cast<size_t>(((series.color * 5) % kNumCategorical + kNumCategorical) % kNumCategorical);
    for (size_t i = stride * (phase + 1) / (kNumCategorical + 1); i < run.size(); i += stride)
        pen.marker(run[i], look.sparse_marker, series.color, ink, is_dashed(series));
}

// Touching bars share an outline; missing bars draw nothing.
void draw_plot_bars(Pen& pen, const PointRun& outline, const Series& series, const Ink& ink, const PlotStyle& look) {
    if (outline.size() < 4) return;
    const double base = outline.front().y;
    const Stroke stroke = look.bars.stroke(ink, is_dashed(series), dashes_of(series.color));
    PointRun tops;
    const auto flush = [&] {
        if (tops.empty()) return;
        if (!is_dashed(series)) {
            PointRun ground = tops;
            for (Point& point : ground) point.y = base;
            pen.band(ground, tops, {ink.color, look.bar});
        }
        tops.insert(tops.begin(), {tops.front().x, base});
        tops.push_back({tops.back().x, base});
        pen.polyline(tops, stroke);
        tops.clear();
    };
    for (size_t i = 1; i + 2 < outline.size(); i += 2) {
        if (outline[i].y == base) {
            flush();
            continue;
        }
        // Bars of the same height have one straight top: a point that is there twice has no direction, and its line
        // no width.
        if (!tops.empty() && tops.back().y == outline[i].y)
            tops.back() = outline[i + 1];
        else
            tops.insert(tops.end(), {outline[i], outline[i + 1]});
    }
    flush();
}

void draw_series_ground(Pen& pen, const Series& series, const SeriesLines& lines, Emphasis emphasis,
                        const PictureStyle& style) {
    const PlotStyle& look = style.plot;
    const Ink ink = categorical(series.color, style.theme);
    const double share = strength(emphasis);
    const int dashes = dashes_of(series.color);
    for (const SeriesLines::Band& part : lines.bands) pen.band(part.lower, part.upper, ink.faded(look.band * share));
    if (series.bars) draw_plot_bars(pen, lines.bars, series, ink.faded(share), look);
    // Beside one that stands out, the other seeds step back.
    LineLook seed = look.seed;
    seed.alpha = (lines.highlighted.empty() ? seed.alpha : look.seeds_behind) * share;
    // A dashed line lets through what lies below it, so it is drawn stronger.
    if (is_dashed(series)) seed.alpha = std::min(1.0, 1.5 * seed.alpha);
    const auto draw = [&pen](const std::vector<PointRun>& runs, const Stroke& stroke) {
        for (const PointRun& run : runs) pen.polyline(run, stroke);
    };
    draw(lines.seeds, seed.stroke(ink, is_dashed(series), dashes));
    draw(lines.raw, look.raw.stroke(ink));
    // The line is thin and lies below the mean, so it neither hides the mean nor is taken for it.
    draw(lines.highlighted, look.highlighted.stroke(ink.faded(share), is_dashed(series), dashes));
}

// How opaque a point or trail is: beside the highlighted seed the others step back.
double nearness(const PlotSpec& plot, const Series& series, size_t point, const PlotStyle& look) {
    if (plot.highlighted_seed < 0 || point >= series.seeds.size()) return 1.0;
    const auto row = static_cast<size_t>(plot.highlighted_seed);
    return row < plot.seeds.size() && plot.seeds[row] == series.seeds[point] ? 1.0 : look.seeds_behind;
}

// A closed curve about a point; its halves along x and y, and the correlation that tilts it.
PointRun ellipse(Point center, double half_x, double half_y, double tilt) {
    constexpr int kCorners = 64;
    const double across = std::sqrt(std::max(0.0, 1.0 - tilt * tilt));
    PointRun curve;
    for (int i = 0; i <= kCorners; ++i) {
        const double turn = 2.0 * std::numbers::pi * i / kCorners;
        curve.push_back({center.x + half_x * std::cos(turn),
                         center.y + half_y * (tilt * std::cos(turn) + across * std::sin(turn))});
    }
    return curve;
}

double detail(const std::vector<double>& values, size_t point) {
    return point < values.size() ? values[point] : kMissing;
}

// A bar across the plot, as wide as the interval of the coordinate that is known.
void draw_open_interval(Pen& pen, const Series& series, size_t index, const Ink& ink, const PlotPlace& place,
                        const PlotStyle& look) {
    const Rect& area = place.area;
    const double x = series.x[index], y = series.rows[0][index];
    const double half_x = series.details.half_x[index], half_y = series.details.half_y[index];
    const bool across = !series.details.knows_x(index);
    const double left = across ? area.x : place.x.place(x - half_x),
                 right = across ? area.right() : place.x.place(x + half_x),
                 top = across ? place.y.place(y + half_y) : area.y,
                 bottom = across ? place.y.place(y - half_y) : area.bottom();
    // Many bars lie on each other. A wide one says little, and one of half the plot says nothing.
    const double share = std::abs(across ? (bottom - top) / area.height : (right - left) / area.width);
    if (share > 0.5) return;
    const double sure = std::min(1.0, 0.125 / share);
    const std::array<Point, 5> edge{{{left, top}, {right, top}, {right, bottom}, {left, bottom}, {left, top}}};
    pen.polygon(std::span(edge).first(4), ink.faded(0.4 * look.band * sure * sure));
    pen.polyline(edge, {ink.faded(2 * look.band * sure), look.seed.width});
}

// The ellipse of a point's intervals.
void draw_interval(Pen& pen, const Series& series, size_t index, Point at, const Ink& ink, const PlotPlace& place,
                   const PlotStyle& look) {
    const PointDetails& details = series.details;
    const double half_x = detail(details.half_x, index), half_y = detail(details.half_y, index);
    if (!(half_x > 0) || !(half_y > 0)) return;
    if (!details.knows_x(index) || !details.knows_y(index))
        return draw_open_interval(pen, series, index, ink, place, look);
    const double x = series.x[index], y = series.rows[0][index], tilt = detail(details.tilt, index);
    const double across = place.x.place(x + half_x) - at.x;
    // On the page y grows downwards.
    const PointRun edge =
        ellipse(at, across, place.y.place(y + half_y) - at.y, std::isfinite(tilt) ? std::clamp(tilt, -1.0, 1.0) : 0.0);
    // Many ellipses lie on each other, and one that is wider than the plot says nothing.
    const double sure = std::min(1.0, place.area.width / 4 / across);
    pen.polygon(std::span(edge).first(edge.size() - 1), ink.faded(0.4 * look.band * sure));
    pen.polyline(edge, {ink.faded(2 * look.band * std::sqrt(sure)), look.seed.width});
}

constexpr double kLarge = 1.6;  // the marker of a point with a label

// The lower end of the label of point k; nullopt if the plot is too small for labels or the point has none. The label
// stays inside the axes. It moves up by a line if it would lie over an earlier label, or below its point if there is no
// room above.
std::optional<Point> label_below(const Series& series, const SeriesLines& lines, size_t k, const PlotPlace& place,
                                 const PictureStyle& style, const TextRuler& ruler) {
    const PlotStyle& look = style.plot;
    const std::vector<std::string>& labels = series.details.labels;
    const double line = look.label.line_height();
    if (lines.indices[k] >= labels.size() || place.area.height < 8 * line) return std::nullopt;
    // The middle of a label, and half its width.
    const auto extent = [&](size_t of) {
        const double half = ruler.text_width(style.spelled(labels[lines.indices[of]]), look.label) / 2;
        const double left = place.area.x + look.gap + half;
        const double right = std::max(left, place.area.right() - look.gap - half);
        return std::pair(std::clamp(lines.center[of][0].x, left, right), half);
    };
    const Point at = lines.center[k][0];
    const auto [x, half] = extent(k);
    double raised = 0.0;
    for (size_t earlier = 0; earlier < k; ++earlier) {
        if (lines.indices[earlier] >= labels.size()) continue;
        const auto [there, half_there] = extent(earlier);
        if (std::abs(lines.center[earlier][0].y - at.y) < line && std::abs(there - x) < half + half_there)
            raised = line;
    }
    const double away = kLarge * look.marker + look.gap;
    const bool outside = raised > 0.0 && at.y - away - raised - line < place.area.y;
    return Point{x, outside ? at.y + away + line : at.y - away - raised};
}

// A point with its ellipse, ring and label. A ring of the whole share has this many marks' radius.
void draw_point(Pen& pen, const Series& series, const SeriesLines& lines, size_t k, const Ink& ink, double radius,
                const PlotPlace& place, const PictureStyle& style) {
    constexpr double kWholeRing = 8.0;
    const size_t index = lines.indices[k];
    const Point at = lines.center[k][0];
    const PlotStyle& look = style.plot;
    const PointDetails& details = series.details;
    draw_interval(pen, series, index, at, ink, place, look);
    if (!details.knows_x(index) || !details.knows_y(index)) return;
    if (const double share = detail(details.ring, index); share > 0) {
        const double size = look.marker * (1.0 + kWholeRing * std::sqrt(std::min(share, 1.0)));
        pen.polyline(ellipse(at, size, size, 0.0), look.seed.stroke(ink));
    }
    const bool large = index < details.labels.size() || !details.ring.empty();
    pen.marker(at, large ? kLarge * radius : radius, series.color, ink, is_dashed(series));
    if (const auto below = label_below(series, lines, k, place, style, pen))
        pen.text(style.spelled(details.labels[index]), *below, look.label, Align::center, Level::bottom);
}

void draw_center(Pen& pen, const Series& series, const SeriesLines& lines, Emphasis emphasis, const PlotSpec& plot,
                 const PlotPlace& place, const PictureStyle& style) {
    const PlotStyle& look = style.plot;
    const Ink ink(categorical(series.color, style.theme), strength(emphasis));
    const double more = emphasis == Emphasis::strong ? look.emphasis : 0.0;
    if (series.points) {
        for (size_t i = 0; i < lines.center.size(); ++i)
            draw_point(pen, series, lines, i, ink.faded(nearness(plot, series, lines.indices[i], look)),
                       look.marker + more, place, style);
        return;
    }
    if (series.trail) {
        constexpr double kBehindPoints = 0.6;
        const Stroke thin = look.seed.stroke(ink.faded(kBehindPoints * nearness(plot, series, 0, look)));
        for (const PointRun& run : lines.center) pen.polyline(run, thin);
        return;
    }
    LineLook line = is_dashed(series) ? look.dashed : look.center;
    line.width += more;
    const Stroke stroke = line.stroke(ink, is_dashed(series), dashes_of(series.color));
    for (const PointRun& run : lines.center) {
        pen.polyline(run, stroke);
        draw_line_markers(pen, run, series, ink, plot, look);
    }
}

// A chevron upwards at the top edge for every place where the line continues beyond a cut axis.
void draw_exits(Pen& pen, const Rect& area, const SeriesLines& lines, const Ink& ink, const PlotStyle& look) {
    const double half = look.exit;
    const double first = area.x + half + 1.0;
    for (const double x : lines.exits) {
        const double at = std::clamp(x, first, std::max(first, area.right() - half - 1.0));
        for (const double down : {look.exit_gap, look.exit_gap + half}) {
            const double tip = area.y + down;
            pen.polyline(std::array<Point, 3>{{{at - half, tip + half}, {at, tip}, {at + half, tip + half}}},
                         {ink, look.exit_line});
        }
    }
}

}  // namespace

void add_point_labels(const PlotSpec& plot, const std::vector<SeriesLines>& lines, const PlotPlace& place,
                      const PictureStyle& style, const TextRuler& ruler, Obstacles& obstacles) {
    const TextStyle& text = style.plot.label;
    for (size_t i = 0; i < lines.size(); ++i)
        for (size_t k = 0; plot.series[i].points && k < lines[i].center.size(); ++k) {
            const size_t index = lines[i].indices[k];
            const auto below = label_below(plot.series[i], lines[i], k, place, style, ruler);
            if (!below) continue;
            const double width = ruler.text_width(style.spelled(plot.series[i].details.labels[index]), text);
            obstacles.boxes.push_back({below->x - width / 2, below->y - text.line_height(), width, text.line_height()});
        }
}

void draw_lines(Pen& pen, const PlotSpec& plot, const PlotPlace& place, const std::vector<SeriesLines>& lines,
                const std::vector<Emphasis>& emphasis, const PictureStyle& style) {
    for (size_t i = 0; i < lines.size(); ++i) draw_series_ground(pen, plot.series[i], lines[i], emphasis[i], style);
    for (const bool dashed : {false, true})
        for (size_t i = 0; i < lines.size(); ++i)
            if (is_dashed(plot.series[i]) == dashed)
                draw_center(pen, plot.series[i], lines[i], emphasis[i], plot, place, style);
    for (size_t i = 0; i < lines.size(); ++i)
        draw_exits(pen, place.area, lines[i], {categorical(plot.series[i].color, style.theme), strength(emphasis[i])},
                   style.plot);
}

}  // namespace emergence
