#pragma once
// What the seeds of a run hold, as one array of a file: a leading size for seeds, then the shape of each one's part.

#include <array>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/array.h"
#include "core/base/types.h"

namespace emergence {

/// seeds x shape. `of(seed)` gives a seed's part, a range of numbers in row-major order.
template <class Seeds, class Of>
Array stacked(const Seeds& seeds, std::vector<size_t> shape, const Of& of) {
    std::vector<std::remove_cvref_t<decltype(*std::begin(of(*std::begin(seeds))))>> values;
    for (const auto& seed : seeds) {
        const auto& part = of(seed);
        values.insert(values.end(), std::begin(part), std::end(part));
    }
    shape.insert(shape.begin(), std::size(seeds));
    return {std::move(shape), std::move(values)};
}

/// seeds x rows x columns.
inline Array stacked(const std::vector<Table>& tables) {
    return stacked(
        tables, {static_cast<size_t>(tables.front().rows), static_cast<size_t>(tables.front().columns)},
        [](const Table& table) -> const auto& { return table.values; });
}

/// seeds: one number of each.
template <class T, class Seeds, class Of>
Array one_a_seed(const Seeds& seeds, const Of& of) {
    return stacked(seeds, {}, [&](const auto& seed) { return std::array{static_cast<T>(of(seed))}; });
}

/// The numbers of these Experiments.
template <class Seeds>
Array seed_numbers(const Seeds& seeds) {
    return one_a_seed<int64_t>(seeds, [](const auto* seed) { return seed->status().seed; });
}

}  // namespace emergence
