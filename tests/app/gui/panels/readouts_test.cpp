#include "app/gui/panels/emerged.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/app/gui/null_gui.h"

using namespace emergence;
using namespace emergence::testing;

TEST_CASE("lamps need room only where there are some, and each can be pointed at, however narrow") {
    NullGui gui({800, 600});
    Snapshot snapshot;
    snapshot.seeds.resize(4);
    snapshot.seeds[3].failed = true;
    CHECK(lamps_height(gui.ui(), snapshot) == 0.0F);
    snapshot.lamps = {{"reward", "reward +", "a is positive", {true, true, true, true}},
                      {"bootstrap", "bootstrap +", "b is positive", {true, false, false, true}},
                      {"current", "current value -", "c is negative", {false, false, false, false}}};
    CHECK(lamps_height(gui.ui(), snapshot) > 10.0F);
    for (const float width : {700.0F, 260.0F})
        for (const int seed : {-1, 0, 3})
            gui.frame_in_window([&] { draw_lamps(gui.ui(), snapshot, {{20, 20}, {width, 30}}, seed, "B "); });
    CHECK(gui.log().drawn("B lamp reward"));
    const ImVec2 first = gui.log().place("B lamp bootstrap").max;
    const ImVec2 last = gui.log().place("B lamp current").max;
    CHECK(first.x < last.x);
    CHECK(last.x <= 20.0F + 260.0F);
}

TEST_CASE("where none has emerged the headline says what most of them lack") {
    Snapshot snapshot;
    snapshot.emergence_rule = "a rule";
    snapshot.seeds.resize(3);
    CHECK(times_in_words(snapshot).front() == "none so far");
    snapshot.step = 10;
    snapshot.seeds[0].lacks = {{"V-emergence", 0.5, 0.7}};
    snapshot.seeds[1].lacks = {{"A-emergence", 0.1, 0.7}};
    snapshot.seeds[2].lacks = {{"V-emergence", 0.6, 0.7}};
    CHECK(times_in_words(snapshot).front() == "none so far; in 2 of 3 V-emergence is 0.6, not above 0.7");
    CHECK(times_in_words(snapshot)[1] == "none so far");
    snapshot.status.target_step = 10;
    CHECK(times_in_words(snapshot).front() == "none to the end; in 2 of 3 V-emergence is 0.6, not above 0.7");
    for (SeedStatus& seed : snapshot.seeds) seed.lacks = {{"bootstrap + is not lit"}};
    CHECK(times_in_words(snapshot).front() == "none to the end; in 3 of 3 bootstrap + is not lit");
}

TEST_CASE("a seed that emerged is told with the step at which that was seen, where it has to last") {
    Snapshot snapshot;
    snapshot.emergence_rule = "a rule";
    snapshot.step_unit = "MRPs";
    snapshot.seeds.resize(2);
    snapshot.seeds[0].emerged = true;
    snapshot.seeds[0].emerged_at = 400;
    CHECK(times_in_words(snapshot).front() == "first after 400, half of the networks after 400 MRPs");
}

TEST_CASE("of two runs on the same tasks each says in how many seeds its error is the lower; of other tasks nothing") {
    Snapshot a;
    a.seeds.resize(3);
    for (size_t i = 0; i < 3; ++i) a.seeds[i].seed = i;
    Scalar error{"msve", "MSVE", 0.25, "", ""};
    error.headline = "value error", error.headline_at = "MSVE at n = 30";
    error.seeds = {0.1, 0.2, 0.45};
    error.measured_on = 5.0;
    a.scalars = {error};
    Snapshot b = a;
    std::swap(b.seeds[0], b.seeds[1]);
    b.scalars[0].seeds = {0.3, 0.3, 0.4};
    CHECK(compared_in_words(a, b) == ", lower in 2 of 3 networks");
    CHECK(compared_in_words(b, a) == ", lower in 1 of 3 networks");
    CHECK(chief_in_words(a, compared_in_words(a, b)) ==
          std::vector<std::string>{"value error 0.25 (MSVE at n = 30), lower in 2 of 3 networks",
                                   "value error 0.25, lower in 2 of 3 networks", "value error 0.25"});
    b.scalars[0].seeds[2] = std::nan("");
    CHECK(compared_in_words(a, b) == ", lower in 2 of 2 networks");
    b.scalars[0].measured_on = 4.0;
    CHECK(compared_in_words(a, b) == "");
    b.scalars[0].measured_on = 5.0;
    b.scalars[0].headline_at = "MSVE at n = 10";
    CHECK(compared_in_words(a, b) == "");
}

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
