#include "core/base/line_fit.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace emergence;

TEST_CASE("line fit: slope and correlation of what is finite") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const LineFit line = fit_line({0, 1, 2, 3, nan}, {1, -1, -3, -5, 7});
    CHECK(line.count == 4);
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
