#pragma once
// Experiment "evaluation": the constructed transformer evaluates policies in context, with fixed weights, on
// new tasks (Figure 1 of Wang et al. 2025). Nothing is trained. One step is one task.

#include <string>

#include "core/experiments/common_fields.h"
#include "core/lab/study.h"

namespace emergence {

/// Every setting, with the defaults of Figure 1 in the authors' code.
struct PolicyEvaluationConfig {
    std::string task = "loop";
    int min_states = 5;
    int num_states = 15;
    int d = 5;
    double gamma = 0.9;
    bool representable = true;
    std::string true_weights = "normal";
    int num_layers = 15;
    double alpha = 0.2;
    int max_context_length = 40;
    int64_t num_tasks = 1000;
    int64_t seed = 0;
    int seeds = 20;
    int log_interval = 50;
};

template <class Visitor>
void visit_fields(PolicyEvaluationConfig& c, Visitor&& visit) {
    visit(FieldInfo{.name = "num_layers",
                    .label = "layers L",
                    .help = "How many times the constructed layer is applied: steps of batch TD.",
                    .group = "model",
                    .minimum = 1,
                    .maximum = 100,
                    .logarithmic = true},
          c.num_layers);
    visit(FieldInfo{.name = "alpha",
                    .label = "step size \u03b1",
                    .help = "C_l = \u03b1 I in the construction of Theorem 1, Eq. (7).",
                    .group = "model",
                    .minimum = 0,
                    .maximum = 4},
          c.alpha);
    visit(FieldInfo{.name = "task",
                    .label = "tasks",
                    .help = "Random loops, as in Figure 1, or random Boyan chains.",
                    .group = "task",
                    .choices = {"loop", "boyan"}},
          c.task);
    visit(FieldInfo{.name = "num_states",
                    .label = "states m, at most",
                    .help = "A loop draws m between both bounds: 15 in the authors' code, 10 in the paper's "
                            "text. Boyan chains have this many.",
                    .group = "task",
                    .minimum = 3,
                    .maximum = 64},
          c.num_states);
    visit(FieldInfo{.name = "min_states",
                    .label = "states m, at least",
                    .help = "The lower bound of a loop's m.",
                    .group = "task",
                    .minimum = 2,
                    .maximum = 64,
                    .acts_while = {{"task", {"loop"}}}},
          c.min_states);
    visit(features_field("Features of a state. Z, P and Q have 2d+1 rows."), c.d);
    visit(gamma_field("Discount factor of the values to be predicted."), c.gamma);
    visit(FieldInfo{.name = "representable",
                    .label = "representable values",
                    .help = "Make each task's true value exactly linear in its features (Algorithm 3), so "
                            "that the least possible error is 0.",
                    .group = "task"},
          c.representable);
    visit(true_weights_field(), c.true_weights);
    visit(FieldInfo{.name = "max_context_length",
                    .label = "longest context",
                    .help = "The error is measured at context lengths 1, 3, 5, ... up to here.",
                    .group = "evaluation",
                    .minimum = 1,
                    .maximum = 400,
                    .logarithmic = true},
          c.max_context_length);
    visit(FieldInfo{.name = "num_tasks",
                    .label = "stop after",
                    .help = "Tasks of each seed. The paper averages 300 in all, our reference 20,000.",
                    .group = "run",
                    .unit = "tasks",
                    .applies = Applies::live,
                    .minimum = 1,
                    .maximum = 1e6,
                    .logarithmic = true},
          c.num_tasks);
    visit(first_seed_field("Each draws its own stream of tasks."), c.seed);
    visit(num_seeds_field("How many independent streams of tasks."), c.seeds);
    visit(log_interval_field("tasks"), c.log_interval);
}

/// The experiment's entry in the registry.
ExperimentInfo policy_evaluation();

}  // namespace emergence
