#pragma once
// The user's view of a plot: zoom, hidden series, smoothing, scales. Applied to a PlotSpec it gives the plot that the
// window draws and the exporter writes.

#include <set>

#include "core/pictures/figure_spec.h"
#include "core/pictures/series_draw.h"

namespace emergence {

using AxisRange = std::pair<double, double>;  // low, high

/// The ranges that the user has chosen; an absent range is fitted to the data.
struct ViewRanges {
    std::optional<AxisRange> x, y;
    bool operator==(const ViewRanges&) const = default;
    bool fitted() const { return !x && !y; }
};

struct PlotView {
    ViewRanges curves;
    /// The ranges of the histogram, whose x is the curves' y.
    ViewRanges bars;
    // The plot's own, if absent.
    std::optional<Scale> x_scale, y_scale;
    std::optional<Spread> spread;
    std::optional<double> smoothing;
    bool histogram = false;
    bool markers = true;
    /// The names of hidden series.
    std::set<std::string> hidden;
    bool operator==(const PlotView&) const = default;

    /// The ranges of the present picture, histogram or curves.
    ViewRanges& ranges() { return histogram ? bars : curves; }
    const ViewRanges& ranges() const { return histogram ? bars : curves; }
};

/// The plot under the view, except for the ranges: hidden series, scales, spread, smoothing, markers, and the histogram
/// in place of the curves.
PlotSpec shown_as(PlotSpec plot, const PlotView& view);

/// Sets the axes' limits to the view's ranges, or to ranges fitted to the data. A range that is not is_valid() counts
/// as absent.
void set_ranges(PlotSpec& shown, const std::vector<SeriesShape>& shapes, const ViewRanges& ranges);

/// True if an axis can show the range: finite, low below high by more than rounding, positive on a logarithmic axis.
bool is_valid(const AxisRange& range, Scale scale);

/// The range after zooming about the point at `fraction` of the axis (0 low, 1 high); `factor` below 1 magnifies. The
/// old range if the result is not valid.
AxisRange zoomed(const AxisRange& range, Scale scale, double fraction, double factor);

/// The range after dragging the contents by `fraction` of the axis' length. The old range if the result is not valid.
AxisRange panned(const AxisRange& range, Scale scale, double fraction);

/// True if a series of the plot has more than one row.
bool has_distribution(const PlotSpec& plot);

/// A histogram over seeds of the plot's values: at the first vertical reference line, or, without one, at the last x at
/// which a seed of the series has a value. Series with one row and horizontal reference lines become vertical lines.
/// All series share the bins, which are equally wide on the axis. The read-out counts values beyond the axis' cut.
PlotSpec histogram_of(const PlotSpec& plot);

}  // namespace emergence
