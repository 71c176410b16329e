#pragma once
// Metrics and plots of experiment "construction", and Figure 13.

#include <vector>

#include "core/experiments/in_context_td/construction.h"

namespace emergence {

/// Differences of transformer and algorithm, their values, and their MSVE, after each layer.
const MetricTable& construction_metrics();

/// Absolute and relative differences, and predicted values, against layers.
const std::vector<MetricPlot>& construction_plots();

/// Figure 13: all four algorithms, with absolute differences above relative ones.
FigureInfo wang_13();

}  // namespace emergence
