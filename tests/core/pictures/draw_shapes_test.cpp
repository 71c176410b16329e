#include "core/pictures/draw_shapes.h"

#include <doctest/doctest.h>

#include "tests/core/pictures/recording_pen.h"

using namespace emergence;
using namespace emergence::testing;

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
    DrawingSpec drawing = two_by_one();
    drawing.shapes = {drawn_arrow({0, 0}, {2, 0}, 0, 2.0)};
    RecordingPen pen;
    draw_shapes(pen, drawing, {0, 0, 200, 100}, shape_style());
    CHECK(pen.calls[1] == "line 0,100 190,100");
    CHECK(pen.calls[2] == "polygon 200,100 190,104.2 190,95.8");
}

TEST_CASE("a label at the edge moves inwards; one that does not fit stays") {
    DrawingSpec drawing = two_by_one();
    drawing.shapes = {drawn_label({2, 0.5}, "-2.4 m"), drawn_label({0, 0}, std::string(100, 'x'))};
    RecordingPen pen;
    draw_shapes(pen, drawing, {0, 0, 200, 100}, shape_style());
    CHECK(pen.calls[1] == "text 187,50 -2.4 m");  // 24 wide, a point from the edge
    CHECK(pen.calls[2] == "text 0,100 " + std::string(100, 'x'));
    DrawnShape begun = drawn_label({1, 0.5}, "-2.4 m");
    begun.places.push_back({2, 0.5});
    drawing.shapes = {begun};
    RecordingPen another;
    draw_shapes(another, drawing, {0, 0, 200, 100}, shape_style());
    CHECK(another.calls[1] == "text 113,50 -2.4 m");
}
