#include "core/pictures/figure_spec.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace emergence;

TEST_CASE("a summary by hand") {
    const std::vector<std::vector<double>> rows = {{0, 1}, {0, 2}, {0, 4}, {0, 9}};
    const Summary summary = summarise(rows, 1);
    CHECK(summary.count == 4);
    CHECK(summary.mean == doctest::Approx(4.0));
    // deviations -3, -2, 0, 5: variance 38 / 3
    CHECK(summary.standard_error == doctest::Approx(std::sqrt(38.0 / 3.0 / 4.0)));
    CHECK(summary.deviation == doctest::Approx(std::sqrt(38.0 / 3.0)));
    CHECK(summary.median == doctest::Approx(3.0));
    CHECK(summary.lower_quartile == doctest::Approx(1.75));
    CHECK(summary.upper_quartile == doctest::Approx(5.25));
}

TEST_CASE("entries that are missing do not count") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    const std::vector<std::vector<double>> rows = {{nan, nan}, {3.0, infinity}, {}, {5.0}};
    CHECK(summarise(rows, 0).count == 2);
    CHECK(summarise(rows, 0).mean == doctest::Approx(4.0));
    const Summary none = summarise(rows, 1);
    CHECK(none.count == 0);
    CHECK(std::isnan(none.mean));
    CHECK(std::isnan(none.median));
    const Summary one = summarise({{7.0}}, 0);
    CHECK(std::isnan(one.standard_error));
    CHECK(one.lower_quartile == 7.0);
}
