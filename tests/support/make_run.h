#pragma once

#include <string>

#include "core/experiments/registry.h"
#include "core/lab/runs/run.h"

namespace emergence::testing {

/// A run of that experiment, at step 0.
inline Run make_run(const std::string& experiment, const Settings& settings, ThreadPool& pool) {
    return Run(find_experiment(experiment).make(settings), pool);
}

}  // namespace emergence::testing
