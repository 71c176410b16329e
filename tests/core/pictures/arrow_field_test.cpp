// Arrows of a vector field, on a grid small enough to work out by hand.
#include "core/pictures/arrow_field.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace emergence;
using Eigen::Vector2d;

TEST_CASE("arrows lie at the cells' centres, the longest a cell long, none where the field is zero") {
    const PlaneView view{{0.0, 0.0}, {4.0, 2.0}};
    const Series arrows = arrow_field(view, 2, [](const Vector2d& at) {
        return at.y() > 1.0 ? Vector2d(0.0, 0.0) : Vector2d(at.x() < 2.0 ? 8.0 : 1.0, 0.0);
    });
    REQUIRE(arrows.x.size() == 2 * 6);  // tail, tip, one side, tip, other side, gap
    REQUIRE(arrows.rows.size() == 1);
    CHECK(arrows.x[0] == doctest::Approx(0.5));  // around x = 1, as long as a cell is high
    CHECK(arrows.x[1] == doctest::Approx(1.5));
    CHECK(arrows.rows[0][1] == doctest::Approx(0.5));
    CHECK(arrows.x[7] - arrows.x[6] == doctest::Approx(0.5));  // an eighth of the size: half as long
    CHECK(std::isnan(arrows.x[5]));
    PlotSpec plot;
    fix_axes(view, plot);
    CHECK(plot.x.maximum == 4.0);
    CHECK(plot.y.minimum == 0.0);
}
