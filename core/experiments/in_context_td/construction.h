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

// The pictures of experiment "construction".

/// Adds P and Q of a layer of every prompt, and the mask; for average reward both heads' P and masks, Q and W. Adds the
/// same without masks as arrays of prompts x 1 x rows x columns.
void add_construction_matrices(const ConstructionConfig& config, const std::vector<LayerMatrices>& prompts,
                               Snapshot& snapshot);
/// The algorithm's step, and its trace or running mean if it has one, tied to the blocks.
std::vector<Formula> construction_formulas(const ConstructionConfig& config);

/// Value error against layers, with the algorithm, its fixed point, best linear and predict-zero.
PlotSpec construction_error_curve(const ConstructionConfig& config, const std::vector<LayerErrors>& prompts);
/// The layer at which more layers stop helping, the share of settled prompts, the best layer, and the
/// contraction per layer.
std::vector<Scalar> construction_scalars(const ConstructionConfig& config, const std::vector<LayerErrors>& prompts);

}  // namespace emergence
