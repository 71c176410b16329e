#include "core/base/statistics.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "core/base/array.h"

using namespace emergence;

namespace emergence {

TEST_CASE("a number that is not known is neither smaller nor larger than another: it stays") {
    CHECK(larger(1, 2) == 2);
    CHECK(larger(2, 1) == 2);
    CHECK(smaller(1, 2) == 1);
    CHECK(smaller(2, 1) == 1);
    for (const auto& [a, b] : {std::pair(kMissing, 1.0), std::pair(1.0, kMissing)}) {
        CHECK(std::isnan(larger(a, b)));
        CHECK(std::isnan(smaller(a, b)));
        CHECK(std::isnan(larger({0.0, a, b, 2.0})));
        CHECK(std::isnan(smaller({0.0, a, b, 2.0})));
    }
    CHECK(larger({3, 9, 4}) == 9);
    CHECK(smaller({3.5, -1.0}) == -1.0);
}

}  // namespace emergence

TEST_CASE("line fit: slope and correlation of what is finite") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const LineFit line = fit_line({0, 1, 2, 3, nan}, {1, -1, -3, -5, 7});
    CHECK(line.slope == doctest::Approx(-2));
    CHECK(line.correlation == doctest::Approx(-1));
    // By hand: means 1 and 2, sum of products 3, squares 2 and 14/3.
    const LineFit scattered = fit_line({0, 1, 2}, {1, 1, 4});
    CHECK(scattered.slope == doctest::Approx(1.5));
    CHECK(scattered.correlation == doctest::Approx(3 / std::sqrt(2.0 * 6.0)));
    CHECK(std::isnan(fit_line({1, 1}, {2, 3}).slope));
    CHECK(std::isnan(fit_line({1}, {2}).slope));
    CHECK(std::isnan(fit_line({1, 2}, {3, 3}).correlation));
    CHECK(fit_line({1, 2}, {3, 3}).slope == 0.0);
}

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
    // b's share less a's; `both`: of pairs.
    const auto difference = [](const Fraction& a, const Fraction& b, std::optional<int> both = {}) {
        return share_sum_interval({{a, -1.0}, {b, 1.0}},
                                  [&](size_t, size_t) { return both ? share_correlation(a, b, *both) : 0.0; });
    };
    // 56 of 70 less 48 of 80: the first example of Newcombe 1998.
    const auto [low, high] = difference(fraction(48, 80), fraction(56, 70));
    CHECK(low == doctest::Approx(0.0524).epsilon(2e-3));
    CHECK(high == doctest::Approx(0.3339).epsilon(2e-3));
    // Pairs that agree say more than seeds of others; all of both leave room on both sides.
    const auto alike = difference(fraction(10, 20), fraction(10, 20), 10);
    const auto others = difference(fraction(10, 20), fraction(10, 20));
    CHECK(alike.second < 0.6 * others.second);
    const auto all = difference(fraction(8, 8), fraction(8, 8), 8);
    CHECK(all.first == doctest::Approx(-0.3244).epsilon(1e-3));
    CHECK(all.second == doctest::Approx(0.3244).epsilon(1e-3));
}

}  // namespace emergence

TEST_CASE("a mean's bootstrap interval is about two standard errors on either side, the same every time") {
    std::vector<double> values(100);
    std::iota(values.begin(), values.end(), 0.0);  // mean 49.5, standard error 2.89
    const auto mean = [&](const Places& places) {
        double sum = 0;
        for (const size_t place : places) sum += values.at(place) / static_cast<double>(places.size());
        return sum;
    };
    const BootstrapInterval interval = bootstrap_interval(values.size(), 2000, mean);
    CHECK(interval.low == doctest::Approx(49.5 - 1.96 * 2.89).epsilon(0.02));
    CHECK(interval.high == doctest::Approx(49.5 + 1.96 * 2.89).epsilon(0.02));
    CHECK(bootstrap_interval(values.size(), 2000, mean).low == interval.low);
    // One thing says nothing of how they vary.
    const BootstrapInterval of_one =
        bootstrap_interval(1, 40, [](const Places& places) { return static_cast<double>(places.size()); });
    CHECK(std::isnan(of_one.low));
    CHECK(std::isnan(of_one.high));
}

TEST_CASE("draws without a statistic are left out of the interval; with none there is no interval") {
    int draw = 0;
    const BootstrapInterval odd =
        bootstrap_interval(3, 200, [&](const Places&) { return ++draw % 2 == 0 ? std::nan("") : 5.0; });
    CHECK(odd.low == 5.0);
    CHECK(odd.high == 5.0);
    CHECK(std::isnan(bootstrap_interval(3, 50, [](const Places&) { return std::nan(""); }).low));
}
