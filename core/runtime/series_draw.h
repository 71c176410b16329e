#pragma once
// What a series over seeds looks like, without saying with what it is drawn: the window and the exporter
// share it.

#include <cstddef>
#include <utility>
#include <vector>

#include "core/runtime/figure_spec.h"

namespace emergence {

/// A series under a Spread, in data coordinates. All vectors are as long as x; NaN marks a gap.
struct SeriesShape {
    std::vector<double> x;
    std::vector<double> center;               // mean, or median
    std::vector<double> band_low, band_high;  // empty where the spread has no band, or there is one seed only
    std::vector<const std::vector<double>*>
        seeds;  // rows of the series, to be drawn thin; empty where there is a band
};

/// Borrows rows of `series`, which must outlive the shape.
SeriesShape shape_of(const Series& series, Spread spread);

/// Points of a line; a NaN in y is a gap.
struct LinePoints {
    std::vector<double> x;
    std::vector<double> y;
};

/// The same line with at most four points a pixel column (its first, lowest, highest and last, in their
/// order), so that no extreme is lost. `x` is in pixels and may reach outside [0, columns): of what is
/// outside only the neighbours of what is inside are kept, so that the line still runs to the edge. `y` is in
/// any unit. Points with a NaN in x count as gaps. Runs of gaps become one.
LinePoints decimate(const std::vector<double>& x, const std::vector<double>& y, int columns);

/// The [begin, end) of each longest run without a NaN.
std::vector<std::pair<size_t, size_t>> runs_without_gaps(const std::vector<double>& y);

}  // namespace emergence
