#include "core/pictures/plot_lines.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace emergence;

TEST_CASE("a line is cut where it leaves the band, however far it goes") {
    // Down from 1e40 into the band, along it, out below, and back in.
    const auto runs = clip_to_band({0, 1, 2, 3, 4}, {1e40, 5, 5, -95, 5}, 0, 10);
    REQUIRE(runs.size() == 2);
    REQUIRE(runs[0].size() == 4);
    CHECK(runs[0][0].x == doctest::Approx(1));  // so steep that it enters where it arrives
    CHECK(runs[0][0].y == 10);
    CHECK(runs[0][1].y == 5);
    CHECK(runs[0][3].x == doctest::Approx(2.05));
    CHECK(runs[0][3].y == 0);
    CHECK(runs[1][0].x == doctest::Approx(3.95));
    CHECK(runs[1][1].x == 4);
}

TEST_CASE("what crosses the whole band keeps both cuts; what stays outside is gone; a single point stays") {
    const auto across = clip_to_band({0, 10}, {-10, 20}, 0, 10);
    REQUIRE(across.size() == 1);
    CHECK(across[0][0].x == doctest::Approx(10.0 / 3));
    CHECK(across[0][1].x == doctest::Approx(20.0 / 3));
    CHECK(clip_to_band({0, 1, 2}, {11, 12, 1e300}, 0, 10).empty());
    CHECK(clip_to_band({3}, {4}, 0, 10).size() == 1);
    CHECK(clip_to_band({3}, {40}, 0, 10).empty());
    for (const auto& run : clip_to_band({0, 1, 2}, {1e300, -1e300, 1e300}, 0, 10))
        for (const Point& point : run) CHECK(std::isfinite(point.x + point.y));
}
