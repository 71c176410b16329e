#pragma once
// Activations by name.

#include <string>
#include <vector>

#include "core/models/network_shape.h"

namespace emergence {

/// "identity", "softmax", "softmax_columns", ...: in the order of the enumeration.
const std::vector<std::string>& activation_names();

/// Throws InputError, saying which there are, where `name` is none of them; `what` names the setting.
Activation activation_named(const std::string& name, const std::string& what);

}  // namespace emergence
