#pragma once
// Experiment "softmax-construction": the softmax transformer with the weights of Theorem 1 of the softmax
// paper, on one random Boyan chain after another. Nothing is trained. One step is one chain, one seed is a
// stream of chains.

#include "core/experiments/softmax_td/softmax_td.h"
#include "core/settings/fields.h"

namespace emergence {

/// Every setting of experiment "softmax-construction": a few of "softmax-td", and the constants of the construction.
struct SoftmaxConstructionConfig : SoftmaxTdConfig {
    SoftmaxConstructionConfig() {
        num_layers = 8;
        context_length = 40;
        tasks.d = 16;
        tasks.num_states = 10;
        tasks.gamma = 0.9;
        seeds = 4;
        show = "prompt";
        log_interval = 1;  // not a setting: every chain is logged
    }
    double sharpness = 4.0;
    double step_size = 1.0;
    int64_t num_chains = 75;

    void fields(Fields& f);
};

/// Squared errors of the query's value in prompt `index`.
struct ConstructionErrors {
    double transformer = 0, zero = 0;
};
ConstructionErrors construction_errors(const SoftmaxTdBank& bank, int index, const SoftmaxConstructionConfig& config,
                                       double sharpness);

}  // namespace emergence
