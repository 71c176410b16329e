#include "core/experiments/common_fields.h"
#include "core/experiments/in_context_td/td.h"

namespace emergence {

void InContextTdConfig::fields(Fields& f) {
    f.group("model");
    f(num_layers, "num_layers", "layers L",
      "How many times the one trained attention layer is applied, or how many layers there are. "
      "Batch TD takes as many steps.")
        .range(1, 12);
    model.fields(f);
    task_fields(f);
    training_fields(f);
    stop_after_field(f, num_mrps, "num_mrps", "MRPs",
                     "The run stops when every seed has trained on this many MRPs. The paper takes 4000.")
        .live();
    first_seed_field(f, seed, "Each draws its own weights and its own stream of tasks.");
    num_seeds_field(f, seeds, "How many independent trainings. The paper averages 30.");
    evaluation_fields(f);
    inside.fields(f);
}

void InContextTdConfig::task_fields(Fields& f) {
    task.kind_fields(f);
    context_length_field(f, n, 480);
    features_field(f, d, "Features of a state. Z, P and Q have 2d+1 rows.");
    states_field(f, num_states, "States of each random Boyan chain or loop. CartPole has a continuum.", 64);
    gamma_field(f, gamma, "Discount factor of the values to be predicted.");
    representable_field(f, representable,
                        "Make each task's true value exactly linear in its features (Algorithm 3); "
                        "else rewards are uniform and the best linear prediction still errs.");
    true_weights_field(f, true_weights);
    task.shape_fields(f);
}

void InContextTdConfig::training_fields(Fields& f) {
    loss.fields(f);
    learning_rate_field(f, learning_rate, "Adam's step size, for the network and for batch TD's \u03b1.");
    weight_decay_field(f, weight_decay);
    initial_gain_field(f, initial_gain, "2d+1");
    minibatch_field(f, minibatch_size, 1024);
    minibatches_per_mrp_field(f, minibatches_per_mrp);
}

void InContextTdConfig::evaluation_fields(Fields& f) {
    f.group("evaluation");
    f(eval_context_length, "eval_context_length", "evaluate at n",
      "Context length of the read-out in the value-error plot and of the microscope's prompt. "
      "Does not affect training.")
        .log_range(1, 480)
        .live();
    f(eval_extra_layers, "eval_extra_layers", "extra layers",
      "Layers beyond those trained, in the value-error plot: "
      "the trained layer is applied more often, and batch TD takes more steps.")
        .range(0, 48)
        .live();
    f(bank_size, "bank_size", "held-out MRPs",
      "MRPs on which VD, IWS, SS and MSVE are measured. Never trained on; the same for all seeds. "
      "Networks that are not linear in the query take a tenth of them: each state is a prompt.")
        .log_range(16, 20000)
        .advanced();
    log_interval_field(f, log_interval, "MRPs");
    f(line_up, "line_up", "line-up",
      "Which algorithm is it? At every logged point families "
      "of algorithms are fitted to the network's values on held-out prompts and judged on others; "
      "their fits stand beside P and Q. A point takes some 15 ms a seed: log every 40 MRPs or so.")
        .acts_while("model", {"attention"})
        .acts_while("activation", {"identity"});
    f(surgery, "surgery", "surgery",
      "Operations on a copy of the weights, with the value error after them: snap (to theory), "
      "zero or scale, of everything, P, Q, a layer's Q0 or a block Q[phi,next] by its rows "
      "and columns (phi, next, R); e.g. zero P[phi,R]; scale Q 0.5. Does not affect training. "
      "A right click on a block offers them.")
        .live()
        .acts_while("model", {"attention"})
        .acts_while("activation", {"identity"});
    f.group("files");
    f(weights, "weights", "start from weights",
      "An NPZ file whose P and Q training starts from (weights.npz of a run, data.npz of the "
      "published code, or any with arrays of these sizes) instead of random ones; empty for none.")
        .advanced()
        .acts_while("replay", {""});
    f(replay, "replay", "replay a run",
      "A folder with a run of the published code (data.npz and params.json), or with several "
      "of them: its weights are gone through instead of training, and measured on our held-out MRPs. "
      "Empty for none; open or drop the folder to set all else too.")
        .advanced();
}

}  // namespace emergence
