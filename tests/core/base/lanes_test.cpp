// exp, expm1 and tanh in lanes against the standard library in double. All instruction sets give the same
// bits (tests/core/models/network_windows_test.cpp), so one is measured.
#define EMERGENCE_LANES lanes_of_this_test
#include "core/base/lanes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace emergence::lanes_of_this_test;

namespace {

template <class T, class Function>
T value(const Function& function, T x) {
    T lanes[kLanes];
    function(Lanes<T>::broadcast(x)).store(lanes);
    return lanes[0];
}

// The largest error in units in the last place, over `count` points from low to high.
template <class T, class Function, class Reference>
double worst_ulps(double low, double high, int count, const Function& function, const Reference& reference) {
    double worst = 0;
    for (int i = 0; i <= count; ++i) {
        const T x = static_cast<T>(low + (high - low) * i / count);
        const long double expected = reference(static_cast<long double>(x));
        const T nearest = std::abs(static_cast<T>(expected));
        const long double ulp =
            static_cast<long double>(std::nextafter(nearest, std::numeric_limits<T>::infinity()) - nearest);
        const long double error = std::abs(static_cast<long double>(value<T>(function, x)) - expected) / ulp;
        worst = std::max(worst, static_cast<double>(error));
    }
    return worst;
}

template <class T>
void check_accuracy(double range) {
    const auto e = [](const Lanes<T>& x) { return exp(x); };
    const auto m = [](const Lanes<T>& x) { return expm1(x); };
    const auto t = [](const Lanes<T>& x) { return tanh(x); };
    const auto exact_exp = [](long double x) { return std::exp(x); };
    const auto exact_expm1 = [](long double x) { return std::expm1(x); };
    const auto exact_tanh = [](long double x) { return std::tanh(x); };
    CHECK(worst_ulps<T>(-range, range, 40001, e, exact_exp) < 2);
    CHECK(worst_ulps<T>(-30, 30, 40001, m, exact_expm1) < 4);
    CHECK(worst_ulps<T>(-1e-3, 1e-3, 8001, m, exact_expm1) < 4);
    CHECK(worst_ulps<T>(-12, 12, 40001, t, exact_tanh) < 4);
    CHECK(worst_ulps<T>(-1e-3, 1e-3, 8001, t, exact_tanh) < 4);
}

}  // namespace

TEST_CASE("exp, expm1 and tanh in lanes are accurate to units in the last place" * doctest::test_suite("release")) {
    check_accuracy<float>(86);
    check_accuracy<double>(700);
}

TEST_CASE("exp, expm1 and tanh in lanes at the ends of their range") {
    const auto e = [](const Lanes<float>& x) { return exp(x); };
    const auto t = [](const Lanes<float>& x) { return tanh(x); };
    const float infinity = std::numeric_limits<float>::infinity();
    CHECK(value<float>(e, -infinity) > 0);
    CHECK(value<float>(e, -infinity) < 1e-37F);
    CHECK(std::isfinite(value<float>(e, infinity)));
    CHECK(value<float>(e, 0) == 1);
    CHECK(value<float>(t, 0) == 0);
    CHECK(value<float>(t, infinity) == 1);
    CHECK(value<float>(t, -infinity) == -1);
    CHECK(std::isnan(value<float>(e, std::nanf(""))));
    CHECK(std::isnan(value<float>(t, std::nanf(""))));
}
