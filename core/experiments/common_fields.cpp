#include "core/experiments/common_fields.h"

namespace emergence {

FieldInfo first_seed_field(const std::string& draws) {
    return {.name = "seed",
            .label = "first seed",
            .help = "Seeds are seed, seed+1, ... " + draws,
            .group = "run",
            .minimum = 0,
            .maximum = 9e15,
            .advanced = true};
}

FieldInfo num_seeds_field(const std::string& help) {
    return {.name = "seeds",
            .label = "seeds",
            .help = help,
            .group = "run",
            .minimum = 1,
            .maximum = 256,
            .logarithmic = true};
}

FieldInfo log_interval_field(const std::string& unit) {
    return {.name = "log_interval",
            .label = "log every",
            .help = unit + " between two logged points.",
            .group = "evaluation",
            .unit = unit,
            .minimum = 1,
            .maximum = 1000,
            .logarithmic = true,
            .advanced = true};
}

FieldInfo gamma_field(const std::string& help) {
    return {.name = "gamma",
            .label = "discount \u03b3",
            .help = help,
            .group = "task",
            .minimum = 0,
            .maximum = 0.99};
}

FieldInfo features_field(const std::string& help, double maximum) {
    return {
        .name = "d", .label = "features d", .help = help, .group = "task", .minimum = 1, .maximum = maximum};
}

FieldInfo context_length_field(double maximum) {
    return {.name = "n",
            .label = "context length n",
            .help = "Transitions in a prompt, before the query.",
            .group = "task",
            .minimum = 1,
            .maximum = maximum,
            .logarithmic = true};
}

FieldInfo states_field(const std::string& help, double maximum, const std::string& label, double minimum) {
    return {.name = "num_states",
            .label = label,
            .help = help,
            .group = "task",
            .minimum = minimum,
            .maximum = maximum};
}

FieldInfo learning_rate_field(const std::string& help) {
    return {.name = "learning_rate",
            .label = "learning rate",
            .help = help,
            .group = "training",
            .minimum = 1e-5,
            .maximum = 0.1,
            .logarithmic = true};
}

FieldInfo weight_decay_field() {
    return {.name = "weight_decay",
            .label = "weight decay",
            .help = "L2 term added to the gradient.",
            .group = "training",
            .minimum = 0,
            .maximum = 0.1,
            .logarithmic = true,
            .advanced = true};
}

FieldInfo initial_gain_field(const std::string& size, const std::string& more) {
    return {.name = "initial_gain",
            .label = "initial gain",
            .help = "Xavier gain of the random weights: their standard deviation is gain / sqrt(" + size +
                    ")." + (more.empty() ? "" : " " + more),
            .group = "training",
            .minimum = 1e-3,
            .maximum = 3,
            .logarithmic = true,
            .advanced = true};
}

FieldInfo minibatch_field(double maximum) {
    return {.name = "minibatch_size",
            .label = "minibatch size",
            .help = "Prompts in a minibatch: positions of the sliding window over one trajectory.",
            .group = "training",
            .minimum = 1,
            .maximum = maximum,
            .logarithmic = true,
            .advanced = true};
}

FieldInfo minibatches_per_mrp_field() {
    return {.name = "minibatches_per_mrp",
            .label = "minibatches an MRP",
            .help = "Adam steps on each MRP, each on a fresh trajectory.",
            .group = "training",
            .minimum = 1,
            .maximum = 64,
            .advanced = true};
}

FieldInfo true_weights_field() {
    return {.name = "true_weights",
            .label = "w* drawn from",
            .help =
                "With representable values: w* from N(0, I) as in the authors' code, or from U(-1, 1)^d "
                "as in the paper.",
            .group = "task",
            .advanced = true,
            .choices = {"normal", "uniform"}};
}

}  // namespace emergence
