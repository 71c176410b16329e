#pragma once
// Activations by name.

#include <string>
#include <vector>

#include "core/models/network_shape.h"

namespace emergence {

/// "identity", "softmax", "softmax_columns", ..., in the order of Activation.
const std::vector<std::string>& activation_names();

/// The activation called `name`. Throws InputError with the list of names if there is no such activation;
/// `what`: the setting that the message names.
Activation activation_named(const std::string& name, const std::string& what);

}  // namespace emergence
