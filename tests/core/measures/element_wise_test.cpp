#include "core/measures/element_wise.h"

#include <doctest/doctest.h>

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
    CHECK(lacks_to_emerge(element_wise(P, Q), 4, 3) == "the trace of Q's upper-right block is 0, not above 1");
    for (int i = 0; i < 4; ++i) Q(i, 4 + i) = 0.3;
    CHECK(has_emerged(element_wise(P, Q), 4, 3));
    P(0, 1) = -1.1;  // another entry of P is larger
    CHECK(lacks_to_emerge(element_wise(P, Q), 4, 3) == "P[-1,-1] is 1 and P's largest entry 1.1");
    P(0, 1) = 0;
    Q(8, 8) = 3;  // the traces are small beside Q's largest entry
    CHECK_FALSE(has_emerged(element_wise(P, Q), 4, 3));
    CHECK_FALSE(has_emerged(element_wise(P, Table(9, 9)), 4, 3));
}
