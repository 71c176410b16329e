#include "core/base/array.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "core/base/error.h"

namespace emergence {

size_t element_count(const std::vector<size_t>& shape) {
    size_t count = 1;
    for (const size_t extent : shape) {
        if (extent != 0 && count > std::numeric_limits<size_t>::max() / extent)
            throw InputError("array shape: more elements than can be addressed");
        count *= extent;
    }
    return count;
}

std::string shape_text(const std::vector<size_t>& shape) {
    return shape.empty() ? "a single number" : fmt::format("{}", fmt::join(shape, " x "));
}

std::vector<double> as_doubles(const Array& array) {
    return std::visit(
        [](const auto& values) {
            std::vector<double> result;
            result.reserve(values.size());
            for (const auto value : values) result.push_back(static_cast<double>(value));
            return result;
        },
        array.values);
}

}  // namespace emergence
