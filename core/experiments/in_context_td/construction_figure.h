#pragma once
// The pictures of experiment "construction".

#include <vector>

#include "core/experiments/in_context_td/construction.h"
#include "core/metrics/construction_difference.h"

namespace emergence {

const MetricTable& construction_metrics();
const std::vector<MetricPlot>& construction_plots();

/// P and Q of every seed's last layer, and the mask, which all share.
std::vector<NamedMatrix> construction_matrices(const ConstructionConfig& config,
                                               const std::vector<ConstructedMatrices>& seeds);
/// P and Q: seeds x 1 x D x D.
ArrayMap construction_weights(const std::vector<ConstructedMatrices>& seeds);

/// All four algorithms, absolute above relative differences.
GridFigure figure_wang_13(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);

}  // namespace emergence
