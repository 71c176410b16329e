#pragma once
// The distribution of a plot's values over seeds at one moment.

#include "core/pictures/figure_spec.h"

namespace emergence {

/// True if a series of the plot has more than one row.
bool has_distribution(const PlotSpec& plot);

/// A histogram over seeds of the plot's values: at the first vertical reference line, or, without one, at the last x at
/// which a seed of the series has a value. Series with one row and horizontal reference lines become vertical lines.
/// All series share the bins, which are equally wide on the axis. The read-out counts values beyond the axis' cut.
PlotSpec histogram_of(const PlotSpec& plot);

}  // namespace emergence
