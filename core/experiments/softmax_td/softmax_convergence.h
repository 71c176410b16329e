#pragma once
// Experiment "softmax-convergence": weighted softmax TD, layer by layer, on contexts of a thousand to a
// million transitions. Its error falls geometrically with the layers to a floor that falls as n^-1/2 (Theorem
// 2 of the softmax paper). Nothing is trained. One step is one layer, one seed is a chain with its
// trajectory.

#include <string>

#include "core/experiments/common_fields.h"
#include "core/lab/study.h"

namespace emergence {

/// Every setting of experiment "softmax-convergence".
struct SoftmaxConvergenceConfig {
    std::string scores = "one-hot";
    double sharpness = 8.0;
    double step_size = 1.0;
    int num_states = 10;
    int d = 4;
    double gamma = 0.9;
    int longest = 1000000;
    int64_t num_layers = 200;
    int64_t seed = 0;
    int seeds = 10;
};

template <class Visitor>
void visit_fields(SoftmaxConvergenceConfig& c, Visitor&& visit) {
    visit(
        FieldInfo{.name = "scores",
                  .label = "scores",
                  .help = "one-hot: states are compared by name, q(s, s') = sharpness where they are equal, "
                          "else 0. features: by random features, q = sharpness x' x.",
                  .group = "model",
                  .choices = {"one-hot", "features"}},
        c.scores);
    visit(
        FieldInfo{.name = "sharpness",
                  .label = "sharpness",
                  .help = "What scores are multiplied by: a sharper kernel is more diagonal, and Assumption "
                          "5.1 asks for a diagonal one.",
                  .group = "model",
                  .minimum = 0,
                  .maximum = 32},
        c.sharpness);
    visit(FieldInfo{.name = "step_size",
                    .label = "step size \u03b1",
                    .help = "What the layer's update is multiplied by; the theorem has 1.",
                    .group = "model",
                    .minimum = 0.05,
                    .maximum = 2,
                    .advanced = true},
          c.step_size);
    visit(states_field("States of each random Boyan chain.", 32), c.num_states);
    visit(FieldInfo{.name = "d",
                    .label = "features d",
                    .help = "Features of a state: true values are linear in them, and scores can be.",
                    .group = "task",
                    .minimum = 1,
                    .maximum = 64},
          c.d);
    visit(gamma_field("Discount factor: the nearer to 1, the more diagonal the kernel must be, and the more "
                      "layers it takes."),
          c.gamma);
    visit(FieldInfo{.name = "longest",
                    .label = "longest context",
                    .help = "Four contexts are the beginnings of one trajectory: of this many transitions, a "
                            "tenth, a hundredth and a thousandth.",
                    .group = "task",
                    .unit = "transitions",
                    .minimum = 20000,
                    .maximum = 10000000,
                    .logarithmic = true},
          c.longest);
    visit(FieldInfo{.name = "num_layers",
                    .label = "stop after",
                    .help = "Layers of the transformer, steps of the algorithm.",
                    .group = "run",
                    .unit = "layers",
                    .minimum = 1,
                    .maximum = 10000,
                    .logarithmic = true},
          c.num_layers);
    visit(first_seed_field("Each has a chain and a trajectory of its own."), c.seed);
    visit(num_seeds_field("How many chains."), c.seeds);
}

/// The experiment's entry in the registry.
ExperimentInfo softmax_convergence();

}  // namespace emergence
