#include "core/pictures/plot_view.h"

#include <algorithm>
#include <cmath>

#include "core/pictures/axis.h"
#include "core/pictures/histogram.h"

namespace emergence {
namespace {

void set_limits(AxisSpec& axis, const AxisRange& range) {
    axis.minimum = range.first;
    axis.maximum = range.second;
}

std::optional<AxisRange> usable(const std::optional<AxisRange>& range, Scale scale) {
    return range && is_valid(*range, scale) ? range : std::nullopt;
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

}  // namespace emergence
