#include "core/experiments/in_context_td/task_fields.h"

namespace emergence {

void TdTaskConfig::kind_fields(Fields& f) {
    f.group("task");
    f(kind, "task", "task",
      "boyan: random Boyan chains (Algorithm 2 of the paper). loop: random graphs around "
      "a ring (Figure 1; defined in the authors' code). cart_pole: CartPole under a random policy "
      "(Appendix F); it has no exact values, so that value errors are not shown.")
        .choices({"boyan", "loop", "cart_pole"});
    f(pool_size, "pool_size", "pool of tasks K",
      "Train on this many distinct tasks, drawn uniformly again and again with new trajectories; "
      "0 is the paper's: a fresh task each time. The value error on the pool then stands beside that "
      "on fresh tasks. Ours: how many worlds until it stops memorising?")
        .log_range(0, 65536);
    f(fixed_transition, "fixed_transition", "same dynamics always",
      "Every task has the same initial distribution and transitions: \"too easy\" "
      "(Section 5 of the paper). CartPole: the same physics and policy. A loop then has m states.")
        .advanced();
    f(fixed_features, "fixed_features", "same features always",
      "Every task has the same features: \"too easy\" (Section 5 of the paper).")
        .advanced();
}

void TdTaskConfig::shape_fields(Fields& f) {
    f.group("task");
    f(loop_min_states, "loop_min_states", "loop: fewest states",
      "Each loop draws its number of states from here to m; 0: always m. "
      "Figure 1 has 5 to 15 in the authors' code, 5 to 10 in the paper.")
        .range(0, 64)
        .advanced()
        .acts_while("task", {"loop"})
        .acts_while("fixed_transition", {"false"});
    f(loop_min_threshold, "loop_min_threshold", "loop: least threshold",
      "A connection is kept where a uniform number exceeds the loop's threshold, "
      "which is drawn from here to the greatest; the ring itself always stays.")
        .range(0, 1)
        .advanced()
        .acts_while("task", {"loop"});
    f(loop_max_threshold, "loop_max_threshold", "loop: greatest threshold",
      "See the least threshold. The authors' code draws from 0.1 to 0.9.")
        .range(0, 1)
        .advanced()
        .acts_while("task", {"loop"});
    f(cart_features, "cart_features", "CartPole: features",
      "tiles: eight displaced tilings, each tile with a random vector, summed "
      "and scaled to unit variance (ours; the paper asks for tile coding with a random projection). "
      "grid: one grid, the reward that of the cell entered, as in the authors' code.")
        .choices({"tiles", "grid"})
        .advanced()
        .acts_while("task", {"cart_pole"});
    f(cart_bins, "cart_bins", "CartPole: bins",
      "Bins a dimension of each tiling or of the grid, over +-3, +-2.5, +-15 degrees, +-2.5. "
      "Ours has 6, the authors' grids have 2, 3 and 4.")
        .range(1, 12)
        .advanced()
        .acts_while("task", {"cart_pole"});
    f(cart_pole_mass, "cart_pole_mass", "CartPole: pole mass",
      "U(0.05, 0.15) as in the authors' code, or U(0.5, 1.5) as in the paper.")
        .choices({"code", "paper"})
        .advanced()
        .acts_while("task", {"cart_pole"});
}

void TdLossConfig::fields(Fields& f) {
    f.group("training");
    f(loss, "loss", "loss",
      "td: semi-gradient TD(0), the paper's. residual_gradient: the target's "
      "gradient too (Baird 1995). td_lambda, monte_carlo: lambda-returns and returns that bootstrap "
      "where the minibatch ends. average_reward: R - rbar + v' with the trajectory's mean reward "
      "so far (Tsitsiklis and Van Roy 1999); the discount is not used, "
      "errors are against differential values. Batch TD's \u03b1 is trained on the same loss.")
        .choices(loss_names());
    f(lambda, "lambda", "\u03bb", "Of the loss td_lambda: 0 is TD(0), 1 Monte Carlo.")
        .range(0, 1)
        .acts_while("loss", {"td_lambda"});
    f(updates, "updates", "one update a",
      "minibatch: as in the authors' code. prompt: Algorithm 1 to the letter, one trajectory an MRP "
      "and an update after each of its prompts, as many as minibatches times their size.")
        .choices({"minibatch", "prompt"})
        .advanced();
    f(optimizer, "optimizer", "optimizer",
      "adam: as in the paper's experiments. sgd: Algorithm 1's own step, "
      "learning rate times TD error times the value's gradient; it needs a far larger learning rate.")
        .choices({"adam", "sgd"})
        .advanced();
}

TaskOptions task_options_of(const TdTaskConfig& c) {
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

LossOptions loss_options_of(const TdLossConfig& c) {
    LossOptions options;
    for (size_t i = 0; i < loss_names().size(); ++i)
        if (loss_names()[i] == c.loss) options.kind = static_cast<LossKind>(i);
    options.lambda = c.lambda;
    return options;
}

}  // namespace emergence
