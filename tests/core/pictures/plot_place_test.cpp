#include "core/pictures/plot_place.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "tests/core/pictures/recording_pen.h"

using namespace emergence;

TEST_CASE("an axis maps both ways") {
    const AxisMap linear({0.0, 10.0}, Scale::linear, 100.0, 200.0);
    CHECK(linear.place(5.0) == doctest::Approx(150.0));
    CHECK(linear.value(150.0) == doctest::Approx(5.0));
    const AxisMap decades({1.0, 100.0}, Scale::logarithmic, 0.0, 100.0);
    CHECK(decades.place(10.0) == doctest::Approx(50.0));
    CHECK(decades.value(50.0) == doctest::Approx(10.0));
    CHECK(std::isnan(decades.place(0.0)));
    CHECK(std::isnan(linear.place(std::numeric_limits<double>::quiet_NaN())));
}

TEST_CASE("numbers of the x axis move in at its end, and none touches its neighbour") {
    const testing::RecordingPen ruler;
    PictureStyle style;
    style.plot.tick.size = 10.0;  // a letter is 5 wide
    style.plot.numbers_apart = 8.0;
    const PlotPlace place({}, {0.0, 10.0}, {0.0, 1.0}, {0.0, 0.0, 100.0, 50.0});
    const std::vector<Tick> ticks = {{0.0, "0"}, {5.0, "five"}, {6.0, "six"}, {6.5, ""}, {10.0, "ten"}};
    const PlotAxes axes = lay_out_axes(place, ticks, {}, {-5.0, 100.0, 100.0}, style, ruler);
    CHECK(axes.x[1].left == 40.0);
    CHECK(axes.x[2].number.empty());
    CHECK(axes.x[3].minor);
    CHECK(axes.x[4].left == 85.0);
    CHECK(lay_out_axes(place, ticks, {}, {-5.0, 90.0, 100.0}, style, ruler).x[4].number.empty());
}
