#include "core/experiments/common_fields.h"

namespace emergence {

Field first_seed_field(Fields& f, int64_t& seed, const std::string& draws) {
    return f(seed, "seed", "first seed", "Seeds are seed, seed+1, ... " + draws)
        .group("run")
        .range(0, 9e15)
        .role(FieldRole::first_seed)
        .advanced();
}

Field num_seeds_field(Fields& f, int& seeds, const std::string& help) {
    return f(seeds, "seeds", "seeds", help).group("run").log_range(1, 256).role(FieldRole::seed_count);
}

Field log_interval_field(Fields& f, int& interval, const std::string& unit) {
    return f(interval, "log_interval", "log every", unit + " between two logged points.")
        .group("evaluation")
        .unit(unit)
        .log_range(1, 1000)
        .advanced();
}

Field gamma_field(Fields& f, double& gamma, const std::string& help) {
    return f(gamma, "gamma", "discount \u03b3", help).group("task").range(0, 0.99);
}

Field features_field(Fields& f, int& d, const std::string& help, double maximum) {
    return f(d, "d", "features d", help).group("task").range(1, maximum);
}

Field context_length_field(Fields& f, int& n, double maximum) {
    return f(n, "n", "context length n", "Transitions in a prompt, before the query.")
        .group("task")
        .log_range(1, maximum);
}

Field states_field(Fields& f, int& num_states, const std::string& help, double maximum) {
    return f(num_states, "num_states", "states m", help).group("task").range(3, maximum);
}

Field representable_field(Fields& f, bool& representable, const std::string& help) {
    return f(representable, "representable", "representable values", help).group("task");
}

Field learning_rate_field(Fields& f, double& rate, const std::string& help) {
    return f(rate, "learning_rate", "learning rate", help).group("training").log_range(0, 0.1);
}

Field weight_decay_field(Fields& f, double& decay) {
    return f(decay, "weight_decay", "weight decay", "L2 term added to the gradient.")
        .group("training")
        .log_range(0, 0.1)
        .advanced();
}

Field initial_gain_field(Fields& f, double& gain, const std::string& size, const std::string& more) {
    return f(gain, "initial_gain", "initial gain",
             "Xavier gain of the random weights: their standard deviation is gain / sqrt(" + size + ")." +
                 (more.empty() ? "" : " " + more))
        .group("training")
        .log_range(1e-3, 3)
        .advanced();
}

Field minibatch_field(Fields& f, int& size, double maximum) {
    return f(size, "minibatch_size", "minibatch size",
             "Prompts in a minibatch: positions of the sliding window over one trajectory.")
        .group("training")
        .log_range(1, maximum)
        .advanced();
}

Field minibatches_per_mrp_field(Fields& f, int& minibatches) {
    return f(minibatches, "minibatches_per_mrp", "minibatches per MRP",
             "Adam steps on each MRP, each on a fresh trajectory.")
        .group("training")
        .range(1, 64)
        .advanced();
}

Field bank_size_field(Fields& f, int& size, const std::string& what, const std::string& measured, double minimum,
                      double maximum) {
    return f(size, "bank_size", "held-out " + what, measured + " Never trained on; the same for all seeds.")
        .group("evaluation")
        .log_range(minimum, maximum)
        .advanced();
}

Field true_weights_field(Fields& f, bool& normal) {
    return f
        .choice(
            normal, {{"normal", true}, {"uniform", false}}, "true_weights", "w* drawn from",
            "With representable values: w* from N(0, I) as in the authors' code, or from U(-1, 1)^d as in Wang et al. 2025.")
        .group("task")
        .advanced();
}

}  // namespace emergence
