#pragma once
// Settings that experiments share: the same name, label and range wherever they stand. What differs is what a
// seed or a step is.

#include <string>

#include "core/base/fields.h"

namespace emergence {

/// "first seed"; `draws` says what each seed has of its own: "Each draws its own stream of tasks."
FieldInfo first_seed_field(const std::string& draws);
/// "seeds": how many; `help` says of what.
FieldInfo num_seeds_field(const std::string& help);
/// "log every", in steps of this unit: "MRPs".
FieldInfo log_interval_field(const std::string& unit);
/// "discount", 0 to 0.99.
FieldInfo gamma_field(const std::string& help);
/// "features d", 1 to 16.
FieldInfo features_field(const std::string& help);
/// "context length n", up to `maximum` transitions.
FieldInfo context_length_field(double maximum);
/// "states m", 3 to `maximum`.
FieldInfo states_field(const std::string& help, double maximum);
/// Adam's "learning rate", 1e-5 to 0.1.
FieldInfo learning_rate_field(const std::string& help);
/// "weight decay", 0 to 0.1: the L2 term that optim/adam.h adds to the gradient.
FieldInfo weight_decay_field();
/// "initial gain" of Xavier's normal weights in square matrices of so many `rows`: "2d+1".
FieldInfo initial_gain_field(const std::string& rows);
/// "minibatch size", up to `maximum` positions of the sliding window.
FieldInfo minibatch_field(double maximum);
/// "minibatches an MRP".
FieldInfo minibatches_per_mrp_field();
/// "w* drawn from" N(0, I) or U(-1, 1)^d, where values are representable.
FieldInfo true_weights_field();

}  // namespace emergence
