#pragma once
// The pictures of experiment "construction": what each layer is made of, the update that it carries out, and
// what more layers are good for.

#include <vector>

#include "core/experiments/in_context_td/construction.h"
#include "core/measures/construction_errors.h"

namespace emergence {

/// What one layer of a prompt's transformer is made of.
struct ConstructedMatrices {
    LayerMatrices layer;
    HeadMasks masks;
};

/// P, Q and the mask of every prompt's last layer; for average reward both heads' P and masks, Q and W.
std::vector<NamedMatrix> construction_matrices(const ConstructionConfig& config,
                                               const std::vector<ConstructedMatrices>& prompts);
/// The same without masks: prompts x 1 x rows x columns.
ArrayMap construction_weights(const ConstructionConfig& config,
                              const std::vector<ConstructedMatrices>& prompts);
/// The algorithm's step, and where it has one its trace or its running mean, tied to the blocks.
std::vector<Formula> construction_formulas(const ConstructionConfig& config);

/// Value error against layers, with the algorithm, its fixed point, best linear and predict-zero.
PlotSpec construction_error_curve(const ConstructionConfig& config, const std::vector<LayerErrors>& prompts);
/// Where more layers stop helping.
std::vector<Scalar> construction_scalars(const ConstructionConfig& config,
                                         const std::vector<LayerErrors>& prompts);

}  // namespace emergence
