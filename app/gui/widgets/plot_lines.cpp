#include "app/gui/widgets/plot_lines.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/gui/widgets/strokes.h"
#include "core/pictures/line_style.h"

namespace emergence {
namespace {

// Pixels that a line may leave the plot before it is cut: its end must not show.
constexpr float kBeyond = 8.0F;

// A line in pixels, thinned to the columns of the plot, in runs without gaps.
std::vector<PixelRun> runs_of(const PlotFrame& frame, const std::vector<double>& x,
                              const std::vector<double>& y) {
    std::vector<PixelRun> runs;
    if (y.empty()) return runs;
    std::vector<double> across(x.size());
    std::vector<double> up(x.size(), std::numeric_limits<double>::quiet_NaN());
    for (size_t i = 0; i < x.size(); ++i) {
        across[i] = frame.x.pixel(x[i]) - frame.area_min.x;
        if (i < y.size()) up[i] = frame.y.pixel(y[i]);
    }
    const LinePoints thin =
        decimate(across, up, std::max(1, static_cast<int>(frame.area_max.x - frame.area_min.x)));
    for (const auto& [begin, end] : runs_without_gaps(thin.y)) {
        const std::vector<double> run_x(thin.x.begin() + static_cast<std::ptrdiff_t>(begin),
                                        thin.x.begin() + static_cast<std::ptrdiff_t>(end));
        const std::vector<double> run_y(thin.y.begin() + static_cast<std::ptrdiff_t>(begin),
                                        thin.y.begin() + static_cast<std::ptrdiff_t>(end));
        for (auto& visible :
             clip_to_band(run_x, run_y, frame.area_min.y - kBeyond, frame.area_max.y + kBeyond)) {
            for (ImVec2& point : visible) point.x += frame.area_min.x;
            runs.push_back(std::move(visible));
        }
    }
    return runs;
}

// A height in pixels; an error of 1e30 is one that no drawing survives, and far outside is far enough.
float near_height(const PlotFrame& frame, double value) {
    const double reach = 20.0 * (frame.area_max.y - frame.area_min.y);
    const double pixel = frame.y.pixel(value);
    return static_cast<float>(std::clamp(pixel, frame.area_min.y - reach, frame.area_max.y + reach));
}

std::vector<SeriesPixels::Band> bands_of(const PlotFrame& frame, const SeriesShape& shape) {
    std::vector<SeriesPixels::Band> bands;
    SeriesPixels::Band band;
    const auto flush = [&] {
        if (band.lower.size() > 1) bands.push_back(std::move(band));
        band = {};
    };
    for (size_t i = 0; i < shape.band_low.size(); ++i) {
        const auto x = static_cast<float>(frame.x.pixel(shape.x[i]));
        const float high = near_height(frame, shape.band_high[i]);
        // A band that reaches to zero or below has no lower end on a log axis: it runs out of the picture.
        const bool endless = std::isnan(frame.y.pixel(shape.band_low[i])) && std::isfinite(shape.band_low[i]);
        const float low = endless ? frame.area_max.y + kBeyond : near_height(frame, shape.band_low[i]);
        if (!std::isfinite(x) || !std::isfinite(low) || !std::isfinite(high)) {
            flush();
        } else if (!band.lower.empty() && x < band.lower.back().x + 1.0F) {
            band.lower.back().y = std::max(band.lower.back().y, low);
            band.upper.back().y = std::min(band.upper.back().y, high);
        } else {
            band.lower.emplace_back(x, low);
            band.upper.emplace_back(x, high);
        }
    }
    flush();
    return bands;
}

PixelRun bars_of(const PlotFrame& frame, const SeriesShape& shape) {
    PixelRun outline;
    const float ground = std::clamp(near_height(frame, 0.0), frame.area_min.y - kBeyond, frame.area_max.y);
    const float base = std::isfinite(ground) ? ground : frame.area_max.y;
    for (size_t i = 0; i + 1 < shape.x.size(); ++i) {
        const float top = near_height(frame, shape.center[i]);
        for (const double edge : {shape.x[i], shape.x[i + 1]})
            if (const double x = frame.x.pixel(edge); std::isfinite(x))
                outline.emplace_back(static_cast<float>(std::clamp(x, -1e5, 1e5)),
                                     std::isfinite(top) ? top : base);
    }
    if (outline.empty()) return outline;
    outline.insert(outline.begin(), {outline.front().x, base});
    outline.emplace_back(outline.back().x, base);
    return outline;
}

// Marks on the measured points where there is room between them; a point between two gaps always has one.
void draw_markers(const Ui& ui, ImDrawList* list, const PixelRun& run, const Series& series, ImU32 color,
                  const PlotSpec& spec) {
    if (run.size() == 1) list->AddCircleFilled(run[0], ui.px(3), color);
    if (run.size() < 2) return;
    const float apart = (run.back().x - run.front().x) / static_cast<float>(run.size() - 1);
    if (spec.markers && !series.dashed && apart >= ui.px(9)) {
        for (const ImVec2& at : run) draw_marker(list, at, 3.0F * ui.scale, series.color, color);
        return;
    }
    if (!spec.sparse_markers || series.name.empty()) return;
    // Each line begins elsewhere, so that where lines meet their marks do not.
    const size_t stride = marker_stride(static_cast<double>(apart), static_cast<double>(ui.px(84)));
    const auto phase =
        static_cast<size_t>(((series.color * 5) % kNumCategorical + kNumCategorical) % kNumCategorical);
    for (size_t i = stride * (phase + 1) / (kNumCategorical + 1); i < run.size(); i += stride)
        draw_marker(list, run[i], 4.0F * ui.scale, series.color, color, series.dashed);
}

// The points of a scatter, each a run of its own so that no line joins them.
std::vector<PixelRun> points_of(const PlotFrame& frame, const SeriesShape& shape) {
    std::vector<PixelRun> points;
    for (size_t i = 0; i < std::min(shape.x.size(), shape.center.size()); ++i) {
        const auto x = static_cast<float>(frame.x.pixel(shape.x[i]));
        const auto y = static_cast<float>(frame.y.pixel(shape.center[i]));
        if (x >= frame.area_min.x - kBeyond && x <= frame.area_max.x + kBeyond &&
            y >= frame.area_min.y - kBeyond && y <= frame.area_max.y + kBeyond)
            points.push_back({{x, y}});
    }
    return points;
}

// Bars that touch share an outline; where there is none, nothing is drawn.
void draw_bars(const Ui& ui, ImDrawList* list, const PixelRun& outline, ImU32 color, const Series& series) {
    const bool filled = !series.dashed;
    if (outline.size() < 4) return;
    const float base = outline.front().y;
    const auto stroke = [&](PixelRun& run) {
        if (!run.empty()) run.emplace_back(run.back().x, base);
        if (filled)
            draw_stroke(list, run, color, 1.4F * ui.scale);
        else
            draw_dashed(list, run, color, 1.4F * ui.scale, ui.px(4), dashes_of(series.color));
        run.clear();
    };
    PixelRun run;
    for (size_t i = 1; i + 2 < outline.size(); i += 2) {
        if (outline[i].y == base) {
            stroke(run);
            continue;
        }
        if (filled) list->AddRectFilled(outline[i], {outline[i + 1].x, base}, with_alpha(color, 0.35F));
        if (run.empty()) run.emplace_back(outline[i].x, base);
        // Bars of the same height have one straight top: a point that is there twice has no direction, and
        // its line no width.
        if (run.back().y == outline[i].y)
            run.back() = outline[i + 1];
        else
            run.insert(run.end(), {outline[i], outline[i + 1]});
    }
    stroke(run);
}

float strength(Emphasis emphasis) { return emphasis == Emphasis::faint ? 0.3F : 1.0F; }

void draw_series_ground(const Ui& ui, ImDrawList* list, const Series& series, const SeriesPixels& pixels,
                        Emphasis emphasis) {
    const ImU32 color = series_color(ui, series.color);
    const float band = ui.theme == Theme::dark ? 0.24F : 0.18F;
    for (const SeriesPixels::Band& part : pixels.bands)
        draw_band(list, part.lower, part.upper, with_alpha(color, band * strength(emphasis)));
    if (series.bars) draw_bars(ui, list, pixels.bars, with_alpha(color, strength(emphasis)), series);
    // Beside one that stands out, the other seeds step back.
    const float seeds = (pixels.highlighted.empty() ? 0.45F : 0.25F) * strength(emphasis);
    for (const PixelRun& run : pixels.seeds) {
        if (series.dashed)  // so that what lies below shows through
            draw_dashed(list, run, with_alpha(color, std::min(1.0F, 1.5F * seeds)), 1.0F, ui.px(4),
                        dashes_of(series.color));
        else
            draw_stroke(list, run, with_alpha(color, seeds), 1.0F);
    }
    for (const PixelRun& run : pixels.raw) draw_stroke(list, run, with_alpha(color, 0.3F), 1.0F);
    // Thin and below the mean, which it must neither hide nor be taken for.
    for (const PixelRun& run : pixels.highlighted) {
        const ImU32 line = with_alpha(color, 0.9F * strength(emphasis));
        if (series.dashed)
            draw_dashed(list, run, line, 1.0F * ui.scale, ui.px(2), dashes_of(series.color));
        else
            draw_stroke(list, run, line, 1.0F * ui.scale);
    }
}

// A chevron upwards at the top edge for every place where the line goes on beyond a cut axis.
void draw_exits(const Ui& ui, ImDrawList* list, const PlotFrame& frame, const SeriesPixels& pixels,
                ImU32 color) {
    const float half = ui.px(5);
    for (const float x : pixels.exits) {
        const float at = std::clamp(x, frame.area_min.x + half + 1.0F, frame.area_max.x - half - 1.0F);
        const float top = frame.area_min.y + ui.px(2);
        for (const float down : {0.0F, ui.px(5)}) {
            const ImVec2 points[] = {
                {at - half, top + down + half}, {at, top + down}, {at + half, top + down + half}};
            list->AddPolyline(points, 3, color, ImDrawFlags_None, 2.0F * ui.scale);
        }
    }
}

// Far enough apart to be told from each other; a line that trembles about the edge has one mark.
std::vector<float> exits_in(const PlotFrame& frame, const std::vector<double>& exits) {
    std::vector<float> pixels;
    for (const double exit : exits) {
        const double x = frame.x.pixel(exit);
        if (!(x >= frame.area_min.x && x <= frame.area_max.x)) continue;
        if (pixels.empty() || x > static_cast<double>(pixels.back()) + 40.0)
            pixels.push_back(static_cast<float>(x));
    }
    return pixels;
}

void draw_center(const Ui& ui, ImDrawList* list, const Series& series, const SeriesPixels& pixels,
                 Emphasis emphasis, const PlotSpec& spec) {
    const ImU32 color = with_alpha(series_color(ui, series.color), strength(emphasis));
    const float more = emphasis == Emphasis::strong ? 1.0F : 0.0F;
    if (series.points) {
        for (const PixelRun& point : pixels.center)
            draw_marker(list, point[0], (3.0F + more) * ui.scale, series.color, color, series.dashed);
        return;
    }
    for (const PixelRun& run : pixels.center) {
        if (series.dashed) {
            draw_dashed(list, run, color, (1.6F + more) * ui.scale, ui.px(5), dashes_of(series.color));
        } else {
            draw_stroke(list, run, color, (2.0F + more) * ui.scale);
        }
        draw_markers(ui, list, run, series, color, spec);
    }
}

// The heights of the last fifth of what is drawn, held to the right edge.
void add_way_ahead(const PlotFrame& frame, const SeriesPixels& series, Obstacles& obstacles) {
    float right = frame.area_min.x;
    for (const auto* runs : {&series.center, &series.raw, &series.seeds})
        for (const PixelRun& run : *runs) right = std::max(right, run.back().x);
    if (right >= frame.area_max.x) return;
    const float from = right - 0.2F * (right - frame.area_min.x);
    float top = std::numeric_limits<float>::infinity();
    float bottom = -top;
    const auto add = [&](const PixelRun& run) {
        for (const ImVec2& point : run)
            if (point.x >= from) top = std::min(top, point.y), bottom = std::max(bottom, point.y);
    };
    for (const auto* runs : {&series.center, &series.raw, &series.seeds})
        for (const PixelRun& run : *runs) add(run);
    for (const SeriesPixels::Band& band : series.bands) {
        add(band.upper);
        add(band.lower);
    }
    if (top > bottom) return;
    const std::vector<Point> ahead = {
        {right, top}, {frame.area_max.x, top}, {frame.area_max.x, bottom}, {right, bottom}};
    obstacles.add_line(ahead);
    obstacles.add_area(ahead);
}

}  // namespace

SeriesPixels pixels_of(const PlotFrame& frame, const PlotSpec& spec, const Series& series,
                       const SeriesShape& shape) {
    SeriesPixels pixels;
    if (series.bars) {
        pixels.bars = bars_of(frame, shape);
        return pixels;
    }
    if (series.points) {
        pixels.center = points_of(frame, shape);
        pixels.scattered = true;
        return pixels;
    }
    pixels.center = runs_of(frame, shape.x, shape.center);
    pixels.raw = runs_of(frame, shape.x, shape.raw);
    pixels.highlighted = runs_of(frame, shape.x, shape.highlighted);
    for (const std::vector<double>& seed : shape.seeds)
        for (PixelRun& run : runs_of(frame, shape.x, seed)) pixels.seeds.push_back(std::move(run));
    pixels.bands = bands_of(frame, shape);
    pixels.exits = exits_in(frame, exits_of(spec, shape));
    return pixels;
}

void draw_lines(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame,
                const std::vector<SeriesPixels>& pixels, const std::vector<Emphasis>& emphasis) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (size_t i = 0; i < pixels.size(); ++i)
        draw_series_ground(ui, list, spec.series[i], pixels[i], emphasis[i]);
    for (const bool dashed : {false, true})
        for (size_t i = 0; i < pixels.size(); ++i)
            if (spec.series[i].dashed == dashed)
                draw_center(ui, list, spec.series[i], pixels[i], emphasis[i], spec);
    for (size_t i = 0; i < pixels.size(); ++i)
        draw_exits(ui, list, frame, pixels[i],
                   with_alpha(series_color(ui, spec.series[i].color), strength(emphasis[i])));
}

Obstacles obstacles_of(const PlotFrame& frame, const std::vector<SeriesPixels>& pixels) {
    Obstacles obstacles;
    const auto add = [&](const PixelRun& run) {
        std::vector<Point> line;
        for (const ImVec2& point : run) line.push_back({point.x, point.y});
        obstacles.add_line(std::move(line));
    };
    for (const SeriesPixels& series : pixels) {
        for (const auto* runs : {&series.center, &series.raw, &series.highlighted, &series.seeds})
            for (const PixelRun& run : *runs) add(run);
        for (const SeriesPixels::Band& band : series.bands) {
            PixelRun outline = band.upper;
            outline.insert(outline.end(), band.lower.rbegin(), band.lower.rend());
            add(outline);
        }
        if (!series.scattered) add_way_ahead(frame, series, obstacles);
        add(series.bars);
        if (!series.bars.empty()) {
            std::vector<Point> filled;
            for (const ImVec2& point : series.bars) filled.push_back({point.x, point.y});
            obstacles.add_area(std::move(filled));
        }
        for (const float x : series.exits) obstacles.add_box({x - 8.0F, frame.area_min.y, 16.0F, 16.0F});
    }
    return obstacles;
}

}  // namespace emergence
