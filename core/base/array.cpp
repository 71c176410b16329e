#include "core/base/array.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/text.h"

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

std::optional<std::string> text_of_codes(const Array& array) {
    if (array.shape.size() != 1) return std::nullopt;
    std::string text;
    for (const double code : as_doubles(array)) {
        if (!(code >= 0 && code < 256 && code == std::floor(code))) return std::nullopt;
        text += static_cast<char>(static_cast<unsigned char>(code));
    }
    return text;
}

constexpr int64_t kMostCount = int64_t{1} << 53;

// Training adds to a stored count, so a count near the largest number would overflow.
template <class T>
static bool is_possible(T value) {
    if constexpr (std::is_floating_point_v<T>)
        return std::isfinite(value);
    else
        return value >= -kMostCount && value <= kMostCount;
}

const Array& Archive::stored(const std::string& name) const {
    const auto found = stored_->find(prefix_ + name);
    require(found != stored_->end(), name, "is missing");
    asked_.insert(found->first);
    return found->second;
}

void Archive::require(bool holds, const std::string& name, const std::string& wanted) const {
    if (loads() && !holds) throw InputError("training state: array '" + prefix_ + name + "' " + wanted);
}

void Archive::operator()(const std::string& name, Array& array) {
    if (loads())
        array = stored(name);
    else
        check(saved_->emplace(prefix_ + name, array).second, "a state has one array of each name");
}

template <class T>
void Archive::exchange(const std::string& name, std::vector<T>& values) {
    Array array = array_of(values);
    (*this)(name, array);
    if (!loads()) return;
    // The names of Array's types, in the order of its variant.
    constexpr std::array types = {"float32", "float64", "int64", "uint64"};
    const auto* found = std::get_if<std::vector<T>>(&array.values);
    const auto entries = [&types](size_t count, size_t type) {
        return counted(count, std::string(types[type]) + " entry", std::string(types[type]) + " entries");
    };
    require(found != nullptr && found->size() == values.size(), name,
            "has " + entries(element_count(array.shape), array.values.index()) + ", but these settings need " +
                entries(values.size(), array_of(values).values.index()));
    require(std::all_of(found->begin(), found->end(), [](T value) { return is_possible(value); }), name,
            std::is_floating_point_v<T> ? "has an entry that is not finite" : "has a count that no training can reach");
    values = *found;
}

template void Archive::exchange(const std::string&, std::vector<float>&);
template void Archive::exchange(const std::string&, std::vector<double>&);
template void Archive::exchange(const std::string&, std::vector<int64_t>&);

void Archive::rows(const std::string& name, std::vector<std::vector<double>>& rows, size_t columns) {
    std::vector<double> flat;
    for (const auto& row : rows) flat.insert(flat.end(), row.begin(), row.end());
    Array table{{rows.size(), columns}, std::move(flat)};
    (*this)(name, table);
    if (!loads()) return;
    const auto* values = std::get_if<std::vector<double>>(&table.values);
    require(values != nullptr && table.shape.size() == 2 && table.shape[1] == columns &&
                values->size() == table.shape[0] * columns,
            name,
            "has shape " + shape_text(table.shape) + ", but rows of " + std::to_string(columns) +
                " float64 entries are needed");
    rows.clear();
    for (size_t i = 0; i < table.shape[0]; ++i)
        rows.emplace_back(values->begin() + i * columns, values->begin() + (i + 1) * columns);
}

void Archive::require_all_asked() const {
    for (const auto& [name, array] : *stored_) require(asked_.contains(name), name, "does not belong to this training");
}

}  // namespace emergence
