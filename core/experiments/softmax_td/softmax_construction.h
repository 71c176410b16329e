#pragma once
// Experiment "softmax-construction": the softmax transformer with the weights of Theorem 1 of the softmax
// paper, on one random Boyan chain after another. Nothing is trained. One step is one chain, one seed is a
// stream of chains.

#include <string>

#include "core/experiments/common_fields.h"
#include "core/experiments/softmax_td/softmax_td_study.h"

namespace emergence {

/// Every setting of experiment "softmax-construction".
struct SoftmaxConstructionConfig {
    int num_layers = 8;
    double sharpness = 4.0;
    double step_size = 1.0;
    int n = 40;
    int d = 16;
    int num_states = 10;
    double gamma = 0.9;
    int64_t num_chains = 75;
    int64_t seed = 0;
    int seeds = 4;
    std::string show = "prompt";
    int prompt = 0;
    int layer = 1;
};

/// Visits the settings of the construction.
template <class Visitor>
void visit_construction_model(SoftmaxConstructionConfig& c, Visitor& visit) {
    visit(FieldInfo{.name = "num_layers",
                    .label = "layers L",
                    .help = "How many times the constructed layer is applied: steps of weighted softmax TD.",
                    .group = "model",
                    .minimum = 1,
                    .maximum = 40,
                    .logarithmic = true},
          c.num_layers);
    visit(FieldInfo{.name = "sharpness",
                    .label = "sharpness of Q",
                    .help = "Q = sharpness diag(I, 0). The theorem holds for any; the sharper, the more a "
                            "state learns from itself.",
                    .group = "model",
                    .minimum = 0,
                    .maximum = 64},
          c.sharpness);
    visit(FieldInfo{.name = "step_size",
                    .label = "step size \u03b1",
                    .help = "P = \u03b1 times reward + bootstrap - current value.",
                    .group = "model",
                    .minimum = 0.05,
                    .maximum = 2},
          c.step_size);
}

template <class Visitor>
void visit_fields(SoftmaxConstructionConfig& c, Visitor&& visit) {
    const auto live = Applies::live;
    visit_construction_model(c, visit);
    visit(context_length_field(128), c.n);
    visit(features_field("Features of a state. Z, P and Q have d+3 rows."), c.d);
    visit(states_field("States of each random Boyan chain.", 32), c.num_states);
    visit(gamma_field("Discount factor of the values to be predicted, and of the temporal shift."), c.gamma);
    visit(FieldInfo{.name = "num_chains",
                    .label = "stop after",
                    .help = "Chains of each seed.",
                    .group = "run",
                    .unit = "chains",
                    .applies = live,
                    .minimum = 1,
                    .maximum = 1000,
                    .logarithmic = true},
          c.num_chains);
    visit(first_seed_field("Each draws its own stream of chains."), c.seed);
    visit(num_seeds_field("How many independent streams of chains."), c.seeds);
    visit(FieldInfo{.name = "show",
                    .label = "show",
                    .help = "prompt: the kernel, values and TD errors of one prompt. weights: P, Q and the "
                            "temporal shift. chain: the transitions of that prompt's chain.",
                    .group = "evaluation",
                    .applies = live,
                    .choices = {"prompt", "weights", "chain"}},
          c.show);
    visit(FieldInfo{.name = "prompt",
                    .label = "prompt",
                    .help = "Which prompt, with n transitions of a chain of its own, is shown.",
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
                    .maximum = 40,
                    .acts_while = {{"show", {"prompt"}}}},
          c.layer);
}

/// The same settings as a config of experiment "softmax-td", for code that both share.
SoftmaxTdConfig trained_config(const SoftmaxConstructionConfig& config);

/// Context lengths at which errors are measured, as in Figure 1.
inline constexpr int kConstructionLengths[] = {5, 10, 15, 20, 30, 40, 60, 80, 120};

/// Squared errors of the query's value in prompt `index`, and the transformer's difference from weighted
/// softmax TD: relative, or absolute if the value is below 1.
struct ConstructionErrors {
    double transformer = 0, algorithm = 0, zero = 0, difference = 0;
};
ConstructionErrors construction_errors(const SoftmaxTdBank& bank, int index,
                                       const SoftmaxConstructionConfig& config, double sharpness);

/// The measurements so far, one row per chain: errors at each length, and for each kernel (softmax, ReLU,
/// ELU, RBF) after each layer the larger of the differences to the algorithm and between both forms of the
/// layer.
struct ConstructionRecord {
    std::vector<std::vector<double>> transformer, zero;
    std::vector<std::vector<double>> differences[4];
};

/// Squared error against context length, one row per chain.
PlotSpec construction_error_plot(const std::vector<const ConstructionRecord*>& records);

/// Difference of transformer and algorithm against layers, one curve per kernel.
PlotSpec construction_difference_plot(const std::vector<const ConstructionRecord*>& records);

/// Adds the matrices and the plots that the live settings select, after the first two plots.
void show_construction(Snapshot& snapshot, const SoftmaxConstructionConfig& config,
                       const SoftmaxTdBank& bank);

/// Reward, true value and stationary distribution of a chain by state.
PlotSpec chain_plot(const Mrp& mrp, double gamma);

/// The experiment's entry in the registry.
ExperimentInfo softmax_construction();

}  // namespace emergence
