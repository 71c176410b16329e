#include "core/base/bootstrap.h"

#include <doctest/doctest.h>

#include <numeric>

using namespace emergence;

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
    const BootstrapInterval of_one =
        bootstrap_interval(1, 40, [](const Places& places) { return static_cast<double>(places.size()); });
    CHECK(of_one.low == 1.0);
    CHECK(of_one.high == 1.0);
}

TEST_CASE("draws without a statistic are left out of the interval; with none there is no interval") {
    int draw = 0;
    const BootstrapInterval odd =
        bootstrap_interval(3, 200, [&](const Places&) { return ++draw % 2 == 0 ? std::nan("") : 5.0; });
    CHECK(odd.low == 5.0);
    CHECK(odd.high == 5.0);
    CHECK(std::isnan(bootstrap_interval(3, 50, [](const Places&) { return std::nan(""); }).low));
}
