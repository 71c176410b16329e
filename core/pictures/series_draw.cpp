#include "core/base/ranges.h"
#include "core/pictures/axis.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <tuple>

#include "core/base/statistics.h"
#include "core/base/text.h"

namespace emergence {

// The ends of a band; quartiles only if `summary` has them.
static std::pair<double, double> band_of(const Summary& summary, Spread spread, bool share) {
    if (share) return share_interval(summary.mean, summary.count);
    if (spread == Spread::median) return {summary.lower_quartile, summary.upper_quartile};
    const double reach = spread == Spread::deviation ? summary.deviation : summary.standard_error;
    return {summary.mean - reach, summary.mean + reach};
}

static void add_center(const std::vector<std::vector<double>>& rows, Spread spread, bool band, bool share,
                       SeriesShape& shape) {
    const size_t n = shape.x.size();
    shape.center.assign(n, kMissing);
    if (band) {
        shape.band_low.assign(n, kMissing);
        shape.band_high.assign(n, kMissing);
    }
    std::vector<double> values;
    for (size_t i = 0; i < n; ++i) {
        gather_column(rows, i, values);
        const Summary summary = summarise(values, spread == Spread::median);
        shape.center[i] = spread == Spread::median ? summary.median : summary.mean;
        if (!band || summary.count == 0) continue;
        std::tie(shape.band_low[i], shape.band_high[i]) = band_of(summary, spread, share);
    }
}

// True if the two look the same in any drawing.
static bool coincide(const Series& one, const Series& other) {
    if (one.bars != other.bars || one.points != other.points || one.x != other.x ||
        one.rows.size() != other.rows.size())
        return false;
    double largest = 0.0;
    double apart = 0.0;
    for (size_t r = 0; r < one.rows.size(); ++r) {
        if (one.rows[r].size() != other.rows[r].size()) return false;
        for (size_t i = 0; i < one.rows[r].size(); ++i) {
            const double a = one.rows[r][i], b = other.rows[r][i];
            if (std::isfinite(a) != std::isfinite(b)) return false;
            if (!std::isfinite(a)) continue;
            largest = std::max({largest, std::abs(a), std::abs(b)});
            apart = std::max(apart, std::abs(a - b));
        }
    }
    return largest > 0.0 && apart <= 1e-4 * largest;
}

SeriesShape shape_of(const Series& series, const PlotSpec& plot) {
    SeriesShape shape;
    if (series.hidden) return shape;
    shape.x = series.x;
    const bool many = series.rows.size() > 1;
    const bool every_seed = plot.spread == Spread::every_seed;
    // The median of zeros and ones says less than their share.
    const Spread spread = series.share && !every_seed ? Spread::standard_error : plot.spread;
    const bool smooths = plot.smoothing > 0.0 && !series.bars && !series.points && !series.trail;
    std::vector<std::vector<double>> smooth_rows;
    if (smooths)
        for (const std::vector<double>& row : series.rows) smooth_rows.push_back(smoothed(row, plot.smoothing));
    const auto& rows = smooths ? smooth_rows : series.rows;
    add_center(rows, spread, (many || series.share) && !every_seed, series.share, shape);
    if (smooths) {
        SeriesShape unsmoothed;
        unsmoothed.x = series.x;
        add_center(series.rows, spread, false, false, unsmoothed);
        shape.raw = std::move(unsmoothed.center);
    }
    const auto highlighted = static_cast<size_t>(plot.highlighted_seed);
    if (many && plot.highlighted_seed >= 0 && highlighted < rows.size()) shape.highlighted = rows[highlighted];
    if (many && every_seed) shape.seeds = smooths ? std::move(smooth_rows) : series.rows;
    return shape;
}

std::vector<SeriesShape> shapes_of(const PlotSpec& plot) {
    std::vector<SeriesShape> shapes = mapped(plot.series, [&](const Series& one) { return shape_of(one, plot); });
    if (plot.spread != Spread::every_seed && plot.highlighted_seed < 0) return shapes;
    // Two colours on top of each other would make a third one, which no legend names.
    const std::vector<int> same = coinciding_series(plot);
    for (size_t i = 0; i < shapes.size(); ++i)
        if (same[i] >= 0 && !plot.series[same[i]].hidden) {
            shapes[i].seeds.clear();
            shapes[i].highlighted.clear();
        }
    return shapes;
}

bool is_dashed(const Series& series) { return series.dashed || repeats_of(series.color) > 0; }

std::vector<int> coinciding_series(const PlotSpec& plot) {
    std::vector<int> same(plot.series.size(), -1);
    for (size_t i = 1; i < plot.series.size(); ++i)
        for (size_t j = 0; j < i && same[i] < 0; ++j)
            if (coincide(plot.series[i], plot.series[j])) same[i] = static_cast<int>(j);
    return same;
}

std::vector<std::string> legend_names(const PlotSpec& plot) {
    const std::vector<int> same = coinciding_series(plot);
    std::vector<std::string> names;
    for (size_t i = 0; i < plot.series.size(); ++i) {
        names.push_back(plot.series[i].name);
        if (same[i] < 0) continue;
        const std::string& other = plot.series[same[i]].name;
        if (!names.back().empty() && !other.empty()) names.back() += " (= " + other + ")";
    }
    return names;
}

std::string row_name(const PlotSpec& plot, size_t row) {
    return row < plot.seeds.size() ? fmt::format("{} {}", plot.row_word, plot.seeds[row]) : fmt::format("run {}", row);
}

std::string highlight_note(const PlotSpec& plot) {
    const auto row = static_cast<size_t>(plot.highlighted_seed);
    const bool drawn = plot.highlighted_seed >= 0 && any_of(plot.series, [row](const Series& series) {
                           return !series.hidden && !series.bars && series.rows.size() > 1 && row < series.rows.size();
                       });
    if (!drawn) return "";
    const char* line = plot.spread == Spread::every_seed ? "stronger thin line" : "thin line";
    return fmt::format("{}: {}", line, row_name(plot, row));
}

std::vector<double> exits_of(const PlotSpec& plot, const SeriesShape& shape) {
    std::vector<double> exits;
    const double high = plot.y.maximum.value_or(std::numeric_limits<double>::infinity());
    const double low = plot.y.minimum.value_or(0.0);
    // In a zoomed view the user wants to leave things out.
    if (!plot.y.cut || std::abs(high - *plot.y.cut) > 1e-9 * std::abs(high)) return exits;
    double before = kMissing;  // the previous point, as a share of the axis
    for (size_t i = 0; i < shape.center.size(); ++i) {
        const double at = axis_fraction(shape.center[i], low, high, plot.y.scale);
        if (at > 1.0 && !(before > 1.0))
            exits.push_back(std::isnan(before) ? shape.x[i]
                                               : std::lerp(shape.x[i - 1], shape.x[i], (1.0 - before) / (at - before)));
        before = at;
    }
    return exits;
}

std::vector<double> smoothed(const std::vector<double>& values, double weight) {
    std::vector<double> result = values;
    double average = 0.0;
    double missing_weight = 1.0;  // weight^t
    for (double& value : result) {
        if (!std::isfinite(value)) continue;
        average = weight * average + (1.0 - weight) * value;
        missing_weight *= weight;
        value = average / (1.0 - missing_weight);
    }
    return result;
}

std::vector<std::pair<double, double>> marker_outline(int color) {
    // Corners on the unit circle, the first at angle 2 pi `turn`. If `inner` is below 1, every second corner lies on a
    // circle of that radius, which makes a star. Width and height make a bar.
    struct Shape {
        int corners;
        double turn, inner, width, height;
    };
    static constexpr Shape kShapes[kNumCategorical] = {
        {16, 0.0, 1.0, 1.0, 1.0}, {4, 0.125, 1.0, 1.0, 1.0}, {4, 0.0, 1.0, 1.0, 1.0},     {3, -0.25, 1.0, 1.0, 1.0},
        {3, 0.25, 1.0, 1.0, 1.0}, {4, 0.125, 1.0, 0.5, 1.4}, {10, -0.25, 0.45, 1.0, 1.0}, {4, 0.125, 1.0, 1.4, 0.5},
        {3, 0.5, 1.0, 1.0, 1.0},  {3, 0.0, 1.0, 1.0, 1.0},   {8, 0.0, 0.35, 1.0, 1.0},    {8, 0.125, 0.35, 1.0, 1.0}};
    const Shape& shape = kShapes[static_cast<size_t>(((color % kNumCategorical) + kNumCategorical) % kNumCategorical)];
    std::vector<std::pair<double, double>> outline;
    for (int i = 0; i < shape.corners; ++i) {
        const double angle = 2.0 * std::numbers::pi * (shape.turn + static_cast<double>(i) / shape.corners);
        const double radius = i % 2 == 1 ? shape.inner : 1.0;
        outline.emplace_back(shape.width * radius * std::cos(angle), shape.height * radius * std::sin(angle));
    }
    return outline;
}

size_t marker_stride(double apart, double least) {
    return apart > 0.0 ? static_cast<size_t>(std::ceil(least / apart)) : 1;
}

// Points of the drawn lines that are at or below zero on a logarithmic axis, which cannot show them.
static int count_unshowable(const PlotSpec& plot, const std::vector<SeriesShape>& shapes) {
    const auto hidden = [](const AxisSpec& axis, double value) {
        return axis.scale == Scale::logarithmic && value <= 0.0;
    };
    int count = 0;
    for (const SeriesShape& shape : shapes)
        for (size_t i = 0; i < shape.center.size(); ++i)
            if (std::isfinite(shape.x[i]) && std::isfinite(shape.center[i]))
                count += hidden(plot.x, shape.x[i]) || hidden(plot.y, shape.center[i]) ? 1 : 0;
    return count;
}

// Seeds as points beyond axes with limits.
static int count_outside(const PlotSpec& plot) {
    if (!plot.x.minimum || !plot.x.maximum || !plot.y.minimum || !plot.y.maximum) return 0;
    const auto beyond = [](const AxisSpec& axis, double value) {
        return value < *axis.minimum || value > *axis.maximum;
    };
    int count = 0;
    for (const Series& series : plot.series)
        for (size_t i = 0; series.points && !series.hidden && i < series.seeds.size(); ++i)
            count += beyond(plot.x, series.x[i]) || beyond(plot.y, series.rows[0][i]) ? 1 : 0;
    return count;
}

std::string drawing_note(const PlotSpec& plot, const std::vector<SeriesShape>& shapes) {
    std::vector<std::string> notes;
    if (const int count = count_unshowable(plot, shapes)) notes.push_back(counted(count, "point") + " ≤ 0 not shown");
    if (const int count = count_outside(plot))
        notes.push_back(counted(count, counted_as(plot.row_word)) + " beyond the axes");
    const bool cut = any_of(shapes, [&](const SeriesShape& shape) { return !exits_of(plot, shape).empty(); });
    if (cut) notes.push_back("y axis ends at " + readout(*plot.y.maximum));
    if (cut && plot.y.largest) notes.push_back("the largest value is " + readout(*plot.y.largest));
    return listed(notes, std::identity(), "; ");
}

}  // namespace emergence
