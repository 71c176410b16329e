#pragma once
// Numbers of seeds as snapshots and files hold them: matrices as tables, and one array of what all seeds hold.

#include <array>
#include <iterator>
#include <type_traits>
#include <utility>

#include "core/base/array.h"
#include "core/base/error.h"
#include "core/base/matrix.h"

namespace emergence {

/// The same entries as a table.
inline Table table_of(const Mat& matrix) {
    Table table(static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols()));
    for (int i = 0; i < table.rows; ++i)
        for (int j = 0; j < table.columns; ++j) table(i, j) = matrix(i, j);
    return table;
}

/// The same entries as a matrix.
inline Mat matrix_of(const Table& table) {
    Mat matrix(table.rows, table.columns);
    for (int i = 0; i < table.rows; ++i)
        for (int j = 0; j < table.columns; ++j) matrix(i, j) = table(i, j);
    return matrix;
}

/// Row by row, the layout of weights in training.
inline std::vector<float> floats_of(const Mat& matrix) {
    std::vector<float> values;
    for (Index i = 0; i < matrix.rows(); ++i)
        for (Index j = 0; j < matrix.cols(); ++j) values.push_back(static_cast<float>(matrix(i, j)));
    return values;
}

/// seeds x shape. `of(seed)` gives a seed's part, a range of numbers in row-major order.
Array stacked(const auto& seeds, std::vector<size_t> shape, const auto& of) {
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

/// The numbers of seed number `seed` in such an array, in row-major order.
inline std::vector<double> part_of_seed(const Array& array, size_t seed) {
    const std::vector<double> all = as_doubles(array);
    check(!array.shape.empty() && seed < array.shape.front(), "an array has a part for each seed");
    const auto size = static_cast<std::ptrdiff_t>(all.size() / array.shape.front());
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(seed) * size;
    return {from, from + size};
}
/// The matrix of a seed, of seeds x rows x columns.
inline Mat matrix_of_seed(const Array& array, size_t seed) {
    check(array.shape.size() == 3, "a seed's part of the array is a matrix");
    const std::vector<double> values = part_of_seed(array, seed);
    return ConstMatView::by_rows(values.data(), static_cast<Index>(array.shape[1]), static_cast<Index>(array.shape[2]));
}

/// seeds: one number of each.
template <class T>
Array one_a_seed(const auto& seeds, const auto& of) {
    return stacked(seeds, {}, [&](const auto& seed) { return std::array{static_cast<T>(of(seed))}; });
}

/// The numbers of these Experiments.
Array seed_numbers(const auto& seeds) {
    return one_a_seed<int64_t>(seeds, [](const auto* seed) { return seed->status().seed; });
}

}  // namespace emergence
