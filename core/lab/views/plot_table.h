#pragma once
// A plot's lines as a table, to be pasted elsewhere.

#include <string>
#include <vector>

#include "core/pictures/axis.h"
#include "core/pictures/figure_spec.h"

namespace emergence {

/// CSV with one row an x and, for each series that is not hidden, its centre as drawn, the ends of its band
/// and its seeds where they are drawn; nan where a series has nothing.
std::string plot_csv(const PlotSpec& plot, const std::vector<SeriesShape>& shapes);

}  // namespace emergence
