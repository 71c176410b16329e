#include "tests/support/evaluate_prompts.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/models/attention_naive.h"
#include "tests/support/scratch.h"

namespace emergence {
namespace {

using testing::message_of;

Array random_array(const std::vector<size_t>& shape, uint32_t index, double scale) {
    Stream stream(1, Purpose::testing, index);
    std::vector<double> values(element_count(shape));
    for (double& value : values) value = scale * stream.normal();
    return {shape, values};
}

Eigen::MatrixXd slice(const Array& array, size_t index) {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const std::vector<double> values = as_doubles(array);
    const size_t size = array.shape[1] * array.shape[2];
    return Eigen::Map<const RowMajor>(values.data() + index * size, static_cast<Eigen::Index>(array.shape[1]),
                                      static_cast<Eigen::Index>(array.shape[2]));
}

void check_against_naive(size_t stored, int layers, Activation activation = Activation::identity) {
    const Array Z = random_array({6, 5, 12}, 0, 0.7);
    const Array P = random_array({stored, 5, 5}, 1, 0.4);
    const Array Q = random_array({stored, 5, 5}, 2, 0.4);
    std::vector<Eigen::MatrixXd> P_layers, Q_layers;
    for (size_t l = 0; l < stored; ++l) {
        P_layers.push_back(slice(P, l));
        Q_layers.push_back(slice(Q, l));
    }
    NaiveAttention<double> network(P_layers, Q_layers, layers, activation);
    const std::vector<double> values = attention_values(Z, P, Q, layers, activation);
    REQUIRE(values.size() == 6);
    for (size_t b = 0; b < 6; ++b) {
        network.forward(slice(Z, b));
        CHECK(values[b] == doctest::Approx(network.value()).epsilon(1e-11));
    }
}

TEST_CASE("values agree with the n-by-n form, one layer reused or each its own") {
    check_against_naive(1, 1);
    check_against_naive(1, 3);
    check_against_naive(4, 4);
    check_against_naive(1, 3, Activation::softmax);
    check_against_naive(2, 2, Activation::tanh);
}

TEST_CASE("one layer of the constructed TD network, worked out by hand") {
    // d = 1, n = 1, one transition (phi, gamma phi', R) = (2, 0.5, 3), query 4. P's corner 1, Q = [-1 1 0; 0
    // 0 0; 0 0 0]: z_query gets (R + ...) z' Q z = 3 * (-2 * 4) / 1, so the value is 24 = w phi with w = R
    // phi = 6.
    const Array Z{{1, 3, 2}, std::vector<float>{2, 4, 0.5F, 0, 3, 0}};
    const Array P{{1, 3, 3}, std::vector<double>{0, 0, 0, 0, 0, 0, 0, 0, 1}};
    const Array Q{{1, 3, 3}, std::vector<double>{-1, 1, 0, 0, 0, 0, 0, 0, 0}};
    CHECK(attention_values(Z, P, Q, 1) == std::vector<double>{24.0});
    CHECK(attention_values({{0, 3, 2}, std::vector<float>{}}, P, Q, 1).empty());
}

TEST_CASE("shapes that do not fit and entries that are not finite are refused by name") {
    const auto refusal = [](const Array& Z, const Array& P, const Array& Q, int layers) {
        return message_of<InputError>([&] { attention_values(Z, P, Q, layers); });
    };
    const Array Z = random_array({2, 5, 4}, 0, 1);
    const Array P = random_array({1, 5, 5}, 1, 1);
    const Array three = random_array({3, 5, 5}, 1, 1);
    CHECK(refusal(random_array({2, 4, 4}, 0, 1), P, P, 1) ==
          "Z: its shape is 2 x 4 x 4 instead of B x (2d+1) x (n+1), with d and n at least 1");
    CHECK(refusal(random_array({5, 4}, 0, 1), P, P, 1).find("Z: its shape is 5 x 4") == 0);
    CHECK(refusal(random_array({2, 5, 1}, 0, 1), P, P, 1).find("Z: its shape is 2 x 5 x 1") == 0);
    CHECK(refusal(Z, random_array({1, 7, 7}, 1, 1), P, 1) ==
          "P: its shape is 1 x 7 x 7, but Z of shape 2 x 5 x 4 needs layers x 5 x 5");
    CHECK(refusal(Z, P, random_array({}, 1, 1), 1).find("Q: its shape is a single number, but") == 0);
    CHECK(refusal(Z, P, three, 3) == "P and Q: their shapes 1 x 5 x 5 and 3 x 5 x 5 differ");
    CHECK(refusal(Z, three, three, 2) == "layers: 2 were asked for, but 3 are stored");
    CHECK(refusal(Z, P, P, 0) == "layers: 0 is not a number from 1");
    Array bad = random_array({2, 5, 4}, 0, 1);
    std::get<std::vector<double>>(bad.values)[20 + 4 + 3] = std::numeric_limits<double>::infinity();
    CHECK(refusal(bad, P, P, 1) == "Z: entry [1, 1, 3] is inf, not a finite number");
}

}  // namespace
}  // namespace emergence
