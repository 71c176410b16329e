#include "core/pictures/pen.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace emergence;

TEST_CASE("what is covered is measured along the lines") {
    Obstacles obstacles;
    obstacles.lines.push_back({{-10, 5}, {10, 5}});
    CHECK(obstacles.covered_by({0, 0, 10, 10}) == doctest::Approx(10));
    CHECK(obstacles.covered_by({0, 6, 10, 10}) == 0.0);
    CHECK(obstacles.covered_by({20, 0, 10, 10}) == 0.0);
    obstacles.lines.push_back({{25, 5}});  // a dot
    CHECK(obstacles.covered_by({20, 0, 10, 10}) > 0.0);
}

TEST_CASE("labels stay at their blocks where they have room") {
    const std::vector<double> starts = place_side_by_side({20, 60}, {10, 20}, 100, 2);
    CHECK(starts == std::vector<double>{15, 50});
}

TEST_CASE("labels make room for each other, inside the matrix") {
    // 110 columns: 36, 36, 1, 36, 1; the ones' labels are wider than their blocks.
    const std::vector<double> centers{18, 54, 72.5, 91, 109.5}, extents{12, 20, 8, 10, 6};
    const std::vector<double> starts = place_side_by_side(centers, extents, 110, 2);
    for (size_t i = 0; i < starts.size(); ++i) {
        CHECK(starts[i] >= (i == 0 ? 0.0 : starts[i - 1] + extents[i - 1] + 2.0 - 1e-9));
        CHECK(starts[i] + extents[i] <= 110.0 + 1e-9);
        CHECK(std::abs(starts[i] + extents[i] / 2 - centers[i]) < 4.0);
    }
}

TEST_CASE("labels that cannot all be there are left out, not drawn over each other") {
    const std::vector<double> starts = place_side_by_side({5, 8, 30}, {20, 20, 20}, 40, 2);
    CHECK(starts[0] == -5);
    CHECK(std::isnan(starts[1]));
    CHECK(starts[2] == 20);
    CHECK(place_side_by_side({}, {}, 10, 2).empty());
}
