#pragma once
// The figures of Wang et al. 2025 that take many runs of experiment "td", and what they measure.

#include <vector>

#include "core/lab/study.h"

namespace emergence {

std::vector<GridFigureInfo> in_context_td_grid_figures();

/// What Figure 2's run measures of its claims.
std::vector<MeasuredClaim> measure_wang_2(const Snapshot& snapshot, const MetricHistory& history);

/// The claims that figures measure.
std::vector<Claim> in_context_td_figure_claims();

}  // namespace emergence
