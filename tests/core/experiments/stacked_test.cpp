#include "core/experiments/stacked.h"

#include <doctest/doctest.h>

#include <span>
#include <vector>

using namespace emergence;

TEST_CASE("what seeds hold is stacked with a leading size for seeds") {
    const std::vector<std::vector<float>> weights = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
    const Array part = stacked(weights, {1, 2}, [](const auto& flat) { return std::span(flat).subspan(2, 2); });
    CHECK(part.shape == std::vector<size_t>{3, 1, 2});
    CHECK(std::get<std::vector<float>>(part.values) == std::vector<float>{3, 4, 7, 8, 11, 12});

    Table first(2, 1), second(2, 1);
    first.values = {1, 2};
    second.values = {3, 4};
    const Array tables = stacked({first, second});
    CHECK(tables.shape == std::vector<size_t>{2, 2, 1});
    CHECK(std::get<std::vector<double>>(tables.values) == std::vector<double>{1, 2, 3, 4});

    const Array lengths = one_a_seed<int64_t>(weights, [](const auto& flat) { return flat.size(); });
    CHECK(lengths.shape == std::vector<size_t>{3});
    CHECK(std::get<std::vector<int64_t>>(lengths.values) == std::vector<int64_t>{4, 4, 4});
}
