#pragma once
// The parts of experiment "construction": the matrices of each layer, its update, the value error against layers,
// and Figure 13.

#include <vector>

#include "core/experiments/in_context_td/construction/construction.h"
#include "core/lab/figures/claims.h"
#include "core/lab/views/run_views.h"
#include "core/measures/construction_errors.h"

namespace emergence {

/// The matrices and masks of one layer of a prompt's transformer.
struct ConstructedMatrices {
    LayerMatrices layer;
    HeadMasks masks;
};

/// P, Q and the mask of every prompt's last layer; for average reward both heads' P and masks, Q and W.
std::vector<NamedMatrix> construction_matrices(const ConstructionConfig& config,
                                               const std::vector<ConstructedMatrices>& prompts);
/// The same matrices without masks, each an array of prompts x 1 x rows x columns.
ArrayMap construction_weights(const ConstructionConfig& config, const std::vector<ConstructedMatrices>& prompts);
/// The algorithm's step, and its trace or running mean if it has one, tied to the blocks.
std::vector<Formula> construction_formulas(const ConstructionConfig& config);

/// Value error against layers, with the algorithm, its fixed point, best linear and predict-zero.
PlotSpec construction_error_curve(const ConstructionConfig& config, const std::vector<LayerErrors>& prompts);
/// The layer at which more layers stop helping, the share of settled prompts, the best layer, and the
/// contraction per layer.
std::vector<Scalar> construction_scalars(const ConstructionConfig& config, const std::vector<LayerErrors>& prompts);

/// What a prompt measures after each layer: the difference of transformer and algorithm, their values, their MSVE.
struct ConstructionMeasured {
    double absolute = 0, relative = 0, transformer = 0, algorithm = 0, msve = 0, msve_algorithm = 0;
};
Metrics<ConstructionMeasured> construction_metrics();

/// Absolute and relative differences, and predicted values, against layers.
std::vector<MetricPlot> construction_plots();

}  // namespace emergence
