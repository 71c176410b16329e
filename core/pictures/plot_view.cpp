#include "core/pictures/plot_view.h"

#include <fmt/format.h>

#include <cmath>

#include "core/pictures/axis.h"

namespace emergence {
namespace {

void set_limits(AxisSpec& axis, const AxisRange& range) {
    axis.minimum = range.first;
    axis.maximum = range.second;
}

std::optional<AxisRange> usable(const std::optional<AxisRange>& range, Scale scale) {
    return range && is_valid(*range, scale) ? range : std::nullopt;
}

// The column that the histogram reads: the nearest to the first vertical line, or the last with a value.
size_t column_read(const PlotSpec& plot, const Series& series) {
    const auto mark =
        std::find_if(plot.lines.begin(), plot.lines.end(), [](const ReferenceLine& line) { return line.vertical; });
    size_t best = 0;
    for (size_t i = 0; i < series.x.size(); ++i) {
        if (mark != plot.lines.end()) {
            if (std::abs(series.x[i] - mark->value) < std::abs(series.x[best] - mark->value)) best = i;
            continue;
        }
        const bool any = std::any_of(series.rows.begin(), series.rows.end(),
                                     [i](const auto& row) { return i < row.size() && std::isfinite(row[i]); });
        if (any) best = i;
    }
    return best;
}

// The values that the histogram reads from one series.
struct SeriesSample {
    const Series* series;
    std::vector<double> values;
    double x = 0.0;
};

std::vector<SeriesSample> read_samples(const PlotSpec& plot, PlotSpec& histogram) {
    std::vector<SeriesSample> samples;
    for (const Series& series : plot.series) {
        if (series.x.empty() || series.points) continue;  // a scatter has no last value
        const size_t column = column_read(plot, series);
        std::vector<double> values;
        gather_column(series.rows, column, values);
        if (series.rows.size() > 1)
            samples.push_back({&series, std::move(values), series.x[column]});
        else if (!values.empty())
            histogram.lines.push_back({series.name, values[0], true});
    }
    return samples;
}

std::vector<double> bin_edges(const std::vector<SeriesSample>& samples, const AxisSpec& axis) {
    PlotSpec all;
    all.x = axis;
    size_t most = 0;
    for (const SeriesSample& sample : samples) {
        all.series.push_back({"", sample.values, {}});
        most = std::max(most, sample.values.size());
    }
    const auto [low, high] = fit_x(all);
    const int count = std::clamp(static_cast<int>(std::lround(3.0 * std::sqrt(static_cast<double>(most)))), 8, 30);
    std::vector<double> edges;
    for (int i = 0; i <= count; ++i) edges.push_back(axis_value(static_cast<double>(i) / count, low, high, axis.scale));
    return edges;
}

// The number of seeds per bin, with an unused last entry. Adds to `outside` the number of values in no bin.
std::vector<double> count_in_bins(const std::vector<double>& values, const std::vector<double>& edges, int& outside) {
    std::vector<double> counts(edges.size(), 0.0);
    for (const double value : values) {
        const auto above = std::upper_bound(edges.begin(), edges.end(), value);
        if (above == edges.begin() || (above == edges.end() && value > edges.back())) {
            ++outside;
            continue;
        }
        const auto bin =
            std::min<std::ptrdiff_t>(above - edges.begin() - 1, static_cast<std::ptrdiff_t>(edges.size()) - 2);
        counts[static_cast<size_t>(bin)] += 1.0;
    }
    return counts;
}

}  // namespace

PlotSpec shown_as(PlotSpec plot, const PlotView& view) {
    plot.x.scale = view.x_scale.value_or(plot.x.scale);
    plot.y.scale = view.y_scale.value_or(plot.y.scale);
    plot.spread = view.spread.value_or(plot.spread);
    plot.smoothing = view.smoothing.value_or(plot.smoothing);
    plot.markers = plot.markers && view.markers;
    plot.sparse_markers = plot.sparse_markers && view.markers;
    if (view.histogram) plot = histogram_of(plot);
    for (Series& series : plot.series) series.hidden = view.hidden.count(series.name) != 0;
    return plot;
}

void set_ranges(PlotSpec& shown, const std::vector<SeriesShape>& shapes, const ViewRanges& ranges) {
    set_limits(shown.x, usable(ranges.x, shown.x.scale).value_or(fit_x(shown)));
    set_limits(shown.y, usable(ranges.y, shown.y.scale).value_or(fit_y(shown, shapes)));
}

bool is_valid(const AxisRange& range, Scale scale) {
    const auto [low, high] = range;
    if (!std::isfinite(low) || !std::isfinite(high) || !std::isfinite(high - low)) return false;
    if (scale == Scale::logarithmic) return low > 1e-300 && high / low > 1.0 + 1e-6;
    return high - low > 1e-9 * std::max(std::abs(low), std::abs(high)) && high - low > 1e-300;
}

AxisRange zoomed(const AxisRange& range, Scale scale, double fraction, double factor) {
    const auto end = [&](double at) {
        return axis_value(fraction + (at - fraction) * factor, range.first, range.second, scale);
    };
    const AxisRange result{end(0.0), end(1.0)};
    return is_valid(result, scale) ? result : range;
}

AxisRange panned(const AxisRange& range, Scale scale, double fraction) {
    const AxisRange result{axis_value(-fraction, range.first, range.second, scale),
                           axis_value(1.0 - fraction, range.first, range.second, scale)};
    return is_valid(result, scale) ? result : range;
}

bool has_distribution(const PlotSpec& plot) {
    return std::any_of(plot.series.begin(), plot.series.end(),
                       [](const Series& series) { return series.rows.size() > 1; });
}

PlotSpec histogram_of(const PlotSpec& plot) {
    PlotSpec histogram;
    histogram.id = plot.id;
    histogram.title = plot.title;
    histogram.note = plot.note;
    histogram.x = plot.y;
    histogram.y.label = "seeds";
    histogram.y.minimum = 0.0;
    for (const ReferenceLine& line : plot.lines)
        if (!line.vertical) histogram.lines.push_back({line.label, line.value, true});
    const std::vector<SeriesSample> samples = read_samples(plot, histogram);
    const std::vector<double> edges = bin_edges(samples, histogram.x);
    int outside = 0;
    for (const SeriesSample& sample : samples) {
        Series series{sample.series->name,
                      edges,
                      {count_in_bins(sample.values, edges, outside)},
                      sample.series->color,
                      sample.series->dashed};
        series.bars = true;
        histogram.series.push_back(std::move(series));
    }
    if (!samples.empty()) histogram.y.label = fmt::format("seeds at {} = {}", plot.x.label, readout(samples.front().x));
    if (outside > 0)
        histogram.readout = fmt::format("{} {} beyond the axis", outside, outside == 1 ? "value" : "values");
    return histogram;
}

}  // namespace emergence
