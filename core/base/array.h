#pragma once
// Named arrays: what an NPZ archive holds, and how an experiment hands over its state.

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace emergence {

/// A dense row-major array. `values` holds as many elements as the product of `shape` (1 for an empty shape).
struct Array {
    std::vector<size_t> shape;
    std::variant<std::vector<float>, std::vector<double>, std::vector<int64_t>, std::vector<uint64_t>> values;

    bool operator==(const Array&) const = default;
};

using ArrayMap = std::map<std::string, Array>;

/// The number of elements of an array of this shape. Throws InputError if it does not fit a size_t.
size_t element_count(const std::vector<size_t>& shape);
/// "2 x 9 x 31", for messages; "a single number" for an empty shape.
std::string shape_text(const std::vector<size_t>& shape);

/// The values, converted from their stored type to double.
std::vector<double> as_doubles(const Array& array);

}  // namespace emergence
