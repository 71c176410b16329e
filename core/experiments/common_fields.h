#pragma once
// Settings that experiments share: the same name, label and range wherever they stand. What differs is what a
// seed or a step is.

#include <string>

#include "core/settings/fields.h"

namespace emergence {

/// "first seed"; `draws` says what each seed has of its own: "Each draws its own stream of tasks."
FieldInfo first_seed_field(const std::string& draws);
/// "seeds": how many; `help` says of what.
FieldInfo num_seeds_field(const std::string& help);
/// "log every", in steps of this unit: "MRPs".
FieldInfo log_interval_field(const std::string& unit);
/// "discount", 0 to 0.99.
FieldInfo gamma_field(const std::string& help);
/// "features d", 1 to `maximum`.
FieldInfo features_field(const std::string& help, double maximum = 16);
/// "context length n", up to `maximum` transitions.
FieldInfo context_length_field(double maximum);
/// "states m", 3 to `maximum`; where m is something else it has another label.
FieldInfo states_field(const std::string& help, double maximum, const std::string& label = "states m",
                       double minimum = 3);
/// Adam's "learning rate", 1e-5 to 0.1.
FieldInfo learning_rate_field(const std::string& help);
/// "weight decay", 0 to 0.1: the L2 term that optim/adam.h adds to the gradient.
FieldInfo weight_decay_field();
/// "initial gain" of Xavier's normal weights, their deviation gain over the root of `size`: "2d+1", the rows
/// of square matrices. `more`: a sentence for the end of the help.
FieldInfo initial_gain_field(const std::string& size, const std::string& more = "");
/// "minibatch size", up to `maximum` positions of the sliding window.
FieldInfo minibatch_field(double maximum);
/// "minibatches an MRP".
FieldInfo minibatches_per_mrp_field();
/// "w* drawn from" N(0, I) or U(-1, 1)^d, where values are representable.
FieldInfo true_weights_field();

}  // namespace emergence
