#pragma once
// Experiment "construction": compares constructed transformers with the algorithms that they are proven to
// implement, layer by layer in double (Figure 13 of Wang et al. 2025), and shows at which layer their value
// error stops falling. Nothing is trained. One step is one layer, one seed is one prompt.

#include <string>

#include "core/experiments/common_fields.h"
#include "core/lab/study.h"

namespace emergence {

/// Every setting, with the defaults of Figure 13.
struct ConstructionConfig {
    std::string algorithm = "td";
    double lambda = 0.9;
    bool textbook_trace = false;
    std::string preconditioner = "random";
    double alpha = 0.2;
    std::string flaw = "none";
    int d = 3;
    int n = 100;
    int num_states = 10;
    double gamma = 0.9;
    bool representable = false;
    double tolerance = 0.05;
    int64_t num_layers = 40;
    int64_t seed = 0;
    int seeds = 30;
};

template <class Visitor>
void visit_fields(ConstructionConfig& c, Visitor&& visit) {
    visit(
        FieldInfo{.name = "algorithm",
                  .label = "algorithm",
                  .help = "TD(0) is Theorem 1 of Wang et al. 2025, residual gradient Corollary 2, TD(\u03bb) "
                          "Corollary 3, average-reward TD Theorem 3.",
                  .group = "model",
                  .choices = {"td", "residual_gradient", "td_lambda", "average_reward_td"}},
        c.algorithm);
    visit(FieldInfo{.name = "lambda",
                    .label = "\u03bb",
                    .help = "Decay of TD(\u03bb)'s trace.",
                    .group = "model",
                    .minimum = 0,
                    .maximum = 1,
                    .acts_while = {{"algorithm", {"td_lambda"}}}},
          c.lambda);
    visit(FieldInfo{.name = "textbook_trace",
                    .label = "textbook's trace",
                    .help = "TD(\u03bb) with e = \u03b3\u03bb e + \u03c6, as in Sutton and Barto. Off: the "
                            "paper's Corollary 3, e = \u03bb e + \u03c6, without \u03b3.",
                    .group = "model",
                    .acts_while = {{"algorithm", {"td_lambda"}}}},
          c.textbook_trace);
    visit(FieldInfo{.name = "preconditioner",
                    .label = "C_l",
                    .help = "What preconditions step l: random for each layer, entries from N(0, 1/4), since "
                            "the theorems hold for any; a step size, \u03b1 I; decaying, \u03b1/(l+1) I; "
                            "whitened, \u03b1 times the inverse of (1/n) \u2211 \u03c6\u03c6' of the prompt "
                            "itself, which for TD(0) with \u03b1 = 1 is fitted value iteration.",
                    .group = "model",
                    .choices = {"random", "step size", "decaying", "whitened"}},
          c.preconditioner);
    visit(FieldInfo{.name = "alpha",
                    .label = "step size \u03b1",
                    .help = "In C_l, where it is not random.",
                    .group = "model",
                    .minimum = 0.001,
                    .maximum = 10,
                    .logarithmic = true,
                    .acts_while = {{"preconditioner", {"random"}, true}}},
          c.alpha);
    visit(
        FieldInfo{.name = "flaw",
                  .label = "flaw",
                  .help = "What the transformer has wrong, on purpose: \u03b3 off by one part in a million, "
                          "the query counted as context, C_l not transposed, or what makes the algorithm "
                          "more than TD(0) missing. A check that cannot see it checks nothing.",
                  .group = "model",
                  .choices = {"none", "gamma", "mask", "transposed", "plain_td"}},
        c.flaw);
    visit(features_field("Features of a state."), c.d);
    visit(context_length_field(200), c.n);
    visit(states_field("States of each random Boyan chain.", 64), c.num_states);
    visit(gamma_field("Discount factor; average reward has none."), c.gamma);
    visit(FieldInfo{.name = "representable",
                    .label = "representable values",
                    .help = "Make each chain's true value exactly linear in its features (Algorithm 3); else "
                            "rewards are uniform and the best linear prediction still errs.",
                    .group = "task"},
          c.representable);
    visit(FieldInfo{.name = "tolerance",
                    .label = "tolerance",
                    .help = "More layers have stopped helping (ours) when the value error is this near its "
                            "limit, as a share of where it started, and stays so.",
                    .group = "evaluation",
                    .minimum = 0.001,
                    .maximum = 0.5,
                    .logarithmic = true},
          c.tolerance);
    visit(FieldInfo{.name = "num_layers",
                    .label = "stop after",
                    .help = "Layers of the transformer, and steps of the algorithm.",
                    .group = "run",
                    .unit = "layers",
                    .minimum = 1,
                    .maximum = 200,
                    .logarithmic = true},
          c.num_layers);
    visit(first_seed_field("Each has a chain, a prompt and matrices of its own."), c.seed);
    visit(num_seeds_field("How many prompts. The paper averages 30."), c.seeds);
}

/// The experiment's entry in the registry.
ExperimentInfo construction();

}  // namespace emergence
