// Where the axes and the lines of a plot lie, and the entries of its legend.

#include "core/pictures/draw_plot.h"

#include <array>

#include "core/pictures/axis.h"

namespace emergence {
namespace {

// How far a line may leave the plot before it is cut, so that its end does not show.
constexpr double kBeyond = 8.0;

// A line thinned to the columns of the plot, in runs without gaps.
void add_runs(const PlotPlace& place, const std::vector<double>& x, const std::vector<double>& y, double columns,
              std::vector<PointRun>& runs) {
    const Rect& area = place.area;
    PointRun line;
    for (size_t i = 0; i < std::min(x.size(), y.size()); ++i)
        line.push_back({(place.x.place(x[i]) - area.x) * columns, place.y.place(y[i])});
    for (const PointRun& run : decimate(line, std::max(1, static_cast<int>(area.width * columns))))
        for (PointRun& visible : clip_to_band(run, area.y - kBeyond, area.bottom() + kBeyond)) {
            for (Point& point : visible) point.x = area.x + point.x / columns;
            runs.push_back(std::move(visible));
        }
}

// Keeps heights near the plot, because no drawing code survives an error of 1e30.
double near_height(const PlotPlace& place, double value) {
    const double reach = 20.0 * place.area.height;
    return std::clamp(place.y.place(value), place.area.y - reach, place.area.bottom() + reach);
}

std::vector<SeriesLines::Band> bands_of(const PlotPlace& place, const SeriesShape& shape, double columns) {
    std::vector<SeriesLines::Band> bands;
    SeriesLines::Band band;
    const auto flush = [&] {
        if (band.lower.size() > 1) bands.push_back(std::move(band));
        band = {};
    };
    for (size_t i = 0; i < shape.band_low.size(); ++i) {
        const double x = place.x.place(shape.x[i]);
        const double high = near_height(place, shape.band_high[i]);
        // A band that reaches to zero or below has no lower end on a log axis: it runs out of the picture.
        const bool endless = std::isnan(place.y.place(shape.band_low[i])) && std::isfinite(shape.band_low[i]);
        const double low = endless ? place.area.bottom() + kBeyond : near_height(place, shape.band_low[i]);
        if (!std::isfinite(x) || !std::isfinite(low) || !std::isfinite(high)) {
            flush();
        } else if (!band.lower.empty() && x < band.lower.back().x + 1.0 / columns) {
            band.lower.back().y = std::max(band.lower.back().y, low);
            band.upper.back().y = std::min(band.upper.back().y, high);
        } else {
            band.lower.push_back({x, low});
            band.upper.push_back({x, high});
        }
    }
    flush();
    return bands;
}

PointRun bars_of(const PlotPlace& place, const SeriesShape& shape) {
    PointRun outline;
    const Rect& area = place.area;
    const double ground = std::clamp(near_height(place, 0.0), area.y - kBeyond, area.bottom());
    const double base = std::isfinite(ground) ? ground : area.bottom();
    for (size_t i = 0; i + 1 < shape.x.size(); ++i) {
        const double top = near_height(place, shape.center[i]);
        for (const double edge : {shape.x[i], shape.x[i + 1]})
            if (const double x = place.x.place(edge); std::isfinite(x))
                outline.push_back({std::clamp(x, -1e5, 1e5), std::isfinite(top) ? top : base});
    }
    if (outline.empty()) return outline;
    outline.insert(outline.begin(), {outline.front().x, base});
    outline.push_back({outline.back().x, base});
    return outline;
}

// The points of a scatter, each a run, so that no line joins them.
void add_points(const PlotPlace& place, const SeriesShape& shape, SeriesLines& lines) {
    const Rect near = place.area.grown(kBeyond);
    for (size_t i = 0; i < std::min(shape.x.size(), shape.center.size()); ++i) {
        const Point at{place.x.place(shape.x[i]), place.y.place(shape.center[i])};
        if (!(at.x >= near.x && at.x <= near.right() && at.y >= near.y && at.y <= near.bottom())) continue;
        lines.center.push_back({at});
        lines.indices.push_back(i);
    }
}

// The exits that are far enough apart to be told from each other. A line that trembles about the edge gets one mark.
std::vector<double> exits_in(const PlotPlace& place, const std::vector<double>& exits, double apart) {
    std::vector<double> places;
    for (const double exit : exits) {
        const double x = place.x.place(exit);
        if (!(x >= place.area.x && x <= place.area.right())) continue;
        if (places.empty() || x > places.back() + apart) places.push_back(x);
    }
    return places;
}

SeriesLines lines_of(const PlotSpec& plot, const Series& series, const SeriesShape& shape, const PlotPlace& place,
                     double columns, const PlotStyle& style) {
    SeriesLines lines;
    if (series.bars) lines.bars = bars_of(place, shape);
    if (series.points) add_points(place, shape, lines);
    if (series.bars || series.points) return lines;
    add_runs(place, shape.x, shape.center, columns, lines.center);
    add_runs(place, shape.x, shape.raw, columns, lines.raw);
    add_runs(place, shape.x, shape.highlighted, columns, lines.highlighted);
    for (const std::vector<double>& seed : shape.seeds) add_runs(place, shape.x, seed, columns, lines.seeds);
    lines.bands = bands_of(place, shape, columns);
    lines.exits = exits_in(place, exits_of(plot, shape), style.exits_apart);
    return lines;
}

}  // namespace

std::vector<PointRun> decimate(const PointRun& line, int columns) {
    // Column -1 holds everything to the left, `columns` everything to the right.
    const auto column_of = [&](const Point& point) {
        return static_cast<int>(std::clamp(std::floor(point.x), -1.0, static_cast<double>(columns)));
    };
    const auto is_gap = [](const Point& point) { return std::isnan(point.x) || std::isnan(point.y); };
    const auto is_lower = [](const Point& a, const Point& b) { return a.y < b.y; };
    std::vector<PointRun> runs;
    bool open = false;
    for (auto begin = line.begin(); begin != line.end();) {
        if (is_gap(*begin)) {
            open = false;
            ++begin;
            continue;
        }
        if (!std::exchange(open, true)) runs.emplace_back();
        const int column = column_of(*begin);
        const auto end = std::find_if(begin, line.end(),
                                      [&](const Point& point) { return is_gap(point) || column_of(point) != column; });
        std::array kept{begin, begin, end - 1, end - 1};
        if (column >= 0 && column < columns) {
            std::tie(kept[1], kept[2]) = std::minmax_element(begin, end, is_lower);
            std::sort(kept.begin(), kept.end());
        }
        for (size_t i = 0; i < kept.size(); ++i)
            if (i == 0 || kept[i] != kept[i - 1]) runs.back().push_back(*kept[i]);
        begin = end;
    }
    return runs;
}

std::vector<PointRun> clip_to_band(const PointRun& run, double low, double high) {
    std::vector<PointRun> parts;
    if (run.size() == 1 && run[0].y >= low && run[0].y <= high) parts.push_back(run);
    bool open = false;  // the last part's end is this segment's start
    for (size_t i = 0; i + 1 < run.size(); ++i) {
        const Point &from = run[i], &to = run[i + 1];
        if (std::max(from.y, to.y) < low || std::min(from.y, to.y) > high) {
            open = false;
            continue;
        }
        // A level segment that gets here lies inside and crosses no height.
        const auto cut = [&](double height) -> Point {
            return {from.x + (to.x - from.x) * ((height - from.y) / (to.y - from.y)), height};
        };
        const auto inside = [&](const Point& end) { return end.y < low ? cut(low) : end.y > high ? cut(high) : end; };
        if (!open) parts.push_back({inside(from)});
        parts.back().push_back(inside(to));
        open = to.y >= low && to.y <= high;
    }
    return parts;
}

std::vector<SeriesLines> lay_out_lines(const PlotSpec& plot, const std::vector<SeriesShape>& shapes,
                                       const PlotPlace& place, double columns, const PlotStyle& style) {
    std::vector<SeriesLines> lines;
    for (size_t i = 0; i < shapes.size(); ++i)
        lines.push_back(lines_of(plot, plot.series[i], shapes[i], place, columns, style));
    return lines;
}

void add_lines(const std::vector<SeriesLines>& lines, const Rect& area, Obstacles& obstacles) {
    for (const SeriesLines& series : lines) {
        for (const auto* runs : {&series.center, &series.raw, &series.highlighted, &series.seeds})
            for (const PointRun& run : *runs) obstacles.lines.push_back(run);
        for (const SeriesLines::Band& band : series.bands) {
            PointRun outline = band.upper;
            outline.insert(outline.end(), band.lower.rbegin(), band.lower.rend());
            obstacles.lines.push_back(outline);
            obstacles.areas.push_back(std::move(outline));
        }
        obstacles.lines.push_back(series.bars);
        if (!series.bars.empty()) obstacles.areas.push_back(series.bars);
        for (const double x : series.exits) obstacles.boxes.push_back({x - 8.0, area.y, 16.0, 16.0});
    }
}

static PlotAxes::Mark mark_at(double at, const Tick& tick, const PictureStyle& style) {
    return {style.snapped(at), tick.label.empty(), style.number(tick.label), 0.0};
}

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

std::vector<LegendEntry> legend_entries(const PlotSpec& plot) {
    std::vector<LegendEntry> entries;
    const std::vector<std::string> names = legend_names(plot);
    for (size_t i = 0; i < plot.series.size(); ++i) {
        const Series& series = plot.series[i];
        if (series.name.empty() || series.trail || !series.details.labels.empty()) continue;
        const bool dashed = is_dashed(series),
                   band = plot.spread != Spread::every_seed && (series.rows.size() > 1 || series.share);
        entries.push_back({.name = names[i],
                           .color = series.color,
                           .dashed = dashed,
                           .filled = series.bars ? !dashed : band && !series.points,
                           .marked = plot.sparse_markers && !series.points,
                           .points = series.points,
                           .faint = series.hidden,
                           .series = i});
    }
    // Filled points that say in words what they are need no name if no other series has one.
    if (entries.size() == 1 && !entries[0].dashed && !plot.series[entries[0].series].details.words.empty())
        entries.clear();
    if (const std::string note = highlight_note(plot); !note.empty())
        entries.push_back({.name = note, .note = true, .series = plot.series.size()});
    return entries;
}

void draw_sample(Pen& pen, const LegendEntry& entry, Point left, const PictureStyle& style) {
    const LegendStyle& look = style.plot.legend;
    const double share = entry.faint ? 0.35 : 1.0;
    const Ink ink = entry.note ? look.note : Ink(categorical(entry.color, style.theme), share);
    const Point right{left.x + look.width, left.y};
    const Point middle{left.x + look.width / 2, left.y};
    if (entry.filled && look.patch > 0.0)
        pen.fill({left.x, left.y - 0.4 * look.text.size, look.width, 0.8 * look.text.size}, {ink.color, look.patch});
    if (entry.points) return pen.marker(middle, look.point, entry.color, ink, entry.dashed);
    const LineLook& line = entry.note     ? look.thin
                           : entry.dashed ? look.dashed
                           : entry.marked ? look.marked_line
                                          : look.line;
    pen.line(left, right, line.stroke(ink, entry.dashed, dashes_of(entry.color)));
    if (entry.marked) pen.marker(middle, look.marker, entry.color, ink, entry.dashed);
}

}  // namespace emergence
