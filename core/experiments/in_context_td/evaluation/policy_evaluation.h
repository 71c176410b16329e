#pragma once
// Experiment "evaluation": the constructed transformer evaluates policies in context, with fixed weights, on
// new tasks (Figure 1 of Wang et al. 2025). Nothing is trained. One step is one task.

#include "core/lab/study.h"
#include "core/settings/field_builder.h"
#include "core/tasks/task.h"

namespace emergence {

/// Every setting, with the defaults of Figure 1 in the authors' code.
struct PolicyEvaluationConfig {
    TaskOptions tasks{
        .num_states = 15, .d = 5, .representable = true, .kind = TaskKind::loop, .min_states = 5};
    int num_layers = 15;
    double alpha = 0.2;
    int max_context_length = 40;
    int64_t num_tasks = 1000;
    int64_t seed = 0;
    int seeds = 20;
    int log_interval = 50;

    void fields(Fields& f);
};

/// The experiment's entry in the registry.
ExperimentInfo policy_evaluation();

}  // namespace emergence
