#include "app/gui/panels/timeline.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "app/gui/panels/curves.h"
#include "core/lab/store/checkpoint.h"
#include "tests/app/gui/bench_of_panels.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"

using namespace emergence;
using namespace emergence::testing;

TEST_SUITE_BEGIN("threads");

namespace {

// A run of 100 steps at its end, a moment every ten.
struct Finished : BenchOfPanels {
    explicit Finished(const std::vector<std::string>& changes = {}) : BenchOfPanels(changes, {1600, 1000}, true) {
        frames(15);
    }

    ImVec2 on_track(float share) const {
        const auto& place = gui.log().place("timeline");
        return {place.min.x + gui.ui().px(9) + share * (place.max.x - place.min.x - 2 * gui.ui().px(9)),
                (place.min.y + place.max.y) / 2};
    }
    // The evaluator has a thread of its own; panels drawn before the strip follow in the next frame.
    void wait_for_step(int64_t step) {
        wait([&] { return snapshot().step == step; });
    }
};

}  // namespace

TEST_CASE("the strip is dragged through the past and back to live, and everything follows") {
    Finished bench;
    REQUIRE(bench.snapshot().step == 100);
    bench.press_along({bench.on_track(0.3F)});
    bench.wait_for_step(30);
    CHECK(moment_text(*bench.session) == "past: 30 steps");
    const PlotSpec plot = bench.workbench.curves().plots().at(0);
    CHECK(plot.series.at(0).x.back() == 30);
    CHECK(plot.x.maximum == 100.0);
    REQUIRE_FALSE(plot.lines.empty());
    CHECK(plot.lines.back().value == 30);
    bench.gui.move(bench.on_track(0.62F));
    bench.wait_for_step(60);
    bench.gui.move(bench.on_track(1.2F));
    bench.wait_for_step(100);
    CHECK(bench.session->time().live());
    bench.release();
    CHECK(bench.workbench.curves().plots().at(0).series.at(0).x.back() == 100);
}

TEST_CASE("the strip's scale is the run's own from the first step on") {
    BenchOfPanels bench({"num_steps=1000"}, {1600, 1000}, true);
    bench.frames(5);
    bench.session->toggle_running();
    bench.frames(2);
    REQUIRE(bench.snapshot().step < 100);
    CHECK(moment_text(*bench.session) == fmt::format("{} of 1000 steps", bench.snapshot().step));
    const auto& track = bench.place("timeline");
    const float inset = bench.gui.ui().px(9), length = track.max.x - track.min.x - 2 * inset;
    const ImVec2 at(track.min.x + inset + 0.03F * length, (track.min.y + track.max.y) / 2);
    bench.click_at(at);
    CHECK(bench.session->time().step() == 30);
    // A hand that trembles drags nothing.
    bench.gui.button(true);
    bench.frames();
    const auto pressed = bench.session->time().step();
    bench.gui.move({at.x + 2.0F, at.y});
    bench.frames(2);
    CHECK(bench.session->time().step() == pressed);
    bench.gui.move({at.x + 0.1F * length, at.y});
    bench.frames(2);
    CHECK(bench.session->time().step() != pressed);
    bench.release();
}

TEST_CASE("a presentation's bar keeps its width while the past is shown") {
    Finished bench;
    bench.key(GLFW_KEY_P);
    bench.frames(2);
    const float right = bench.place("timeline").max.x;
    bench.session->show_step(30);
    bench.wait_for_step(30);
    CHECK(bench.place("timeline").max.x == right);
}

TEST_CASE("keys go through the past; the buttons do the same") {
    Finished bench;
    bench.key(GLFW_KEY_LEFT, GLFW_MOD_SHIFT);
    bench.wait_for_step(90);
    bench.choose(Action::time_back);
    bench.wait_for_step(80);
    bench.choose(Action::time_forward);
    bench.wait_for_step(90);
    bench.key(GLFW_KEY_HOME);
    bench.wait_for_step(10);  // the first that this trainer has published
    bench.key(GLFW_KEY_RIGHT, GLFW_MOD_SHIFT);
    bench.wait_for_step(20);
    bench.key(GLFW_KEY_END);
    CHECK(bench.session->time().live());
    for (const char* of_the_past : {"live", "time play"}) CHECK_FALSE(bench.drawn(of_the_past));
    const float compare = bench.place("compare").min.x;
    bench.key(GLFW_KEY_LEFT, GLFW_MOD_SHIFT);
    bench.frames();
    CHECK(bench.place("compare").min.x == compare);  // nothing moves when they come
    bench.click("time play");
    CHECK(bench.session->time().playing());
    bench.click("time play");
    CHECK_FALSE(bench.session->time().playing());
    bench.click("live");
    CHECK(bench.session->time().live());
}

