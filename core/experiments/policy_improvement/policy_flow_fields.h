#pragma once
// Every setting of experiment "policy-flow".

#include <string>

#include "core/experiments/policy_improvement/improvement_fields.h"

namespace emergence {

struct PolicyFlowConfig : ImprovementConfig {
    PolicyFlowConfig() {
        num_states = 4;
        num_actions = 2;
        d = 4;
        seeds = 8;
        log_interval = 1;  // not a setting: every step is logged
    }
    std::string start = "off_manifold";
    double distance = 0.5, scale = 0.5;
    int windows = 400;
    double interval = 100.0;
    int64_t num_steps = 300;
};

/// Visits the settings of the starts.
template <class Visitor>
void visit_flow_start(PolicyFlowConfig& c, Visitor&& visit) {
    visit(FieldInfo{.name = "start",
                    .label = "start",
                    .help = "off_manifold: at a distance from a point (c P12*, V21*/c), as Theorem 3.2 has "
                            "it. random: Xavier's, as in training.",
                    .group = "start",
                    .choices = {"off_manifold", "random"}},
          c.start);
    visit(FieldInfo{.name = "distance",
                    .label = "distance",
                    .help = "Of the start from that point, over the point's norm, in a random direction "
                            "normal to the manifold, one a seed.",
                    .group = "start",
                    .minimum = 0.01,
                    .maximum = 16,
                    .logarithmic = true},
          c.distance);
    visit(FieldInfo{.name = "scale",
                    .label = "scale c",
                    .help = "Of that point. The loss is as flat or steep around the manifold as c has it, so "
                            "that the rate depends on it.",
                    .group = "start",
                    .minimum = 0.1,
                    .maximum = 5,
                    .logarithmic = true},
          c.scale);
    visit(improvement_gain_field("start"), c.initial_gain);
}

/// Visits the settings of the run.
template <class Visitor>
void visit_flow_run(PolicyFlowConfig& c, Visitor&& visit) {
    visit(FieldInfo{.name = "interval",
                    .label = "time a step",
                    .help = "Flow time from one logged point to the next; gradient flow moves by the loss's "
                            "gradient in a unit of it. The solver takes as many small steps as it needs.",
                    .group = "run",
                    .minimum = 1,
                    .maximum = 10000,
                    .logarithmic = true},
          c.interval);
    visit(FieldInfo{.name = "num_steps",
                    .label = "stop after",
                    .help = "Logged points.",
                    .group = "run",
                    .unit = "steps",
                    .applies = Applies::live,
                    .minimum = 1,
                    .maximum = 10000,
                    .logarithmic = true},
          c.num_steps);
    visit(first_seed_field("Each has a start of its own; the windows are the first seed's."), c.seed);
    visit(num_seeds_field("How many starts."), c.seeds);
}

template <class Visitor>
void visit_fields(PolicyFlowConfig& c, Visitor&& visit) {
    visit_improvement_task(c, visit, 10);
    visit(FieldInfo{.name = "windows",
                    .label = "windows",
                    .help = "How many, each from an MDP of its own under w ~ U(-1, 1), have the loss's mean "
                            "in place of the expectation. On all of them the manifold's loss is 0.",
                    .group = "task",
                    .minimum = 50,
                    .maximum = 5000,
                    .logarithmic = true},
          c.windows);
    visit_improvement_teacher(c, visit);
    visit_flow_start(c, visit);
    visit_flow_run(c, visit);
}

}  // namespace emergence
