#include "core/pictures/matrix_zoom.h"

#include <doctest/doctest.h>

using namespace emergence;

TEST_CASE("zooming keeps what is under the pointer where it is") {
    MatrixZoom zoom;
    zoom.zoom(2.0, 0.75, 0.5, 10.0);
    CHECK(zoom.factor == 2.0);
    // The point 0.75 was three quarters across and still is: 0.375 + 0.75 / 2.
    CHECK(zoom.left == doctest::Approx(0.375));
    CHECK(zoom.top == doctest::Approx(0.25));
    zoom.zoom(0.5, 0.75, 0.5, 10.0);
    CHECK(zoom == MatrixZoom{});
}

TEST_CASE("neither zooming nor panning leaves the matrix") {
    MatrixZoom zoom;
    zoom.pan(0.3, -0.3);
    CHECK(zoom == MatrixZoom{});
    zoom.zoom(4.0, 1.0, 1.0, 10.0);
    CHECK(zoom.left == doctest::Approx(0.75));
    zoom.pan(-1.0, -1.0);
    CHECK(zoom.left == doctest::Approx(0.75));
    zoom.pan(0.25, 0.5);
    CHECK(zoom.left == doctest::Approx(0.5));
    CHECK(zoom.top == doctest::Approx(0.25));
    zoom.zoom(100.0, 0.5, 0.5, 10.0);
    CHECK(zoom.factor == 10.0);
    zoom.fit();
    CHECK_FALSE(zoom.zoomed());
}

TEST_CASE("large matrices can be enlarged further than small ones") {
    CHECK(largest_zoom(110, 110) == 27.5);
    CHECK(largest_zoom(8, 110) == 2.0);
    CHECK(largest_zoom(3, 3) == 1.0);
}