TEST_CASE("the phases of a run stand below the strip, and are gone through by keys and by a click on their names") {
    Finished bench({"learning_rate=0.02"});
    const std::vector<RunPhase> phases = phases_of(*bench.session);
    REQUIRE(phases.size() == 2);
    CHECK(phases[0].name == "before");
    CHECK(phases[1].name == "pattern forms");
    int64_t first = 100;
    for (const SeedStatus& seed : bench.snapshot().seeds)
        if (seed.emerged) first = std::min(first, seed.emerged_at);
    CHECK(phases[1].from == first);
    const int64_t moment = (first + 9) / 10 * 10;
    REQUIRE((moment > 10 && moment < 100));
    bench.key(GLFW_KEY_LEFT, GLFW_MOD_CONTROL);
    bench.wait_for_step(moment);
    bench.key(GLFW_KEY_LEFT, GLFW_MOD_CONTROL);
    bench.wait_for_step(10);
    bench.key(GLFW_KEY_RIGHT, GLFW_MOD_CONTROL);
    bench.wait_for_step(moment);
    bench.key(GLFW_KEY_RIGHT, GLFW_MOD_CONTROL);
    CHECK(bench.session->time().live());
    bench.click("phase pattern forms");
    bench.wait_for_step(moment);
}

TEST_CASE("the past is played to its end") {
    Finished bench;
    bench.key(GLFW_KEY_SPACE, GLFW_MOD_SHIFT);
    CHECK(bench.session->time().playing());
    bench.frames(720);
    CHECK_FALSE(bench.session->time().playing());
    CHECK(bench.session->time().live());
}

TEST_CASE("a moment is pinned and subtracted; the pin is taken away where it is") {
    Finished bench;
    bench.session->show_step(20);
    bench.wait_for_step(20);
    bench.act(Action::pin);
    REQUIRE(bench.session->pin());
    CHECK(bench.session->pin()->step == 20);
    bench.session->show_live();
    bench.act(Action::minus_pin);
    CHECK(bench.session->baseline() == bench.session->pin());
    bench.frames(2);
    CHECK(bench.workbench.matrices().view().baseline == bench.session->pin());
    CHECK(bench.drawn("pin rule"));
    bench.choose(Action::minus_pin);
    bench.frames(2);
    CHECK(bench.workbench.matrices().view().baseline == nullptr);
    bench.choose(Action::minus_pin);
    bench.session->show_step(20);
    bench.wait_for_step(20);
    bench.act(Action::pin);
    CHECK(bench.session->pin() == nullptr);
    CHECK(bench.session->baseline() == nullptr);
}

TEST_CASE("A and B in the same plots and counted side by side; the bar changes in what they differ") {
    BenchOfPanels bench({}, {1280, 720}, true);
    bench.click("compare");
    bench.frames(15);
    REQUIRE(bench.session->other());
    CHECK(bench.drawn("B dot 0"));
    const PlotSpec plot = bench.workbench.curves().plots().at(0);
    REQUIRE(plot.series.size() == 2);
    CHECK(plot.series[0].name == "loss, A");
    CHECK(plot.series[1].name == "loss, B");

    bench.click("view raw");
    bench.frames(2);
    const std::vector<HeatmapSpec> matrices = bench.workbench.matrices().heatmaps();
    REQUIRE(matrices.size() == 3);
    CHECK(matrices[0].title == "A of A");
    CHECK(matrices[1].title == "A of B");
    CHECK(matrices[1].limit == matrices[0].limit);
    const std::string before = bench.session->difference()->field;
    bench.click("B field");
    bench.click("B choose size");
    CHECK(before != "size");
    CHECK(*bench.session->difference() == Difference{"size", int64_t{4}});
    bench.click_at(bench.at("B size", 0.75F));
    bench.frames(30);  // longer than a double click takes
    CHECK(std::get<int64_t>(bench.session->difference()->value) > 10);
    CHECK(bench.session->settings().integer("size") == 3);
    bench.click("compare");
    CHECK(bench.session->other() == nullptr);
    bench.frames(2);
    CHECK(bench.workbench.curves().plots().at(0).series.size() == 1);
}

TEST_CASE("the strip says what is not kept of the past of a run that was gone on with") {
    Checkpoint checkpoint;
    {
        RunOf run(toy_info(), toy_settings(), 1);
        MetricHistory history = run.history_to(40);
        const Scratch scratch;
        write_checkpoint(scratch.path(), state_of("toy", run, 1.0), history);
        checkpoint = find_checkpoint(scratch.path()).checkpoint;
    }
    BenchOfPanels bench;
    CHECK_FALSE(bench.drawn("timeline before"));
    bench.session->resume(toy_info(), toy_settings(), std::make_shared<const Checkpoint>(checkpoint));
    bench.frames(3);
    REQUIRE(bench.snapshot().step == 40);
    const auto& before = bench.place("timeline before");
    const auto& track = bench.place("timeline");
    CHECK((before.max.x - before.min.x) / (track.max.x - track.min.x) == doctest::Approx(0.4).epsilon(0.02));
    // There one comes to the first moment that there is, with the curves of all that went before.
    bench.step();
    bench.session->show_step(10);
    bench.frames(3);
    CHECK(bench.session->time().step() == 40);
    CHECK(bench.session->history().steps().front() == 0.0);
    bench.session->reset();
    bench.frames(3);
    CHECK_FALSE(bench.drawn("timeline before"));
}

TEST_SUITE_END();
