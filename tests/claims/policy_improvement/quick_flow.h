#pragma once
#include "core/experiments/policy_improvement/policy_flow.h"

namespace emergence {

inline constexpr int kStarts = 4;

/// A flow that takes seconds: 49 weights.
inline PolicyFlowConfig quick_flow(double distance) {
    PolicyFlowConfig config;
    config.shape.sizes.num_states = 3;
    config.shape.sizes.d = 3;
    config.windows = 300;
    config.seeds = kStarts;
    config.distance = distance;
    return config;
}

}  // namespace emergence
