#pragma once
// What experiment "construction" logs, and Figure 13.

#include <vector>

#include "core/experiments/in_context_td/construction.h"

namespace emergence {

const MetricTable& construction_metrics();
const std::vector<MetricPlot>& construction_plots();

/// All four algorithms, absolute above relative differences.
GridFigure figure_wang_13(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);

}  // namespace emergence
