#pragma once
// Every setting of experiment "softmax-td". The text of the paper that we used has lost the numbers of Table
// 1: the defaults are ours.

#include <string>

#include "core/experiments/common_fields.h"

namespace emergence {

struct SoftmaxTdConfig {
    int num_layers = 3;
    double temperature = 1.0;
    std::string masks = "full";
    double mixing = 0.0;
    double mixing_end = 0.0;
    int64_t mixing_updates = 0;
    int n = 30;
    int d = 4;
    int num_states = 10;
    double gamma = 0.9;
    std::string true_weights = "normal";
    double learning_rate = 1e-3;
    double rate_end = 1.0;
    int64_t rate_updates = 20000;
    double weight_decay = 1e-6;
    double initial_gain = 0.1;
    int minibatch_size = 64;
    int minibatches_per_mrp = 5;
    bool flip = false;
    int64_t flip_at = 500;
    std::string clamp = "nothing";
    double clamp_sharpness = 4.0;
    double clamp_step = 1.0;
    int64_t num_updates = 20000;
    int64_t seed = 0;
    int seeds = 10;
    std::string show = "final";
    int prompt = 0;
    int layer = 1;
    int bank_size = 64;
    int log_interval = 100;
};

/// Visits the settings of the model.
template <class Visitor>
void visit_softmax_model(SoftmaxTdConfig& c, Visitor& visit) {
    visit(FieldInfo{.name = "num_layers",
                    .label = "layers L",
                    .help = "How many times the one trained attention layer is applied. Weighted softmax TD "
                            "takes as many steps.",
                    .group = "model",
                    .minimum = 1,
                    .maximum = 8},
          c.num_layers);
    visit(
        FieldInfo{.name = "temperature",
                  .label = "temperature T",
                  .help = "Scores are divided by it before the softmax: a lower one makes a sharper kernel.",
                  .group = "model",
                  .minimum = 0.05,
                  .maximum = 10,
                  .logarithmic = true},
        c.temperature);
    visit(FieldInfo{.name = "masks",
                    .label = "masks",
                    .help = "full: only P's last two rows are free, and Q's block of scalars with scalars "
                            "stays 0 (Eqs. 106 and 108). relaxed: P's mask alone, as in Figure 6.",
                    .group = "model",
                    .choices = {"full", "relaxed"}},
          c.masks);
    visit(
        FieldInfo{.name = "mixing",
                  .label = "mixing \u03be",
                  .help = "The kernel is (1 - \u03be) softmax + \u03be I in the context's columns (Eq. 104). "
                          "The main result has 0.",
                  .group = "model",
                  .minimum = 0,
                  .maximum = 0.95},
        c.mixing);
    visit(FieldInfo{.name = "mixing_updates",
                    .label = "\u03be annealed over",
                    .help = "Updates over which \u03be goes linearly to its last value. 0: it is constant.",
                    .group = "model",
                    .unit = "updates",
                    .minimum = 0,
                    .maximum = 1e6,
                    .advanced = true},
          c.mixing_updates);
    visit(FieldInfo{.name = "mixing_end",
                    .label = "\u03be in the end",
                    .help = "The final \u03be, if it is annealed.",
                    .group = "model",
                    .minimum = 0,
                    .maximum = 0.95,
                    .advanced = true,
                    .acts_while = {{"mixing_updates", {"0"}, true}}},
          c.mixing_end);
}

/// Visits the settings of the task.
template <class Visitor>
void visit_softmax_task(SoftmaxTdConfig& c, Visitor& visit) {
    visit(context_length_field(128), c.n);
    visit(features_field("Features of a state. Z, P and Q have d+3 rows."), c.d);
    visit(states_field("States of each random Boyan chain.", 32), c.num_states);
    visit(gamma_field("Discount factor of the values to be predicted, and of the temporal shift."), c.gamma);
    visit(true_weights_field(), c.true_weights);
}

/// Visits the settings of the optimiser.
template <class Visitor>
void visit_softmax_optimiser(SoftmaxTdConfig& c, Visitor& visit) {
    visit(learning_rate_field("Adam's step size."), c.learning_rate);
    visit(FieldInfo{.name = "rate_end",
                    .label = "falls to",
                    .help =
                        "The share of itself to which the learning rate falls, linearly. 1: it is constant.",
                    .group = "training",
                    .minimum = 0.001,
                    .maximum = 1,
                    .logarithmic = true,
                    .advanced = true},
          c.rate_end);
    visit(FieldInfo{.name = "rate_updates",
                    .label = "falls over",
                    .help = "Updates over which the learning rate falls; after them it stays.",
                    .group = "training",
                    .unit = "updates",
                    .minimum = 1,
                    .maximum = 1e6,
                    .logarithmic = true,
                    .advanced = true,
                    .acts_while = {{"rate_end", {"1"}, true}}},
          c.rate_updates);
    visit(weight_decay_field(), c.weight_decay);
    visit(initial_gain_field("d+3"), c.initial_gain);
    visit(minibatch_field(512), c.minibatch_size);
    visit(minibatches_per_mrp_field(), c.minibatches_per_mrp);
}

/// Visits the settings that change signs or hold a matrix.
template <class Visitor>
void visit_softmax_interventions(SoftmaxTdConfig& c, Visitor& visit) {
    visit(
        FieldInfo{
            .name = "flip",
            .label = "flip wrong signs",
            .help =
                "Near zero the loss is almost even in (P, Q), so that half of the seeds set off "
                "with both signs wrong. On: where the trace of Q's feature block is negative, P, Q "
                "and Adam's first moments change their signs once. No effect while clamp holds P or Q. Ours.",
            .group = "training",
            .acts_while = {{"clamp", {"nothing"}}}},
        c.flip);
    visit(FieldInfo{.name = "flip_at",
                    .label = "flip at",
                    .help = "The update after which signs are looked at.",
                    .group = "training",
                    .unit = "updates",
                    .minimum = 1,
                    .maximum = 1e6,
                    .logarithmic = true,
                    .advanced = true,
                    .acts_while = {{"clamp", {"nothing"}}, {"flip", {"true"}}}},
          c.flip_at);
    visit(FieldInfo{.name = "clamp",
                    .label = "clamp",
                    .help =
                        "Q: hold Q at sharpness times diag(I, 0), so that \u03ba is held, and train P alone. "
                        "P: hold P at step times [0, 1, 1, -1] and train Q alone. Ours: it asks "
                        "what the paper's Figure 3b only suggests.",
                    .group = "training",
                    .choices = {"nothing", "Q", "P"}},
          c.clamp);
    visit(FieldInfo{.name = "clamp_sharpness",
                    .label = "sharpness of Q",
                    .help = "The diagonal of the Q that is held.",
                    .group = "training",
                    .minimum = 0,
                    .maximum = 64,
                    .acts_while = {{"clamp", {"Q"}}}},
          c.clamp_sharpness);
    visit(FieldInfo{.name = "clamp_step",
                    .label = "step of P",
                    .help = "The step size of the P that is held.",
                    .group = "training",
                    .minimum = 0.01,
                    .maximum = 4,
                    .logarithmic = true,
                    .advanced = true,
                    .acts_while = {{"clamp", {"P"}}}},
          c.clamp_step);
}

/// Visits the settings of the run and of the evaluation.
template <class Visitor>
void visit_softmax_run(SoftmaxTdConfig& c, Visitor& visit) {
    const auto live = Applies::live;
    visit(FieldInfo{.name = "num_updates",
                    .label = "stop after",
                    .help = "The run stops when every seed has taken this many Adam steps.",
                    .group = "run",
                    .unit = "updates",
                    .applies = live,
                    .minimum = 1,
                    .maximum = 1e6,
                    .logarithmic = true},
          c.num_updates);
    visit(first_seed_field("Each draws its own weights and its own stream of tasks."), c.seed);
    visit(num_seeds_field("How many independent trainings."), c.seeds);
    visit(
        FieldInfo{.name = "show",
                  .label = "show",
                  .help =
                      "The weights as they are, or each seed's best checkpoint so far: the logged point with "
                      "the largest product of V- and A-emergence. It is chosen by the weights alone, "
                      "on no data.",
                  .group = "evaluation",
                  .applies = live,
                  .choices = {"final", "best"}},
        c.show);
    visit(
        FieldInfo{.name = "prompt",
                  .label = "prompt",
                  .help = "Which held-out prompt the microscope looks at: its kernel, values and TD errors.",
                  .group = "evaluation",
                  .applies = live,
                  .minimum = 0,
                  .maximum = 63},
        c.prompt);
    visit(FieldInfo{.name = "layer",
                    .label = "layer",
                    .help = "Whose kernel A is shown, from 1; at most L.",
                    .group = "evaluation",
                    .applies = live,
                    .minimum = 1,
                    .maximum = 8},
          c.layer);
    visit(
        FieldInfo{.name = "bank_size",
                  .label = "held-out MRPs",
                  .help =
                      "Chains on which value errors and \u03ba are measured, 16 prompts each. Never trained "
                      "on; the same for all seeds.",
                  .group = "evaluation",
                  .minimum = 8,
                  .maximum = 4000,
                  .logarithmic = true,
                  .advanced = true},
        c.bank_size);
    visit(log_interval_field("updates"), c.log_interval);
}

template <class Visitor>
void visit_fields(SoftmaxTdConfig& c, Visitor&& visit) {
    visit_softmax_model(c, visit);
    visit_softmax_task(c, visit);
    visit_softmax_optimiser(c, visit);
    visit_softmax_interventions(c, visit);
    visit_softmax_run(c, visit);
}

}  // namespace emergence
