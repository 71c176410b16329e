#pragma once
// A training's state as named arrays, and the checks when it is read back.

#include <cmath>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/error.h"
#include "core/optim/adam.h"

namespace emergence {

/// `values` as an array of one dimension.
template <class T>
Array array_of(const std::vector<T>& values) {
    return {{values.size()}, values};
}

/// Reads array `name` into `values`. Throws InputError, which names the array, if it is missing, has another size or
/// type than `values`, or has an entry that is not finite.
template <class T>
void read_array(const ArrayMap& state, const std::string& name, std::vector<T>& values) {
    const auto found = state.find(name);
    if (found == state.end()) throw InputError("training state: array '" + name + "' is missing");
    const auto* stored = std::get_if<std::vector<T>>(&found->second.values);
    if (!stored || stored->size() != values.size())
        throw InputError("training state: array '" + name + "' has " +
                         std::to_string(element_count(found->second.shape)) +
                         " entries or another type, wanted are " + std::to_string(values.size()) +
                         " of this config's type");
    for (const T x : *stored)
        if (!std::isfinite(static_cast<double>(x)))
            throw InputError("training state: array '" + name + "' has an entry that is not finite");
    values = *stored;
}

/// Throws InputError with "training state: array 'NAME' WANTED" unless `holds`.
void require_array(bool holds, const std::string& name, const char* wanted);
/// Throws InputError if `state` has an array that `own` does not.
void require_known(const ArrayMap& state, const ArrayMap& own);

/// Saves Adam's state as NAME.first_moment, NAME.second_moment and NAME.steps.
template <class T>  // float or double
void save_adam(const std::string& name, const Adam<T>& adam, ArrayMap& state);
/// Reads it into `adam`, whose size it must have. Throws InputError, which names the array, if it does not fit.
template <class T>
void read_adam(const ArrayMap& state, const std::string& name, Adam<T>& adam);

}  // namespace emergence
