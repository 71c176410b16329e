#pragma once
// Settings that experiments share, with the same name, label and range everywhere; the arguments say what
// differs.

#include <string>

#include "core/settings/fields.h"

namespace emergence {

/// "first seed"; `draws` says what differs between seeds: "Each draws its own stream of tasks."
FieldInfo first_seed_field(const std::string& draws);
/// "seeds", their number; `help` says of what.
FieldInfo num_seeds_field(const std::string& help);
/// "log every", in steps of this unit: "MRPs".
FieldInfo log_interval_field(const std::string& unit);
/// "discount", 0 to 0.99.
FieldInfo gamma_field(const std::string& help);
/// "features d", 1 to `maximum`.
FieldInfo features_field(const std::string& help, double maximum = 16);
/// "context length n", up to `maximum` transitions.
FieldInfo context_length_field(double maximum);
/// "states m", 3 to `maximum`; if m means something else, `label` says what.
FieldInfo states_field(const std::string& help, double maximum, const std::string& label = "states m",
                       double minimum = 3);
/// Adam's "learning rate", 1e-5 to 0.1.
FieldInfo learning_rate_field(const std::string& help);
/// "weight decay", 0 to 0.1: the L2 term that optim/adam.h adds to the gradient.
FieldInfo weight_decay_field();
/// "initial gain" of Xavier's normal weights, whose standard deviation is
///     gain / sqrt(size),
/// with `size` = "2d+1", the rows of square matrices. `more`: a last sentence for the help.
FieldInfo initial_gain_field(const std::string& size, const std::string& more = "");
/// "minibatch size", up to `maximum` positions of the sliding window.
FieldInfo minibatch_field(double maximum);
/// "minibatches an MRP".
FieldInfo minibatches_per_mrp_field();
/// "w* drawn from" N(0, I) or U(-1, 1)^d, if values are representable.
FieldInfo true_weights_field();

}  // namespace emergence
