#pragma once
// Metrics and plots of experiment "construction", and Figure 13.

#include <vector>

#include "core/experiments/in_context_td/construction.h"

namespace emergence {

const MetricTable& construction_metrics();
const std::vector<MetricPlot>& construction_plots();

/// Figure 13: all four algorithms, with absolute differences above relative ones.
GridFigure figure_wang_13(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);

}  // namespace emergence
