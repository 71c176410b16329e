#pragma once
// How a plot is looked at: what its user has zoomed, hidden, smoothed or put on a logarithmic axis. Applied
// to a PlotSpec it gives the plot as it is drawn, which is also what is exported.

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/pictures/figure_spec.h"
#include "core/pictures/series_draw.h"

namespace emergence {

using AxisRange = std::pair<double, double>;  // low, high

/// The ranges that the user has chosen; fitted to the data where absent.
struct ViewRanges {
    std::optional<AxisRange> x, y;
    bool operator==(const ViewRanges&) const = default;
    bool fitted() const { return !x && !y; }
};

struct PlotView {
    ViewRanges curves;                      // of the curves
    ViewRanges bars;                        // of the histogram, whose x is the curves' y
    std::optional<Scale> x_scale, y_scale;  // the plot's own where absent
    std::optional<Spread> spread;
    std::optional<double> smoothing;
    bool histogram = false;
    bool markers = true;
    std::set<std::string> hidden;  // names of series
    bool operator==(const PlotView&) const = default;

    /// Of what is shown now.
    ViewRanges& ranges() { return histogram ? bars : curves; }
    const ViewRanges& ranges() const { return histogram ? bars : curves; }
};

/// The plot as it is drawn under the view, the ranges left out: hidden series, scales, spread, smoothing, and
/// the histogram in place of the curves.
PlotSpec shown_as(PlotSpec plot, const PlotView& view);

/// Puts the view's ranges, or the ones fitted to the data, into the axes' limits. A range that its axis
/// cannot show (see is_valid) counts as absent.
void set_ranges(PlotSpec& shown, const std::vector<SeriesShape>& shapes, const ViewRanges& ranges);

/// Whether an axis can have the range: finite, low below high by more than rounding, positive on a
/// logarithmic axis.
bool is_valid(const AxisRange& range, Scale scale);

/// The range after zooming: `factor` below 1 magnifies; what is at `fraction` of the axis (0 low, 1 high)
/// stays where it is. The range itself where the result would not be valid.
AxisRange zoomed(const AxisRange& range, Scale scale, double fraction, double factor);

/// The range after dragging what is seen by `fraction` of the axis' length.
AxisRange panned(const AxisRange& range, Scale scale, double fraction);

}  // namespace emergence
