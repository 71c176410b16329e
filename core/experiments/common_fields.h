#pragma once
// Settings that experiments share, with the same name, label and range everywhere; the arguments say what
// differs. Each has its own heading and leaves that of Fields::group() alone.

#include "core/settings/fields.h"

namespace emergence {

/// Declares a field that is advanced, or one that is live.
Field advanced(Fields& f, auto& member, std::string name, std::string label, std::string help) {
    return f(member, std::move(name), std::move(label), std::move(help)).advanced();
}
Field live(Fields& f, auto& member, std::string name, std::string label, std::string help) {
    return f(member, std::move(name), std::move(label), std::move(help)).live();
}

/// "first seed"; `draws` says what differs between seeds: "Each draws its own stream of tasks."
inline Field first_seed_field(Fields& f, int64_t& seed, const std::string& draws) {
    return f(seed, "seed", "first seed", "Seeds are seed, seed+1, ... " + draws)
        .group("run")
        .range(0, 9e15)
        .role(FieldRole::first_seed)
        .advanced();
}
/// "seeds", their number; `help` says of what.
inline Field num_seeds_field(Fields& f, int& seeds, const std::string& help) {
    return f(seeds, "seeds", "seeds", help).group("run").log_range(1, 256).role(FieldRole::seed_count);
}
/// "stop after" 1 to `maximum` of `unit`, the steps in the plural: "MRPs".
Field stop_after_field(Fields& f, auto& steps, const std::string& name, const std::string& unit,
                       const std::string& help, double maximum = 1e6) {
    return f(steps, name, "stop after", help).group("run").unit(unit).log_range(1, maximum);
}
/// The same for a training; 0 steps leave the networks untrained, as a control.
Field train_for_field(Fields& f, auto& steps, const std::string& name, const std::string& unit, const std::string& help,
                      double maximum = 1e6) {
    return stop_after_field(f, steps, name, unit, help + " 0: untrained, as a control.").log_range(0, maximum).live();
}
/// "log every", in steps of this unit: "MRPs".
inline Field log_interval_field(Fields& f, int& interval, const std::string& unit) {
    return f(interval, "log_interval", "log every", unit + " between two logged points.")
        .group("evaluation")
        .unit(unit)
        .log_range(1, 1000)
        .advanced();
}
inline Field gamma_field(Fields& f, double& gamma, const std::string& help) {
    return f(gamma, "gamma", "discount \u03b3", help).group("task").range(0, 0.99);
}
inline Field features_field(Fields& f, int& d, const std::string& help, double maximum = 16) {
    return f(d, "d", "features d", help).group("task").range(1, maximum);
}
/// "context length n", up to `maximum` transitions.
inline Field context_length_field(Fields& f, int& n, double maximum) {
    return f(n, "n", "context length n", "Transitions in a prompt, before the query.")
        .group("task")
        .log_range(1, maximum);
}
inline Field states_field(Fields& f, int& num_states, const std::string& help, double maximum) {
    return f(num_states, "num_states", "states m", help).group("task").range(3, maximum);
}
/// "representable values", by Algorithm 3 of Wang et al. 2025.
inline Field representable_field(Fields& f, bool& representable, const std::string& help) {
    return f(representable, "representable", "representable values", help).group("task");
}
inline Field learning_rate_field(Fields& f, double& rate, const std::string& help) {
    return f(rate, "learning_rate", "learning rate", help).group("training").log_range(0, 0.1);
}
/// "weight decay", 0 to 0.1: the L2 term that optim/adam.h adds to the gradient.
inline Field weight_decay_field(Fields& f, double& decay) {
    return f(decay, "weight_decay", "weight decay", "L2 penalty: adds this times the weights to the gradient.")
        .group("training")
        .log_range(0, 0.1)
        .advanced();
}
/// "initial gain" of Xavier's normal weights, whose standard deviation is
///     gain / sqrt(size),
/// with `size` = "2d+1", the rows of square matrices. `more`: a last sentence for the help.
inline Field initial_gain_field(Fields& f, double& gain, const std::string& size, const std::string& more = "") {
    return f(gain, "initial_gain", "initial gain",
             "Xavier gain of the random weights: their standard deviation is gain / sqrt(" + size + ")." +
                 (more.empty() ? "" : " " + more))
        .group("training")
        .log_range(1e-3, 3)
        .advanced();
}
/// "minibatch size", up to `maximum` positions of the sliding window.
inline Field minibatch_field(Fields& f, int& size, double maximum) {
    return f(size, "minibatch_size", "minibatch size", "Prompts in a minibatch: successive windows of one trajectory.")
        .group("training")
        .log_range(1, maximum)
        .advanced();
}
inline Field minibatches_per_mrp_field(Fields& f, int& minibatches) {
    return f(minibatches, "minibatches_per_mrp", "minibatches per MRP",
             "Updates on each MRP, each on a fresh trajectory.")
        .group("training")
        .range(1, 64)
        .advanced();
}
/// "held-out MRPs", or another `what`, of which there are `minimum` to `maximum`. `measured`: "On them VD is measured."
inline Field bank_size_field(Fields& f, int& size, const std::string& what, const std::string& measured, double minimum,
                             double maximum) {
    return f(size, "bank_size", "held-out " + what, measured + " No network trains on them; all networks share them.")
        .group("evaluation")
        .log_range(minimum, maximum)
        .advanced();
}
/// "w* drawn from" N(0, I) (`normal`) or U(-1, 1)^d, if values are representable.
inline Field true_weights_field(Fields& f, bool& normal) {
    return f
        .choice(normal, {{"normal", true}, {"uniform", false}}, "true_weights", "w* drawn from",
                "Where the true value is w*'\u03c6: draw w* from N(0, I), as in the authors' code, or from U(-1, 1)^d, "
                "as in Wang et al. 2025.")
        .group("task")
        .advanced();
}

/// The words of a field that chooses an enumerator: `names` in the order of the enumerators.
template <class Enum>
std::vector<std::pair<std::string, Enum>> words_of(const std::vector<std::string>& names) {
    std::vector<std::pair<std::string, Enum>> words;
    for (const std::string& name : names) words.emplace_back(name, static_cast<Enum>(words.size()));
    return words;
}

}  // namespace emergence
