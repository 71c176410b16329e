#pragma once
// How a plot's values are spread over seeds at one moment.

#include "core/pictures/figure_spec.h"

namespace emergence {

/// Whether there is anything to be spread: a series with more than one row.
bool has_distribution(const PlotSpec& plot);

/// The plot's values over seeds as bars: how many seeds have which value. Read at the first vertical
/// reference line, where there is one, otherwise at the last x at which a seed of the series has a value.
/// Series with one row, and level reference lines, become upright lines. All series share the bins, which are
/// equally wide on the axis; values beyond the axis' cut are counted in the read-out.
PlotSpec histogram_of(const PlotSpec& plot);

}  // namespace emergence
