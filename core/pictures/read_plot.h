#pragma once
// Reading a plot: all values at an x, and the point that is nearest to the pointer.

#include <optional>
#include <string>
#include <vector>

#include "core/pictures/figure_spec.h"
#include "core/pictures/plot_place.h"
#include "core/pictures/series_draw.h"

namespace emergence {

/// The drawn point that is nearest to the pointer.
struct NearestPoint {
    size_t series = 0;
    std::optional<size_t> seed;  // where it lies on a seed's own line
    double x = 0.0, y = 0.0;
    double distance = 0.0;  // pixels
};

struct PlotReading {
    double x = 0.0;                       // measured; of a histogram, where the pointer is
    std::vector<double> values;           // of each series at that x; NaN where it has none
    std::optional<NearestPoint> nearest;  // where one is near
};

/// What is at the pointer; nothing where there is no data. The x is that of the nearest point where one is within
/// `reach`, otherwise the measured one that is nearest.
std::optional<PlotReading> read_at(const PlotSpec& spec, const std::vector<SeriesShape>& shapes, const PlotPlace& place,
                                   Point pointer, double reach);
/// What all series have at `x`, or at the measured x nearest to it.
PlotReading read_at_x(const PlotSpec& spec, const std::vector<SeriesShape>& shapes, double x);

/// What a series has there: "0.93 ± 0.01".
std::string reading_text(const PlotSpec& spec, size_t series, const SeriesShape& shape, const PlotReading& reading);
/// The x, or "not determined" of a point without one.
std::string reading_of_x(const PlotSpec& spec, const std::vector<SeriesShape>& shapes, const PlotReading& reading);
/// A line a series, as the read-out has them: "IWS 0.93 ± 0.01"; the x first.
std::vector<std::string> reading_lines(const PlotSpec& spec, const std::vector<SeriesShape>& shapes,
                                       const PlotReading& reading);

}  // namespace emergence
