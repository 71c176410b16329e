#include "core/measures/emergence.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace emergence;

TEST_CASE("element-wise numbers by hand, d = 1, negated weights aligned") {
    Table P(3, 3, 0.1), Q(3, 3, 0.2);
    P(2, 2) = -2;
    Q(0, 0) = 4;
    Q(0, 1) = -3;
    const ElementWise e = element_wise(P, Q);
    CHECK(e.sign == -1);
    CHECK(e.p_corner == 2);
    CHECK(e.p_others == doctest::Approx(0.1));
    CHECK(e.q_trace_upper_left == -4);
    CHECK(e.q_trace_upper_right == 3);
    // Seven entries stand outside both traces: signed traces must not leak into their mean.
    CHECK(e.q_others == doctest::Approx(0.2));
    CHECK(has_emerged(e, 1, 3));
}

TEST_CASE("emerged needs the corner, the reward block and, beyond one layer, the bootstrapping block") {
    Table P(9, 9), Q(9, 9);
    P(8, 8) = 1;
    for (int i = 0; i < 4; ++i) Q(i, i) = -1;
    CHECK(has_emerged(element_wise(P, Q), 4, 1));
    const std::vector<Lack> lacks = lacks_to_emerge(element_wise(P, Q), 4, 3);
    REQUIRE(lacks.size() == 1);
    CHECK((lacks[0].what == "the trace of Q's upper-right block" && lacks[0].value == 0 && lacks[0].needed == 1));
    for (int i = 0; i < 4; ++i) Q(i, 4 + i) = 0.3;
    CHECK(has_emerged(element_wise(P, Q), 4, 3));
    P(0, 1) = -1.1;  // another entry of P is larger
    CHECK(lacks_to_emerge(element_wise(P, Q), 4, 3).front().what == "P's corner");
    P(0, 1) = 0;
    Q(8, 8) = 3;  // the traces are small beside Q's largest entry
    CHECK_FALSE(has_emerged(element_wise(P, Q), 4, 3));
    CHECK_FALSE(has_emerged(element_wise(P, Table(9, 9)), 4, 3));
}

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
