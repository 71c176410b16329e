#include "app/gui/panels/emerged.h"

#include <doctest/doctest.h>

#include "tests/app/gui/null_gui.h"

using namespace emergence;
using namespace emergence::testing;

TEST_CASE("read-outs take no line, one or two, stay inside, and name what they leave out") {
    NullGui gui({900, 600});
    Snapshot snapshot;
    CHECK(readouts_height(gui.ui(), snapshot, 800) == 0.0F);
    for (const char* name : {"first", "second", "third", "fourth", "fifth"})
        snapshot.scalars.push_back({name, std::string("the ") + name, 0.123, "of 10 seeds", "what it is"});
    const float one = readouts_height(gui.ui(), snapshot, 2000);
    CHECK(one > 10.0F);
    CHECK(readouts_height(gui.ui(), snapshot, 600) > 1.5F * one);
    const auto draw = [&](float width) {
        const Box box{{20, 20}, {width, readouts_height(gui.ui(), snapshot, width)}};
        gui.frame_in_window([&] { draw_readouts(gui.ui(), snapshot, box, "B "); });
        for (const Scalar& scalar : snapshot.scalars)
            if (const std::string name = "B readout " + scalar.name; gui.log().drawn(name)) {
                CHECK(gui.log().place(name).max.x <= box.max().x);
                CHECK(gui.log().place(name).max.y <= box.max().y + 1.0F);
            }
    };
    draw(600);
    CHECK(gui.log().drawn("B readout fifth"));
    CHECK_FALSE(gui.log().drawn("B readout others"));
    draw(300);
    CHECK_FALSE(gui.log().drawn("B readout fifth"));
    CHECK(gui.log().drawn("B readout others"));
    CHECK_FALSE(gui.log().drawn("B readout whose"));
    gui.frame_in_window([&] { draw_readouts(gui.ui(), snapshot, {{20, 20}, {860, 60}}, "B ", true); });
    CHECK(gui.log().drawn("B readout whose"));
}
