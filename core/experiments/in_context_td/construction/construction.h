#pragma once
// Experiment "construction": compares constructed transformers with the algorithms that they are proven to
// implement, layer by layer in double (Figure 13 of Wang et al. 2025), and shows at which layer their value
// error stops falling. Nothing is trained. One step is one layer, one seed is one prompt.

#include "core/lab/study.h"
#include "core/measures/construction_trial.h"
#include "core/settings/fields.h"

namespace emergence {

/// Every setting, with the defaults of Figure 13.
struct ConstructionConfig : ConstructionOptions {
    double tolerance = 0.05;
    int64_t seed = 0;
    int seeds = 30;

    void fields(Fields& f);
};

/// The experiment's entry in the registry.
ExperimentInfo construction();

}  // namespace emergence
