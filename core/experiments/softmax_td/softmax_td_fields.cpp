#include "core/experiments/softmax_td/softmax_td_fields.h"

#include "core/experiments/common_fields.h"

namespace emergence {

void SoftmaxTdConfig::fields(Fields& f) {
    model_fields(f);
    task_fields(f);
    optimiser_fields(f);
    intervention_fields(f);
    run_fields(f);
}

void SoftmaxTdConfig::model_fields(Fields& f) {
    f.group("model");
    f(num_layers, "num_layers", "layers L",
      "How many times the one trained attention layer is applied. "
      "Weighted softmax TD takes as many steps.")
        .range(1, 8);
    f(temperature, "temperature", "temperature T",
      "Scores are divided by it before the softmax: a lower one makes a sharper kernel.")
        .log_range(0.05, 10);
    f.choice(mask_scores, {{"full", true}, {"relaxed", false}}, "masks", "masks",
             "full: only P's last two rows are free, and Q's block of scalars "
             "with scalars stays 0 (Eqs. 106 and 108). relaxed: P's mask alone, as in Figure 6.");
    f(mixing, "mixing", "mixing \u03be",
      "The kernel is (1 - \u03be) softmax + \u03be I in the context's columns (Eq. 104). "
      "The main result has 0.")
        .range(0, 0.95);
    f(mixing_updates, "mixing_updates", "\u03be annealed over",
      "Updates over which \u03be goes linearly to its last value. 0: it is constant.")
        .unit("updates")
        .range(0, 1e6)
        .advanced();
    f(final_mixing, "mixing_end", "\u03be in the end", "The final \u03be, if it is annealed.")
        .range(0, 0.95)
        .advanced()
        .idle_while("mixing_updates", {"0"});
}

void SoftmaxTdConfig::task_fields(Fields& f) {
    context_length_field(f, context_length, 128);
    features_field(f, tasks.d, "Features of a state. Z, P and Q have d+3 rows.");
    states_field(f, tasks.num_states, "States of each random Boyan chain.", 32);
    gamma_field(f, tasks.gamma, "Discount factor of the values to be predicted, and of the temporal shift.");
    true_weights_field(f, tasks.normal_true_weights);
}

void SoftmaxTdConfig::optimiser_fields(Fields& f) {
    learning_rate_field(f, adam.learning_rate, "Adam's step size.");
    f.group("training");
    f(final_rate_share, "rate_end", "falls to",
      "The share of itself to which the learning rate falls, linearly. 1: it is constant.")
        .log_range(0.001, 1)
        .advanced();
    f(rate_updates, "rate_updates", "falls over",
      "Updates over which the learning rate falls; after them it stays.")
        .unit("updates")
        .log_range(1, 1e6)
        .advanced()
        .idle_while("rate_end", {"1"});
    weight_decay_field(f, adam.weight_decay);
    initial_gain_field(f, initial_gain, "d+3");
    minibatch_field(f, minibatch_size, 512);
    minibatches_per_mrp_field(f, minibatches_per_mrp);
}

void SoftmaxTdConfig::intervention_fields(Fields& f) {
    f.group("training");
    f(flip, "flip", "flip wrong signs",
      "Near zero the loss is almost even in (P, Q), so half of the seeds begin with both signs wrong. On: where the "
      "trace of Q's feature block is negative, P, Q and Adam's first moments change their signs once. Ours.")
        .acts_while("clamp", {"nothing"});
    f(flip_at, "flip_at", "flip at", "The update after which the signs are checked.")
        .unit("updates")
        .log_range(1, 1e6)
        .advanced()
        .acts_while("clamp", {"nothing"})
        .acts_while("flip", {"true"});
    f.choice(clamp, {{"nothing", Clamp::none}, {"Q", Clamp::Q}, {"P", Clamp::P}}, "clamp", "clamp",
             "Q: hold Q at sharpness times diag(I, 0), so that \u03ba is held, and train P alone. "
             "P: hold P at step times [0, 1, 1, -1] and train Q alone. "
             "Ours: it tests what the paper's Figure 3b suggests.");
    f(clamp_sharpness, "clamp_sharpness", "sharpness of Q", "The diagonal of the Q that is held.")
        .range(0, 64)
        .acts_while("clamp", {"Q"});
    f(clamp_step, "clamp_step", "step of P", "The step size of the P that is held.")
        .log_range(0.01, 4)
        .advanced()
        .acts_while("clamp", {"P"});
}

void SoftmaxTdConfig::run_fields(Fields& f) {
    train_for_field(f, num_updates, "num_updates", "updates",
                    "The run stops when every seed has taken this many Adam steps.")
        .live();
    first_seed_field(f, seed, "Each draws its own weights and its own stream of tasks.");
    num_seeds_field(f, seeds, "How many independent trainings.");
    f.group("evaluation");
    f(show, "show", "show",
      "final: the weights as they are. best: each seed's best checkpoint so far, the logged point with the largest "
      "product of V- and A-emergence, which depend on the weights alone.")
        .choices({"final", "best"})
        .live();
    f(prompt, "prompt", "prompt",
      "Which held-out prompt the microscope looks at: its kernel, values and TD errors.")
        .range(0, 63)
        .live();
    f(layer, "layer", "layer", "Whose kernel A is shown, from 1; at most L.").range(1, 8).live();
    bank_size_field(f, bank_size, "MRPs",
                    "Value errors and \u03ba are measured on these chains, 16 prompts each.", 8, 4000);
    log_interval_field(f, log_interval, "updates");
}

}  // namespace emergence
