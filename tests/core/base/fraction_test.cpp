#include "core/base/fraction.h"

#include <doctest/doctest.h>

#include <cmath>

namespace emergence {

TEST_CASE("a fraction comes with Wilson's interval") {
    const Fraction f = fraction(20, 30);
    CHECK(f.value == doctest::Approx(2.0 / 3.0));
    CHECK(f.low == doctest::Approx(0.4878).epsilon(1e-3));
    CHECK(f.high == doctest::Approx(0.8077).epsilon(1e-3));
    CHECK(fraction(0, 10).low == 0.0);
    CHECK(fraction(10, 10).high == 1.0);
    CHECK(fraction(8, 8).low == doctest::Approx(0.6756).epsilon(1e-3));  // all of few are no certainty
    CHECK(std::isnan(fraction(0, 0).high));
    CHECK(fraction_text(f) == "20 of 30, 95 % interval 0.49 to 0.81");
}

TEST_CASE("a difference of shares comes with Newcombe's interval") {
    // 56 of 70 less 48 of 80: the first example of Newcombe 1998.
    const auto [low, high] = share_difference_interval(fraction(48, 80), fraction(56, 70));
    CHECK(low == doctest::Approx(0.0524).epsilon(2e-3));
    CHECK(high == doctest::Approx(0.3339).epsilon(2e-3));
    // Pairs that agree say more than seeds of others; all of both leave room on both sides.
    const auto alike = share_difference_interval(fraction(10, 20), fraction(10, 20), 10);
    const auto others = share_difference_interval(fraction(10, 20), fraction(10, 20));
    CHECK(alike.second < 0.6 * others.second);
    const auto all = share_difference_interval(fraction(8, 8), fraction(8, 8), 8);
    CHECK(all.first == doctest::Approx(-0.3244).epsilon(1e-3));
    CHECK(all.second == doctest::Approx(0.3244).epsilon(1e-3));
}

}  // namespace emergence
