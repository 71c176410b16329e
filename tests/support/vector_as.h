#pragma once

#include <vector>

namespace emergence::testing {

/// The same values in another precision.
template <class T>
std::vector<T> vector_as(const std::vector<double>& values) {
    return {values.begin(), values.end()};
}

}  // namespace emergence::testing
