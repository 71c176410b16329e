#pragma once
// Settings that experiments share, with the same name, label and range everywhere; the arguments say what
// differs. Each has its own heading and leaves that of Fields::group() alone.

#include "core/settings/fields.h"

namespace emergence {

/// "first seed"; `draws` says what differs between seeds: "Each draws its own stream of tasks."
Field first_seed_field(Fields& f, int64_t& seed, const std::string& draws);
/// "seeds", their number; `help` says of what.
Field num_seeds_field(Fields& f, int& seeds, const std::string& help);
/// "stop after" 1 to `maximum` of `unit`, the steps in the plural: "MRPs".
template <class Count>
Field stop_after_field(Fields& f, Count& steps, const std::string& name, const std::string& unit,
                       const std::string& help, double maximum = 1e6) {
    return f(steps, name, "stop after", help).group("run").unit(unit).log_range(1, maximum);
}
/// The same for a training; 0 steps leave the networks untrained, as a control.
template <class Count>
Field train_for_field(Fields& f, Count& steps, const std::string& name, const std::string& unit,
                      const std::string& help, double maximum = 1e6) {
    return stop_after_field(f, steps, name, unit, help + " 0: untrained, as a control.").log_range(0, maximum);
}
/// "log every", in steps of this unit: "MRPs".
Field log_interval_field(Fields& f, int& interval, const std::string& unit);
/// "discount", 0 to 0.99.
Field gamma_field(Fields& f, double& gamma, const std::string& help);
/// "features d", 1 to `maximum`.
Field features_field(Fields& f, int& d, const std::string& help, double maximum = 16);
/// "context length n", up to `maximum` transitions.
Field context_length_field(Fields& f, int& n, double maximum);
/// "states m", 3 to `maximum`.
Field states_field(Fields& f, int& num_states, const std::string& help, double maximum);
/// "representable values", by Algorithm 3 of Wang et al. 2025.
Field representable_field(Fields& f, bool& representable, const std::string& help);
/// Adam's "learning rate", 0 to 0.1.
Field learning_rate_field(Fields& f, double& rate, const std::string& help);
/// "weight decay", 0 to 0.1: the L2 term that optim/adam.h adds to the gradient.
Field weight_decay_field(Fields& f, double& decay);
/// "initial gain" of Xavier's normal weights, whose standard deviation is
///     gain / sqrt(size),
/// with `size` = "2d+1", the rows of square matrices. `more`: a last sentence for the help.
Field initial_gain_field(Fields& f, double& gain, const std::string& size, const std::string& more = "");
/// "minibatch size", up to `maximum` positions of the sliding window.
Field minibatch_field(Fields& f, int& size, double maximum);
/// "minibatches per MRP".
Field minibatches_per_mrp_field(Fields& f, int& minibatches);
/// "held-out MRPs", or another `what`, of which there are `minimum` to `maximum`. `measured`: "On them VD is measured."
Field bank_size_field(Fields& f, int& size, const std::string& what, const std::string& measured, double minimum,
                      double maximum);
/// "w* drawn from" N(0, I) (`normal`) or U(-1, 1)^d, if values are representable.
Field true_weights_field(Fields& f, bool& normal);

/// The words of a field that chooses an enumerator: `names` in the order of the enumerators.
template <class Enum>
std::vector<std::pair<std::string, Enum>> words_of(const std::vector<std::string>& names) {
    std::vector<std::pair<std::string, Enum>> words;
    for (const std::string& name : names) words.emplace_back(name, static_cast<Enum>(words.size()));
    return words;
}

}  // namespace emergence
