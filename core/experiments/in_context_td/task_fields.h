#pragma once
// Settings of experiment "td" for its tasks and its loss.

#include <string>

#include "core/settings/fields.h"
#include "core/tasks/task.h"
#include "core/training/window_loss.h"

namespace emergence {

/// The kind of tasks, without their sizes.
struct TdTaskConfig {
    std::string kind = "boyan";
    int pool_size = 0;
    bool fixed_transition = false;
    bool fixed_features = false;
    int loop_min_states = 0;
    double loop_min_threshold = 0.1;
    double loop_max_threshold = 0.9;
    std::string cart_features = "tiles";
    int cart_bins = 6;
    std::string cart_pole_mass = "code";
};

/// The loss, and how training minimises it.
struct TdLossConfig {
    std::string loss = "td";
    double lambda = 0.9;
    std::string updates = "minibatch";
    std::string optimizer = "adam";
};

/// The task options that TdTaskConfig holds; the caller sets sizes, gamma and representability.
inline TaskOptions task_options_of(const TdTaskConfig& c) {
    TaskOptions options;
    options.kind = c.kind == "loop"        ? TaskKind::loop
                   : c.kind == "cart_pole" ? TaskKind::cart_pole
                                           : TaskKind::boyan;
    options.min_states = c.loop_min_states;
    options.min_threshold = c.loop_min_threshold;
    options.max_threshold = c.loop_max_threshold;
    options.cart_pole = {c.cart_pole_mass == "paper", c.cart_features == "grid", c.cart_bins};
    options.fixed_transition = c.fixed_transition;
    options.fixed_features = c.fixed_features;
    return options;
}

/// The loss options that TdLossConfig holds.
inline LossOptions loss_options_of(const TdLossConfig& c) {
    LossOptions options;
    for (size_t i = 0; i < loss_names().size(); ++i)
        if (loss_names()[i] == c.loss) options.kind = static_cast<LossKind>(i);
    options.lambda = c.lambda;
    return options;
}

/// Visits the settings of the kind of task and of the pool.
template <class Config, class Visitor>
void visit_task_kind_fields(Config& c, Visitor&& visit) {
    visit(FieldInfo{.name = "task",
                    .label = "task",
                    .help =
                        "boyan: random Boyan chains (Algorithm 2 of the paper). loop: random graphs around a "
                        "ring (Figure 1; defined in the authors' code). cart_pole: CartPole under a random "
                        "policy (Appendix F); it has no exact values, so that value errors are not shown.",
                    .group = "task",
                    .choices = {"boyan", "loop", "cart_pole"}},
          c.kind);
    visit(FieldInfo{.name = "pool_size",
                    .label = "pool of tasks K",
                    .help =
                        "Train on this many distinct tasks, drawn uniformly again and again with new "
                        "trajectories; 0 is the paper's: a fresh task each time. The value error on the pool "
                        "then stands beside that on fresh tasks. Ours: how many worlds until it stops "
                        "memorising?",
                    .group = "task",
                    .minimum = 0,
                    .maximum = 65536,
                    .logarithmic = true},
          c.pool_size);
    visit(
        FieldInfo{.name = "fixed_transition",
                  .label = "same dynamics always",
                  .help =
                      "Every task has the same initial distribution and transitions: \"too easy\" (Section 5 "
                      "of the paper). CartPole: the same physics and policy. A loop then has m states.",
                  .group = "task",
                  .advanced = true},
        c.fixed_transition);
    visit(FieldInfo{.name = "fixed_features",
                    .label = "same features always",
                    .help = "Every task has the same features: \"too easy\" (Section 5 of the paper).",
                    .group = "task",
                    .advanced = true},
          c.fixed_features);
}

/// Visits the settings of loops and of CartPole.
template <class Config, class Visitor>
void visit_task_shape_fields(Config& c, Visitor&& visit) {
    visit(FieldInfo{.name = "loop_min_states",
                    .label = "loop: fewest states",
                    .help =
                        "Each loop draws its number of states from here to m; 0: always m. Figure 1 has 5 to "
                        "15 in the authors' code, 5 to 10 in the paper.",
                    .group = "task",
                    .minimum = 0,
                    .maximum = 64,
                    .advanced = true,
                    .acts_while = {{"task", {"loop"}}, {"fixed_transition", {"false"}}}},
          c.loop_min_states);
    visit(FieldInfo{.name = "loop_min_threshold",
                    .label = "loop: least threshold",
                    .help =
                        "A connection is kept where a uniform number exceeds the loop's threshold, which is "
                        "drawn from here to the greatest; the ring itself always stays.",
                    .group = "task",
                    .minimum = 0,
                    .maximum = 1,
                    .advanced = true,
                    .acts_while = {{"task", {"loop"}}}},
          c.loop_min_threshold);
    visit(FieldInfo{.name = "loop_max_threshold",
                    .label = "loop: greatest threshold",
                    .help = "See the least threshold. The authors' code draws from 0.1 to 0.9.",
                    .group = "task",
                    .minimum = 0,
                    .maximum = 1,
                    .advanced = true,
                    .acts_while = {{"task", {"loop"}}}},
          c.loop_max_threshold);
    visit(
        FieldInfo{.name = "cart_features",
                  .label = "CartPole: features",
                  .help =
                      "tiles: eight displaced tilings, each tile with a random vector, summed and scaled to "
                      "unit variance (ours; the paper asks for tile coding with a random projection). grid: "
                      "one grid, the reward that of the cell entered, as in the authors' code.",
                  .group = "task",
                  .advanced = true,
                  .choices = {"tiles", "grid"},
                  .acts_while = {{"task", {"cart_pole"}}}},
        c.cart_features);
    visit(
        FieldInfo{.name = "cart_bins",
                  .label = "CartPole: bins",
                  .help =
                      "Bins a dimension of each tiling or of the grid, over +-3, +-2.5, +-15 degrees, +-2.5. "
                      "Ours has 6, the authors' grids have 2, 3 and 4.",
                  .group = "task",
                  .minimum = 1,
                  .maximum = 12,
                  .advanced = true,
                  .acts_while = {{"task", {"cart_pole"}}}},
        c.cart_bins);
    visit(FieldInfo{.name = "cart_pole_mass",
                    .label = "CartPole: pole mass",
                    .help = "U(0.05, 0.15) as in the authors' code, or U(0.5, 1.5) as in the paper.",
                    .group = "task",
                    .advanced = true,
                    .choices = {"code", "paper"},
                    .acts_while = {{"task", {"cart_pole"}}}},
          c.cart_pole_mass);
}

/// Visits the settings of the loss and of its updates.
template <class Config, class Visitor>
void visit_loss_fields(Config& c, Visitor&& visit) {
    visit(
        FieldInfo{.name = "loss",
                  .label = "loss",
                  .help =
                      "td: semi-gradient TD(0), the paper's. residual_gradient: the target's gradient too "
                      "(Baird 1995). td_lambda, monte_carlo: lambda-returns and returns that bootstrap where "
                      "the minibatch ends. average_reward: R - rbar + v' with the trajectory's mean reward "
                      "so far (Tsitsiklis and Van Roy 1999); the discount is not used, errors are against "
                      "differential values. Batch TD's \u03b1 is trained on the same loss.",
                  .group = "training",
                  .choices = loss_names()},
        c.loss);
    visit(FieldInfo{.name = "lambda",
                    .label = "\u03bb",
                    .help = "Of the loss td_lambda: 0 is TD(0), 1 Monte Carlo.",
                    .group = "training",
                    .minimum = 0,
                    .maximum = 1,
                    .acts_while = {{"loss", {"td_lambda"}}}},
          c.lambda);
    visit(
        FieldInfo{.name = "updates",
                  .label = "one update a",
                  .help =
                      "minibatch: as in the authors' code. prompt: Algorithm 1 to the letter, one trajectory "
                      "an MRP and an update after each of its prompts, as many as minibatches times their "
                      "size.",
                  .group = "training",
                  .advanced = true,
                  .choices = {"minibatch", "prompt"}},
        c.updates);
    visit(
        FieldInfo{.name = "optimizer",
                  .label = "optimizer",
                  .help =
                      "adam: as in the paper's experiments. sgd: Algorithm 1's own step, learning rate times "
                      "TD error times the value's gradient; it needs a far larger learning rate.",
                  .group = "training",
                  .advanced = true,
                  .choices = {"adam", "sgd"}},
        c.optimizer);
}

}  // namespace emergence
