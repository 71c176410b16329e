#include "core/experiments/in_context_td/settings/td_runs_fields.h"

#include "core/experiments/common_fields.h"

namespace emergence {

void TdRunsConfig::fields(Fields& f) {
    features_field(f, tasks.d, "Features of a state.");
    context_length_field(f, context_length, 240);
    states_field(f, tasks.num_states, "States of each random Boyan chain.", 64);
    gamma_field(f, tasks.gamma, "Discount factor of the values to be predicted.");
    optimizer_field(f);
    learning_rate_field(f, adam.learning_rate, "Of the optimizer; sgd needs some hundred times Adam's.");
    train_for_field(f, num_mrps, "num_mrps", "MRPs",
                    "The run stops when every network has trained on this many MRPs.")
        .live();
    first_seed_field(f, seed, "Each draws its own weights and its own stream of tasks.");
    num_seeds_field(f, seeds, "How many independent trainings.");
    bank_size_field(f, bank_size, "MRPs", "Similarities are measured on them.", 16, 20000);
    log_interval_field(f, log_interval, "MRPs");
}

}  // namespace emergence
