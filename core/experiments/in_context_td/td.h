#pragma once
// Experiment "td": a linear transformer, trained to predict values of random tasks by multi-task TD,
// discovers in-context TD (Wang et al. 2025, Section 5, Figure 2).

#include <string>

#include "core/experiments/common_fields.h"
#include "core/experiments/in_context_td/inside_fields.h"
#include "core/experiments/in_context_td/model_fields.h"
#include "core/experiments/in_context_td/task_fields.h"
#include "core/lab/study.h"

namespace emergence {

/// Every setting, with the defaults of Appendix D.1.
struct InContextTdConfig {
    TdModelConfig model;
    TdTaskConfig task;
    TdLossConfig loss;
    TdInsideConfig inside;
    int num_layers = 3;
    int n = 30;
    int d = 4;
    int num_states = 10;
    double gamma = 0.9;
    bool representable = false;
    std::string true_weights = "normal";
    double learning_rate = 1e-3;
    double weight_decay = 1e-6;
    double initial_gain = 0.1;
    int minibatch_size = 64;
    int minibatches_per_mrp = 5;
    int64_t num_mrps = 4000;
    int64_t seed = 0;
    int seeds = 8;
    int eval_context_length = 30;
    int eval_extra_layers = 0;
    int bank_size = 2000;
    int log_interval = 10;
    bool line_up = false;
    std::string surgery = "";
    std::string weights = "";
    std::string replay = "";
};

template <class Config, class Visitor>
void visit_fields(Config& c, Visitor&& visit) {
    const auto live = Applies::live;
    visit(FieldInfo{.name = "num_layers",
                    .label = "layers L",
                    .help = "How many times the one trained attention layer is applied, or how many layers "
                            "there are. Batch TD "
                            "takes as many steps.",
                    .group = "model",
                    .minimum = 1,
                    .maximum = 12},
          c.num_layers);
    visit_model_fields(c.model, visit);
    visit_task_kind_fields(c.task, visit);
    visit(context_length_field(480), c.n);
    visit(features_field("Features of a state. Z, P and Q have 2d+1 rows."), c.d);
    visit(states_field("States of each random Boyan chain or loop. CartPole has a continuum.", 64),
          c.num_states);
    visit(gamma_field("Discount factor of the values to be predicted."), c.gamma);
    visit(
        FieldInfo{
            .name = "representable",
            .label = "representable values",
            .help =
                "Make each task's true value exactly linear in its features (Algorithm 3); else rewards are "
                "uniform and the best linear prediction still errs.",
            .group = "task"},
        c.representable);
    visit(true_weights_field(), c.true_weights);
    visit_task_shape_fields(c.task, visit);
    visit_loss_fields(c.loss, visit);
    visit(learning_rate_field("Adam's step size, for the network and for batch TD's \u03b1."),
          c.learning_rate);
    visit(weight_decay_field(), c.weight_decay);
    visit(initial_gain_field("2d+1"), c.initial_gain);
    visit(minibatch_field(1024), c.minibatch_size);
    visit(minibatches_per_mrp_field(), c.minibatches_per_mrp);
    visit(FieldInfo{.name = "num_mrps",
                    .label = "stop after",
                    .help =
                        "The run stops when every seed has trained on this many MRPs. The paper takes 4000.",
                    .group = "run",
                    .unit = "MRPs",
                    .applies = live,
                    .minimum = 1,
                    .maximum = 1e6,
                    .logarithmic = true},
          c.num_mrps);
    visit(first_seed_field("Each draws its own weights and its own stream of tasks."), c.seed);
    visit(num_seeds_field("How many independent trainings. The paper averages 30."), c.seeds);
    visit(
        FieldInfo{
            .name = "eval_context_length",
            .label = "evaluate at n",
            .help = "Context length of the read-out in the value-error plot and of the microscope's prompt. "
                    "Does not affect training.",
            .group = "evaluation",
            .applies = live,
            .minimum = 1,
            .maximum = 480,
            .logarithmic = true},
        c.eval_context_length);
    visit(
        FieldInfo{
            .name = "eval_extra_layers",
            .label = "extra layers",
            .help = "Layers beyond those trained, in the value-error plot: the trained layer is applied more "
                    "often, and batch TD takes more steps.",
            .group = "evaluation",
            .applies = live,
            .minimum = 0,
            .maximum = 48},
        c.eval_extra_layers);
    visit(
        FieldInfo{
            .name = "bank_size",
            .label = "held-out MRPs",
            .help =
                "MRPs on which VD, IWS, SS and MSVE are measured. Never trained on; the same for all seeds. "
                "Networks that are not linear in the query take a tenth of them: each state is a prompt.",
            .group = "evaluation",
            .minimum = 16,
            .maximum = 20000,
            .logarithmic = true,
            .advanced = true},
        c.bank_size);
    visit(log_interval_field("MRPs"), c.log_interval);
    visit(
        FieldInfo{.name = "line_up",
                  .label = "line-up",
                  .help = "Which algorithm is it? At every logged point families of algorithms are fitted to "
                          "the network's values on held-out prompts and judged on others; their fits "
                          "stand beside P and Q. A point takes some 15 ms a seed: log every 40 MRPs or so.",
                  .group = "evaluation",
                  .acts_while = {{"model", {"attention"}}, {"activation", {"identity"}}}},
        c.line_up);
    visit(
        FieldInfo{.name = "surgery",
                  .label = "surgery",
                  .help = "Operations on a copy of the weights, with the value error after them: snap (to "
                          "theory), zero or scale, of everything, P, Q, a layer's Q0 or a block Q[phi,next] "
                          "by its rows and columns (phi, next, R); e.g. zero P[phi,R]; scale Q 0.5. Does not "
                          "affect training. A right click on a block offers them.",
                  .group = "evaluation",
                  .applies = live,
                  .acts_while = {{"model", {"attention"}}, {"activation", {"identity"}}}},
        c.surgery);
    visit(
        FieldInfo{.name = "weights",
                  .label = "start from weights",
                  .help = "An NPZ file whose P and Q training starts from (weights.npz of a run, data.npz of "
                          "the published code, or any with arrays of these sizes) instead of random ones; "
                          "empty for none.",
                  .group = "files",
                  .advanced = true,
                  .acts_while = {{"replay", {""}}}},
        c.weights);
    visit(FieldInfo{.name = "replay",
                    .label = "replay a run",
                    .help = "A folder with a run of the published code (data.npz and params.json), or with "
                            "several of them: its weights are gone through instead of training, and measured "
                            "on our held-out MRPs. Empty for none; open or drop the folder to set all else "
                            "too.",
                    .group = "files",
                    .advanced = true},
          c.replay);
    visit_inside_fields(c.inside, visit);
}

/// The experiment's entry in the registry.
ExperimentInfo in_context_td();

}  // namespace emergence
