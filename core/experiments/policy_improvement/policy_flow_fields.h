#pragma once
// Every setting of experiment "policy-flow".

#include <string>

#include "core/experiments/policy_improvement/improvement_fields.h"

namespace emergence {

struct PolicyFlowConfig : ImprovementConfig {
    PolicyFlowConfig() {
        shape.sizes.num_states = 4;
        shape.sizes.num_actions = 2;
        shape.sizes.d = 4;
        seeds = 8;
        log_interval = 1;  // not a setting: every step is logged
    }
    std::string start = "off_manifold";
    double distance = 0.5, scale = 0.5;
    int windows = 400;
    double interval = 100.0;
    int64_t num_steps = 300;

    void fields(Fields& f);
};

}  // namespace emergence
