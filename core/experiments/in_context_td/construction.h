#pragma once
// Experiment "construction": compares constructed transformers with the algorithms that they are proven to
// implement, layer by layer in double (Figure 13 of Wang et al. 2025), and shows at which layer their value
// error stops falling. Nothing is trained. One step is one layer, one seed is one prompt.

#include <vector>

#include "core/lab/study.h"
#include "core/measures/construction_errors.h"
#include "core/settings/fields.h"

namespace emergence {

/// Every setting, with the defaults of Figure 13.
struct ConstructionConfig : ConstructionOptions {
    double tolerance = 0.05;
    int64_t seed = 0;
    int seeds = 30;

    void fields(Fields& f);
};

// The parts of experiment "construction": the matrices of each layer, its update, the value error against layers,
// and Figure 13.

/// The matrices and masks of one layer of a prompt's transformer.
struct ConstructedMatrices {
    LayerMatrices layer;
    HeadMasks masks;
};

/// Adds P, Q and the mask of every prompt's last layer; for average reward both heads' P and masks, Q and W. And the
/// same without masks as arrays of prompts x 1 x rows x columns.
void add_construction_matrices(const ConstructionConfig& config, const std::vector<ConstructedMatrices>& prompts,
                               Snapshot& snapshot);
/// The algorithm's step, and its trace or running mean if it has one, tied to the blocks.
std::vector<Formula> construction_formulas(const ConstructionConfig& config);

/// Value error against layers, with the algorithm, its fixed point, best linear and predict-zero.
PlotSpec construction_error_curve(const ConstructionConfig& config, const std::vector<LayerErrors>& prompts);
/// The layer at which more layers stop helping, the share of settled prompts, the best layer, and the
/// contraction per layer.
std::vector<Scalar> construction_scalars(const ConstructionConfig& config, const std::vector<LayerErrors>& prompts);

}  // namespace emergence
