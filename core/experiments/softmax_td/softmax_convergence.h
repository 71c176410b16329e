#pragma once
// Experiment "softmax-convergence": weighted softmax TD, layer by layer, on contexts of a thousand to a
// million transitions. Its error falls geometrically with the layers to a floor that falls as n^-1/2 (Theorem
// 2 of the softmax paper). Nothing is trained. One step is one layer, one seed is a chain with its
// trajectory.

#include "core/lab/study.h"
#include "core/measures/softmax_td_convergence.h"
#include "core/settings/fields.h"

namespace emergence {

/// Every setting of experiment "softmax-convergence".
struct SoftmaxConvergenceConfig : SoftmaxConvergenceOptions {
    /// The longest of the contexts, of which the others are beginnings.
    int longest = 1000000;
    int64_t num_layers = 200;
    int64_t seed = 0;
    int seeds = 10;

    void fields(Fields& f);
};

/// The experiment's entry in the registry.
ExperimentInfo softmax_convergence();

}  // namespace emergence
