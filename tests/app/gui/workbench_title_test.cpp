// The title: experiments and presets.
#include "app/gui/workbench.h"

#include <doctest/doctest.h>

#include <string>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "core/experiments/registry.h"
#include "tests/app/gui/bench_of_panels.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

// A trainer that is told things and does none of them: of any experiment.
class DeafTrainer : public TrainerLink {
  public:
    void send(Command) override {}
    Published poll() override { return {}; }
    std::vector<Notice> take_notices() override { return {}; }
    double longest_wait() const override { return 0.0; }
};

}  // namespace

TEST_CASE("the title opens the experiments and presets, and a chosen preset can be undone") {
    BenchOfPanels bench;
    const Settings before = bench.session->settings();
    bench.click("experiment");
    bench.frames(2);
    REQUIRE(bench.gui.log().drawn("experiment td"));
    REQUIRE(bench.gui.log().drawn("preset wang-2"));
    bench.key(GLFW_KEY_ESCAPE);
    bench.frames(2);
    CHECK_FALSE(bench.gui.log().drawn("preset wang-2"));
    CHECK(bench.session->settings() == before);
}

TEST_CASE("the title names the preset that is open, until a setting makes another run of it") {
    NullGui gui;
    Jobs jobs;
    Session session(toy_info(), toy_settings({}), std::make_unique<DeafTrainer>(), jobs, {});
    ExperimentChooser chooser;
    std::string chosen;
    const auto frame = [&] {
        gui.frame_in_window([&] {
            if (const auto entry = chooser.draw(gui.ui(), session, 300.0F)) chosen = entry->preset;
        });
    };
    frame();
    CHECK(chooser.title(session) == toy_info().title);
    gui.click(gui.log().centre("experiment"), frame);
    gui.click(gui.log().centre("preset wang-2"), frame);
    REQUIRE(chosen == "wang-2");
    const StartingPoint start = starting_point(*opening_of_preset(chosen).settings, find_experiment);
    session.load(*start.experiment, start.settings);
    chooser.was_opened_from(*opening_of_preset(chosen).settings, session, chosen);
    CHECK(chooser.title(session) != session.info().title);
    session.set_field("eval_extra_layers", int64_t{7});  // how it is looked at is no other run
    REQUIRE(session.settings().integer("eval_extra_layers") == 7);
    CHECK(chooser.title(session) != session.info().title);
    session.set_field("gamma", 0.5);
    CHECK(chooser.title(session) == session.info().title);
    session.undo();
    CHECK(chooser.title(session) != session.info().title);
}
