#include "core/pictures/drawing.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

namespace emergence::drawn_bars_test {
namespace {

const BarChart kChart{1.0, 2.0, 4.0, 3.0, -1.0, 2.0, 4};

}  // namespace

TEST_CASE("an axis that keeps still ends at a round number, not below what it shows") {
    CHECK(round_limit(1.0) == 1.0);
    CHECK(round_limit(1.01) == 1.5);
    CHECK(round_limit(0.031) == doctest::Approx(0.05));
    CHECK(round_limit(760.0) == 1000.0);
    CHECK(round_limit(0.0) == 1.0);
    CHECK(round_limit(std::numeric_limits<double>::infinity()) == 1.0);
}

TEST_CASE("bars reach from zero to their value and no further than the chart") {
    CHECK(kChart.y(-1.0) == 2.0);
    CHECK(kChart.y(2.0) == 5.0);
    CHECK(kChart.y(7.0) == 5.0);
    DrawingSpec drawing;
    kChart.bar(drawing, 1, 0.25, 0.5, -0.5, 3);
    REQUIRE(drawing.shapes.size() == 1);
    const auto& corners = drawing.shapes[0].places;
    double low = corners[0].second, high = low, left = corners[0].first, right = left;
    for (const auto& [x, y] : corners) {
        low = std::min(low, y);
        high = std::max(high, y);
        left = std::min(left, x);
        right = std::max(right, x);
    }
    CHECK(low == kChart.y(-0.5));
    CHECK(high == kChart.y(0.0));
    CHECK(left == doctest::Approx(2.25));
    CHECK(right == doctest::Approx(2.75));
    kChart.bar(drawing, 2, 0.0, 1.0, std::numeric_limits<double>::quiet_NaN(), 3);
    CHECK(drawing.shapes.size() == 1);
}

TEST_CASE("a column's handle says what the height says") {
    const DrawnHandle handle = kChart.handle(2, "world_edits", "r3", "Reward of state 3", 0.5, 0.01, true);
    CHECK(handle.field == "world_edits");
    CHECK(handle.help.find("Reward of state 3: 0.5, changed") == 0);
    CHECK(value_at(handle, kChart.y(1.25)) == doctest::Approx(1.25));
    CHECK(handle.lower.first == 3.0);
    CHECK(handle.upper.first == 4.0);
}

TEST_CASE("names that are too long are numbers, and the chosen column is in ink") {
    DrawingSpec drawing;
    kChart.frame(drawing, {"a", "a state with a name", "c", "d"}, 2);
    REQUIRE(drawing.shapes.size() == 5);  // the line of 0 and four names
    CHECK(drawing.shapes[1].text == "a");
    CHECK(drawing.shapes[2].text == "2");
    CHECK(drawing.shapes[3].color == kInkColor);
    CHECK(drawing.shapes[4].color == kFaintColor);
}

}  // namespace emergence::drawn_bars_test
