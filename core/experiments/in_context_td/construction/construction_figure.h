#pragma once
// Metrics and plots of experiment "construction", and Figure 13.

#include <vector>

#include "core/experiments/in_context_td/construction/construction.h"
#include "core/lab/views/measured.h"

namespace emergence {

/// What a prompt measures after each layer: the difference of transformer and algorithm, their values, their MSVE.
struct ConstructionMeasured {
    double absolute = 0, relative = 0, transformer = 0, algorithm = 0, msve = 0, msve_algorithm = 0;
};
Metrics<ConstructionMeasured> construction_metrics();

/// Absolute and relative differences, and predicted values, against layers.
std::vector<MetricPlot> construction_plots();

/// Figure 13: all four algorithms, with absolute differences above relative ones.
FigureInfo wang_13();

}  // namespace emergence
