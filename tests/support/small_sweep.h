#pragma once
// A sweep that takes no time.

#include <string>

namespace emergence::testing {

/// The final loss of a tiny regression over one and two layers, with this [y].
inline std::string small_sweep(const std::string& y) {
    return R"(experiment = "regression"
title = "Small"
score = "loss"
seeds = 2
[settings]
d = 3
num_iterations = 2
num_prompts = 500
bank_size = 500
log_interval = 1
[x]
field = "num_layers"
values = [1, 2]
[y]
)" + y;
}

/// Two cells of one seed and one step: the quickest.
inline const std::string kQuickSweep = R"(experiment = "regression"
score = "loss"
seeds = 1
[settings]
num_iterations = 1
num_prompts = 500
bank_size = 500
d = 3
n = 4
[x]
field = "num_layers"
values = [1, 2]
)";

}  // namespace emergence::testing
