#include "core/measures/regret_law.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/rng.h"

using namespace emergence;

TEST_CASE("the optimal rate by hand") {
    BanditTrajectory world;
    draw_bandit({.kind = BanditKind::abrupt, .rounds = 90, .segments = 3}, 1, 0, world);
    const double first = (world.means.col(0) - world.means.col(30)).cwiseAbs().maxCoeff();
    const double second = (world.means.col(30) - world.means.col(60)).cwiseAbs().maxCoeff();
    const std::vector<double> rates = optimal_rate(world, {0, 30, 31, 90});
    CHECK(rates[0] == 0.0);
    CHECK(rates[1] == doctest::Approx(std::sqrt(30.0)));  // nothing has changed: J = 1, Delta = 0
    const auto rate = [](double J, double delta, double t) {
        return std::min(std::sqrt(J * t), std::pow(delta, 1.0 / 3) * std::pow(t, 2.0 / 3) + std::sqrt(t));
    };
    CHECK(rates[2] == doctest::Approx(rate(2, first, 31)));
    CHECK(rates[3] == doctest::Approx(rate(3, first + second, 90)));
}

TEST_CASE("a constant is fitted by least squares") {
    CHECK(fitted_constant({1, 2, 3}, {2, 4, 6}) == doctest::Approx(2));
    CHECK(fitted_constant({1, 1}, {1, 3}) == doctest::Approx(2));
    CHECK(fitted_constant({0, 0}, {1, 3}) == 0.0);
}

TEST_CASE("an exponent and its interval") {
    const std::vector<double> x = {1, 2, 4, 8, 16};
    Stream random(3, Purpose::testing);
    std::vector<std::vector<double>> exact(5), noisy(60);
    for (auto& row : exact)
        for (const double at : x) row.push_back(3 * std::sqrt(at));
    for (auto& row : noisy)
        for (const double at : x) row.push_back(3 * std::cbrt(at) * (1 + 0.3 * random.normal()));
    const FittedExponent half = fitted_exponent(x, exact);
    CHECK(half.value == doctest::Approx(0.5));
    CHECK(half.low == doctest::Approx(0.5));
    CHECK(half.high == doctest::Approx(0.5));
    const FittedExponent third = fitted_exponent(x, noisy);
    CHECK(third.low < 1.0 / 3);
    CHECK(third.high > 1.0 / 3);
    CHECK(third.high - third.low < 0.2);
    CHECK(std::isnan(fitted_exponent({0, 1}, {{1, 1}}).value));
}
