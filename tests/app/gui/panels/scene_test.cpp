#include "app/gui/panels/scene.h"

#include <doctest/doctest.h>

#include "tests/app/gui/bench_of_panels.h"

using namespace emergence;
using namespace emergence::testing;

TEST_CASE("a run without a scene has no panel for it and no frames to spend on it") {
    BenchOfPanels bench({}, {1600, 1000}, true);
    bench.frames(3);
    CHECK_FALSE(bench.workbench.layout().scene.shown());
    CHECK_FALSE(bench.workbench.scene().moving());
    CHECK_FALSE(bench.workbench.waiting());
}

TEST_CASE("a scene plays while the run trains, and stands still while it rests") {
    BenchOfPanels bench({"scene_moments=20", "num_steps=100000"}, {1600, 1000}, true);
    bench.frames(3);
    REQUIRE(bench.workbench.layout().scene.shown());
    CHECK(bench.workbench.scene().moving());
    CHECK(bench.workbench.waiting());
    const size_t before = bench.workbench.scene().moment();
    bench.frames(30);
    CHECK(bench.workbench.scene().moment() != before);

    bench.session->toggle_running();
    bench.frames(5);
    CHECK_FALSE(bench.workbench.scene().moving());
    CHECK_FALSE(bench.workbench.waiting());
    const size_t held = bench.workbench.scene().moment();
    bench.frames(20);
    CHECK(bench.workbench.scene().moment() == held);

    // Once to its end, where it rests again.
    bench.click("scene play");
    CHECK(bench.workbench.scene().moving());
    bench.frames(400);
    CHECK(bench.workbench.scene().moment() == 19);
    CHECK_FALSE(bench.workbench.waiting());
}

TEST_CASE("a scene is stepped by hand, and stays where it was put") {
    BenchOfPanels bench({"scene_moments=20", "num_steps=100000"}, {1600, 1000}, true);
    bench.frames(3);
    bench.click("scene back");
    const size_t held = bench.workbench.scene().moment();
    CHECK_FALSE(bench.workbench.scene().moving());
    bench.click("scene on");
    bench.click("scene on");
    CHECK(bench.workbench.scene().moment() == held + 2);
    bench.frames(20);
    CHECK(bench.workbench.scene().moment() == held + 2);
    bench.click("scene back");
    CHECK(bench.workbench.scene().moment() == held + 1);
}

TEST_CASE("a scene that is held or covered costs no frames; its next one is chosen by its field") {
    BenchOfPanels bench({"scene_moments=20", "num_steps=100000"}, {1600, 1000}, true);
    bench.frames(3);
    bench.click("scene play");
    CHECK_FALSE(bench.workbench.waiting());
    bench.click("scene play");
    CHECK(bench.workbench.waiting());
    bench.click("enlarge Curves");
    bench.frames(2);
    CHECK_FALSE(bench.workbench.layout().scene.shown());
    CHECK_FALSE(bench.workbench.waiting());
    bench.click("enlarge Curves");
    bench.click("enlarge World");
    bench.frames(2);
    CHECK(bench.workbench.layout().scene.shown());
    CHECK_FALSE(bench.workbench.layout().matrices.shown());

    const auto watched = [&] { return bench.session->settings().integer("watched"); };
    bench.click("scene next");
    CHECK(watched() == 1);
    bench.click("scene previous");
    bench.click("scene previous");
    CHECK(watched() == 9);  // around
}

TEST_CASE("what is drawn of a scene is what is exported, in a presentation too") {
    BenchOfPanels bench({"scene_moments=20", "num_steps=100000"}, {1600, 1000}, true);
    bench.frames(10);
    const auto shown = bench.workbench.scene().shown();
    REQUIRE(shown.size() == 1);
    CHECK(shown[0].drawing.id == "disc");
    CHECK(shown[0].plots[0].lines.back().value == static_cast<double>(bench.workbench.scene().moment()));
    const auto choices = figure_choices(toy_info(), {}, {}, shown);
    REQUIRE(choices.size() == 1);
    CHECK(choices[0].kind == FigureChoice::Kind::scene);
    CHECK(choices[0].name == "toy-disc");
    bench.workbench.act(Action::present, *bench.session);
    bench.frames(3);
    CHECK(bench.workbench.layout().scene.shown());
    CHECK(bench.workbench.scene().moving());
}
