#pragma once
// Settings of the networks of experiment "td" that other experiments train.

#include "core/experiments/in_context_td/td.h"

namespace emergence {

/// The settings that such experiments share.
struct TdRunsConfig {
    int d = 4;
    int n = 30;
    int num_states = 10;
    double gamma = 0.9;
    std::string optimizer = "adam";
    double learning_rate = 1e-3;
    int bank_size = 200;
    int64_t num_mrps = 4000;
    int64_t seed = 0;
    int seeds = 8;
    int log_interval = 50;
};

/// Visits these settings.
template <class Visitor>
void visit_td_runs_fields(TdRunsConfig& c, Visitor&& visit) {
    visit(features_field("Features of a state."), c.d);
    visit(context_length_field(240), c.n);
    visit(states_field("States of each random Boyan chain.", 64), c.num_states);
    visit(gamma_field("Discount factor of the values to be predicted."), c.gamma);
    visit(
        FieldInfo{.name = "optimizer",
                  .label = "optimizer",
                  .help = "adam: as the paper trains. sgd: Algorithm 1's own step, theta += learning rate * "
                          "TD error * grad v.",
                  .group = "training",
                  .choices = {"adam", "sgd"}},
        c.optimizer);
    visit(learning_rate_field("Of the optimizer; sgd wants some hundred times Adam's."), c.learning_rate);
    visit(FieldInfo{.name = "num_mrps",
                    .label = "stop after",
                    .help = "The run stops when every network has trained on this many MRPs.",
                    .group = "run",
                    .unit = "MRPs",
                    .applies = Applies::live,
                    .minimum = 1,
                    .maximum = 1e6,
                    .logarithmic = true},
          c.num_mrps);
    visit(first_seed_field("Each draws its own weights and its own stream of tasks."), c.seed);
    visit(num_seeds_field("How many independent trainings."), c.seeds);
    visit(FieldInfo{.name = "bank_size",
                    .label = "held-out MRPs",
                    .help = "MRPs on which similarities are measured. Never trained on; the same for all.",
                    .group = "evaluation",
                    .minimum = 16,
                    .maximum = 20000,
                    .logarithmic = true,
                    .advanced = true},
          c.bank_size);
    visit(log_interval_field("MRPs"), c.log_interval);
}

/// These settings as a config of experiment "td"; all others have their defaults.
inline InContextTdConfig td_config(const TdRunsConfig& c, int num_layers, double initial_gain) {
    InContextTdConfig td;
    td.num_layers = num_layers;
    td.initial_gain = initial_gain;
    td.d = c.d;
    td.n = c.n;
    td.num_states = c.num_states;
    td.gamma = c.gamma;
    td.loss.optimizer = c.optimizer;
    td.learning_rate = c.learning_rate;
    td.bank_size = c.bank_size;
    td.num_mrps = c.num_mrps;
    td.seed = c.seed;
    td.seeds = c.seeds;
    td.log_interval = c.log_interval;
    return td;
}

}  // namespace emergence
