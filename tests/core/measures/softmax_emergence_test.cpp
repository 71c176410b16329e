// V- and A-emergence on weights whose scores are known.
#include "core/measures/softmax_emergence.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace emergence;

namespace {

// d = 2, D = 5. P's last row, then Q's feature block.
std::vector<float> weights(std::vector<float> row, std::vector<float> block) {
    std::vector<float> w(50, 0.0F);
    for (size_t i = 0; i < 5; ++i) w[20 + i] = row[i];
    w[25] = block[0], w[26] = block[1], w[30] = block[2], w[31] = block[3];
    return w;
}

}  // namespace

TEST_CASE("the construction scores 1 and 1, with every lamp lit") {
    const auto w = weights({0, 0, 1, 1, -1}, {3, 0, 0, 3});
    const SoftmaxEmergence e = softmax_emergence(w.data(), 2);
    CHECK(e.v_emergence == doctest::Approx(1.0));
    CHECK(e.a_emergence == doctest::Approx(1.0));
    CHECK(e.all_lamps());
    CHECK(e.others == 0.0);
}

TEST_CASE("V is the least over the largest coefficient, and 0 where a sign is wrong") {
    auto w = weights({0.5F, -0.25F, 2, 0.5F, -1}, {1, 0, 0, 1});
    CHECK(softmax_emergence(w.data(), 2).v_emergence == doctest::Approx(0.25));
    CHECK(softmax_emergence(w.data(), 2).others == doctest::Approx(0.375));
    w = weights({0, 0, 2, 0.5F, 1}, {1, 0, 0, 1});
    CHECK(softmax_emergence(w.data(), 2).v_emergence == 0.0);
    CHECK_FALSE(softmax_emergence(w.data(), 2).all_lamps());
}

TEST_CASE("A is diagonality times comparability, and blind to Q's sign") {
    // Columns (3, 1) and (-1, 1): shares 3/4 and 1/2 of the mass; diagonal 3 and 1: mean 2, deviation 1.
    auto w = weights({0, 0, 1, 1, -1}, {3, -1, 1, 1});
    const double wanted = 0.625 / 1.5;
    CHECK(softmax_emergence(w.data(), 2).a_emergence == doctest::Approx(wanted));
    CHECK(softmax_emergence(w.data(), 2).q_others == doctest::Approx(1.0));
    for (size_t i = 25; i < 50; ++i) w[i] = -w[i];
    CHECK(softmax_emergence(w.data(), 2).a_emergence == doctest::Approx(wanted));
    CHECK_FALSE(softmax_emergence(w.data(), 2).positive_lamp());
}
