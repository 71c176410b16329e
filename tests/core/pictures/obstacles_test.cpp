#include "core/pictures/obstacles.h"

#include <doctest/doctest.h>

using namespace emergence;

TEST_CASE("what is covered is measured along the lines") {
    Obstacles obstacles;
    obstacles.add_line({{-10, 5}, {10, 5}});
    CHECK(obstacles.covered_by({0, 0, 10, 10}) == doctest::Approx(10));
    CHECK(obstacles.covered_by({0, 6, 10, 10}) == 0.0);
    CHECK(obstacles.covered_by({20, 0, 10, 10}) == 0.0);
    obstacles.add_line({{25, 5}});  // a dot
    CHECK(obstacles.covered_by({20, 0, 10, 10}) > 0.0);
}
