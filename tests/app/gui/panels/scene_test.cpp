#include "app/gui/panels/scene.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/app/gui/bench_of_panels.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

// A drawing on stage.
struct SceneBench : BenchOfPanels {
    explicit SceneBench(const std::vector<std::string>& changes = {"scene_moments=20", "num_steps=100000"},
                        bool running = true)
        : BenchOfPanels(changes, {1600, 1000}, running) {
        workbench.stage().open({{"disc"}, {"A", "loss"}, {}}, {});
        frames(3);
    }
    size_t moment() { return workbench.scene().moment(); }
    int64_t watched() const { return session->settings().integer("watched"); }
};

}  // namespace

TEST_CASE("a run without a scene has no panel for it and no frames to spend on it") {
    BenchOfPanels bench({}, {1600, 1000}, true);
    bench.frames(3);
    CHECK_FALSE(bench.drawn("drawing disc"));
    CHECK_FALSE(bench.workbench.scene().moving());
    CHECK_FALSE(bench.workbench.waiting());
}

TEST_CASE("a scene plays while the run trains, and stands still while it rests") {
    SceneBench bench;
    REQUIRE(bench.drawn("drawing disc"));
    CHECK(bench.workbench.scene().moving());
    CHECK(bench.workbench.waiting());
    const size_t before = bench.moment();
    bench.frames(30);
    CHECK(bench.moment() != before);

    bench.session->toggle_running();
    bench.frames(5);
    CHECK_FALSE(bench.workbench.scene().moving());
    CHECK_FALSE(bench.workbench.waiting());
    const size_t held = bench.moment();
    bench.frames(20);
    CHECK(bench.moment() == held);

    // Once to its end, where it rests again.
    bench.click("scene play");
    CHECK(bench.workbench.scene().moving());
    bench.frames(400);
    CHECK(bench.moment() == 19);
    CHECK_FALSE(bench.workbench.waiting());
}

TEST_CASE("a scene is stepped by hand, and stays where it was put") {
    SceneBench bench;
    bench.click("scene back");
    const size_t held = bench.moment();
    CHECK_FALSE(bench.workbench.scene().moving());
    bench.click("scene on");
    bench.click("scene on");
    CHECK(bench.moment() == held + 2);
    bench.frames(20);
    CHECK(bench.moment() == held + 2);
    bench.click("scene back");
    CHECK(bench.moment() == held + 1);
}

TEST_CASE("a scene that is held or covered costs no frames; its next one is chosen by its field") {
    SceneBench bench;
    bench.click("scene play");
    CHECK_FALSE(bench.workbench.waiting());
    bench.click("scene play");
    CHECK(bench.workbench.waiting());
    bench.workbench.stage().open({{"loss"}, {"A"}, {}}, {});
    bench.frames(2);
    CHECK_FALSE(bench.drawn("drawing disc"));
    CHECK_FALSE(bench.workbench.waiting());
    bench.workbench.stage().open({{"disc"}, {"A"}, {}}, {});
    bench.frames(2);
    CHECK(bench.drawn("drawing disc"));

    bench.click("scene next");
    CHECK(bench.watched() == 1);
    bench.click("scene previous");
    bench.click("scene previous");
    CHECK(bench.watched() == 9);  // around
}

TEST_CASE("what is drawn of a scene is what is exported, in a presentation too") {
    SceneBench bench;
    bench.frames(7);
    const auto shown = bench.workbench.scene().shown();
    REQUIRE(shown.size() == 1);
    CHECK(shown[0].drawing.id == "disc");
    CHECK(shown[0].plots[0].lines.back().value == static_cast<double>(bench.moment()));
    const auto choices = figure_choices(toy_info(), {.plots = {}, .heatmaps = {}, .scenes = shown});
    REQUIRE(choices.size() == 1);
    CHECK(choices[0].kind == FigureChoice::Kind::scene);
    CHECK(choices[0].name == "toy-disc");
    bench.workbench.act(Action::present, *bench.session);
    bench.frames(3);
    CHECK(bench.drawn("drawing disc"));
    CHECK(bench.workbench.scene().moving());
}

TEST_CASE("a handle is dragged to a value, its double click takes it back, and both are a step to undo") {
    SceneBench bench({"scene_moments=1"}, false);
    const auto edits = [&] { return bench.session->settings().text("edits"); };
    // A press alone may be the first of a double click.
    bench.click("handle weight");
    CHECK(edits() == "");
    bench.frames(60);
    for (const float share : {0.5F, 0.6F, 0.7F, 0.75F}) bench.press_along({bench.at("handle weight", 0.5F, 1 - share)});
    bench.release();
    CHECK(edits() == "weight=0.75");
    CHECK(bench.count_sent<Restart>() == 0);
    bench.session->undo();
    CHECK(edits() == "");
    bench.session->redo();
    CHECK(edits() == "weight=0.75");
    bench.frames(60);
    bench.click("handle weight");
    bench.click("handle weight");
    CHECK(edits() == "");
}

TEST_CASE("a handle without a range is clicked, in a presentation too") {
    SceneBench bench({"scene_moments=1"}, false);
    bench.workbench.stage().open({{"disc"}, {"A", "loss"}, {"probe"}}, {});
    bench.workbench.act(Action::present, *bench.session);
    bench.frames(3);
    bench.click("handle seven");
    CHECK(bench.watched() == 7);
    CHECK(bench.drawn("probe"));
}

TEST_CASE("up and down lead through the picture where no setting has the keys") {
    BenchOfPanels bench({"scene_moments=1"});
    const auto watched = [&] { return bench.session->settings().integer("watched"); };
    bench.key(GLFW_KEY_UP);
    bench.key(GLFW_KEY_UP);
    CHECK(watched() == 2);
    bench.key(GLFW_KEY_DOWN);
    CHECK(watched() == 1);
    for (int i = 0; i < 5; ++i) bench.key(GLFW_KEY_UP);
    CHECK(watched() == 3);  // as far as it goes
    for (int i = 0; i < 5; ++i) bench.key(GLFW_KEY_DOWN);
    CHECK(watched() == 0);
    // A setting that was clicked has them.
    bench.click("probe");
    bench.frames(60);
    bench.key(GLFW_KEY_UP);
    CHECK(watched() == 0);
}

TEST_CASE("run B has its own drawing beside A's, and both say whose they are; one that looks the same is drawn once") {
    SceneBench bench;
    CHECK_FALSE(bench.drawn("drawing disc B"));

    const float alone = bench.width("drawing disc");
    bench.click("compare");
    bench.frames(5);
    CHECK_FALSE(bench.drawn("drawing disc B"));
    CHECK(bench.width("drawing disc") == alone);
    bench.session->compare("scene_moments", int64_t{30});
    bench.frames(5);
    REQUIRE(bench.drawn("drawing disc B"));
    const WidgetLog::Place &a = bench.place("drawing disc"), &b = bench.place("drawing disc B");
    CHECK((a.max.x <= b.min.x || a.max.y <= b.min.y));
    CHECK(bench.width("drawing disc") <= alone);
}
