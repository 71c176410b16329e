#include "core/experiments/in_context_td/td_runs_fields.h"

#include "core/experiments/common_fields.h"

namespace emergence {

void TdRunsConfig::fields(Fields& f) {
    features_field(f, tasks.d, "Features of a state.");
    context_length_field(f, context_length, 240);
    states_field(f, tasks.num_states, "States of each random Boyan chain.", 64);
    gamma_field(f, tasks.gamma, "Discount factor of the values to be predicted.");
    f.group("training");
    f.choice(plain_gradient, {{"adam", false}, {"sgd", true}}, "optimizer", "optimizer",
             "adam: as the paper trains. "
             "sgd: Algorithm 1's own step, theta += learning rate * TD error * grad v.");
    learning_rate_field(f, adam.learning_rate, "Of the optimizer; sgd wants some hundred times Adam's.");
    stop_after_field(f, num_mrps, "num_mrps", "MRPs",
                     "The run stops when every network has trained on this many MRPs.")
        .live();
    first_seed_field(f, seed, "Each draws its own weights and its own stream of tasks.");
    num_seeds_field(f, seeds, "How many independent trainings.");
    f.group("evaluation");
    f(bank_size, "bank_size", "held-out MRPs",
      "MRPs on which similarities are measured. Never trained on; the same for all.")
        .log_range(16, 20000)
        .advanced();
    log_interval_field(f, log_interval, "MRPs");
}

}  // namespace emergence
