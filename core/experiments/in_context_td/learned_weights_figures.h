#pragma once
// Figures of Wang et al. 2025 that need many runs of experiment "td", and their measurements.

#include <vector>

#include "core/lab/study.h"

namespace emergence {

/// The table of these figures.
std::vector<GridFigureInfo> in_context_td_grid_figures();

/// Measures the claims of Figure 2 on its run.
std::vector<MeasuredClaim> measure_wang_2(const Snapshot& snapshot, const MetricHistory& history);

/// The claims that these figures measure.
std::vector<Claim> in_context_td_figure_claims();

}  // namespace emergence
