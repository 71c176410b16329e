#include "core/pictures/drawing.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "tests/core/pictures/recording_pen.h"

using namespace emergence;
using namespace emergence::testing;

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

namespace {

DrawingSpec two_by_one() {
    DrawingSpec drawing;
    drawing.right = 2.0;
    return drawing;
}

PictureStyle shape_style() {
    PictureStyle style;
    style.label.size = 8.0;
    return style;
}

// What is drawn of shapes in 200 x 100, scaled by 100.
Calls drawn_calls(std::vector<DrawnShape> shapes) {
    DrawingSpec drawing = two_by_one();
    drawing.shapes = std::move(shapes);
    RecordingPen pen;
    draw_shapes(pen, drawing, {0, 0, 200, 100}, shape_style());
    return pen.calls;
}

}  // namespace

TEST_CASE("shapes lie in the middle of their room, y upwards, cut at the drawing's bounds") {
    DrawingSpec drawing = two_by_one();
    drawing.shapes = {drawn_line({{0, 0}, {1, 1}}, 0), drawn_box({1, 0}, {2, 1}, 1), drawn_disc({1, 0.5}, 0.1, 2)};
    RecordingPen pen;
    const DrawingFit fit = draw_shapes(pen, drawing, {0, 0, 200, 200}, shape_style());
    CHECK(fit.scale == 100.0);
    CHECK(pen.calls == Calls{"clip 0,50 200,150", "line 0,150 100,50", "polygon 100,150 200,150 200,50 100,50",
                             "disc 100,100 10", "unclip"});
}

TEST_CASE("an arrow's line ends inside its head") {
    const Calls calls = drawn_calls({drawn_arrow({0, 0}, {2, 0}, 0, 2.0)});
    CHECK(calls[1] == "line 0,100 190,100");
    CHECK(calls[2] == "polygon 200,100 190,104.2 190,95.8");
}

TEST_CASE("a label at the edge moves inwards; one that does not fit stays") {
    const Calls calls = drawn_calls({drawn_label({2, 0.5}, "-2.4 m"), drawn_label({0, 0}, std::string(100, 'x'))});
    CHECK(calls[1] == "text 187,50 -2.4 m");  // 24 wide, a point from the edge
    CHECK(calls[2] == "text 0,100 " + std::string(100, 'x'));
    DrawnShape begun = drawn_label({1, 0.5}, "-2.4 m");
    begun.places.push_back({2, 0.5});
    CHECK(drawn_calls({begun})[1] == "text 113,50 -2.4 m");
}
