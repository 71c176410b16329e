#pragma once
// Experiment "construction": compares constructed transformers with the algorithms that they are proven to
// implement, layer by layer in double (Figure 13 of Wang et al. 2025), and shows at which layer their value
// error stops falling. Nothing is trained. One step is one layer, one seed is one prompt.

#include <string>

#include "core/lab/study.h"
#include "core/settings/field_builder.h"

namespace emergence {

/// Every setting, with the defaults of Figure 13.
struct ConstructionConfig {
    std::string algorithm = "td";
    double lambda = 0.9;
    bool textbook_trace = false;
    std::string preconditioner = "random";
    double alpha = 0.2;
    std::string flaw = "none";
    int d = 3;
    int n = 100;
    int num_states = 10;
    double gamma = 0.9;
    bool representable = false;
    double tolerance = 0.05;
    int64_t num_layers = 40;
    int64_t seed = 0;
    int seeds = 30;

    void fields(Fields& f);
};

/// The experiment's entry in the registry.
ExperimentInfo construction();

}  // namespace emergence
