#include "core/models/network_shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"

namespace emergence {

const std::vector<std::string>& activation_names() {
    static const std::vector<std::string> names = {"identity", "softmax", "softmax_columns", "relu", "elu", "tanh"};
    return names;
}

Activation activation_named(const std::string& name, const std::string& what) {
    const auto& names = activation_names();
    for (size_t i = 0; i < names.size(); ++i)
        if (names[i] == name) return static_cast<Activation>(i);
    throw InputError(fmt::format("{}: '{}' is not one of {}", what, name, fmt::join(names, ", ")));
}

}  // namespace emergence
