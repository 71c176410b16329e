// The title: experiments and presets.
#include "app/gui/workbench.h"

#include <doctest/doctest.h>

#include <functional>
#include <string>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "core/experiments/registry.h"
#include "core/files/folders.h"
#include "tests/app/gui/bench_of_panels.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

// A trainer that is told things and does none of them: of any experiment.
class DeafTrainer : public TrainerLink {
  public:
    void send(Command command) override { restarts += std::holds_alternative<Restart>(command) ? 1 : 0; }
    Published poll() override { return {}; }
    std::vector<Notice> take_notices() override { return {}; }
    double longest_wait() const override { return 0.0; }

    int restarts = 0;
};

// The list of presets and experiments without a window around it.
struct ListAlone {
    NullGui gui;
    Jobs jobs;
    Session session{toy_info(), toy_settings({}), std::make_unique<DeafTrainer>(), jobs, {}};
    ExperimentChooser chooser;
    Asks asks;
    std::function<void()> frame = [this] {
        gui.frame_in_window([this] { chooser.draw({gui.ui(), session, asks}, 300.0F); });
    };
};

}  // namespace

TEST_CASE("the title opens the experiments and presets, and a chosen preset can be undone") {
    BenchOfPanels bench;
    const Settings before = bench.session->settings();
    bench.click("experiment");
    bench.frames(2);
    // A newcomer's presets first; all others are behind their group, or found by words.
    REQUIRE(bench.gui.log().drawn("group Start here"));
    bench.click("group In-context TD: figures of Wang et al.");
    bench.frames(2);
    CHECK_FALSE(bench.gui.log().drawn("preset softmax-1"));
    REQUIRE(bench.gui.log().drawn("preset wang-2"));
    bench.key(GLFW_KEY_ESCAPE);
    bench.frames(2);
    CHECK_FALSE(bench.gui.log().drawn("preset wang-2"));
    CHECK(bench.session->settings() == before);
}

TEST_CASE_FIXTURE(ListAlone, "the list of presets is used by keys alone: words, arrows, Enter") {
    const auto hit = [&](ImGuiKey key) {
        gui.press_key(key, true);
        frame();
        gui.press_key(key, false);
        frame();
    };
    frame();
    gui.click(gui.log().centre("experiment"), frame);
    for (int i = 0; i < 3; ++i) frame();
    hit(ImGuiKey_Enter);
    CHECK(asks.empty());  // nothing was chosen
    frame();
    std::string expected = "wang-2";
    SUBCASE("Enter takes the first row that has the words") {}
    SUBCASE("an arrow goes on from it") {
        hit(ImGuiKey_DownArrow);
        hit(ImGuiKey_DownArrow);
        hit(ImGuiKey_UpArrow);
        expected = presets_in(assets_folder()).front().name;
    }
    if (expected == "wang-2")
        for (const char letter : expected) {
            ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(letter));
            frame();
        }
    hit(ImGuiKey_Enter);
    REQUIRE_FALSE(asks.empty());
    CHECK(std::get<ask::OpenPreset>(asks.take().front()).name == expected);
    CHECK_FALSE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
}

TEST_CASE_FIXTURE(ListAlone, "the title names the preset that is open, until a setting makes another run of it") {
    frame();
    CHECK(chooser.title(session) == toy_info().title);
    gui.click(gui.log().centre("experiment"), frame);
    gui.click(gui.log().centre("group In-context TD: figures of Wang et al."), frame);
    gui.click(gui.log().centre("preset wang-2"), frame);
    REQUIRE_FALSE(asks.empty());
    const std::string chosen = std::get<ask::OpenPreset>(asks.take().front()).name;
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

TEST_CASE("a preset that is chosen while it is open starts again, with its own pictures on stage") {
    NullGui gui;
    Jobs jobs;
    auto link = std::make_unique<DeafTrainer>();
    const DeafTrainer& trainer = *link;
    Session session(toy_info(), toy_settings({}), std::move(link), jobs, {});
    const Staging own{{"similarity"}, {"P0", "Q0"}, {}};
    Preferences left;
    left.stagings["opening"] = own;
    Workbench workbench(jobs, left);
    const auto choose = [&](const std::string& preset) {
        workbench.door().open_preset(preset, session);
        for (int i = 0; i < 2; ++i) gui.frame([&] { workbench.draw(gui.ui(), session, {}); });
    };
    choose("wang-2");
    choose("opening");  // as it was left
    CHECK(workbench.stage().staging() == own);
    const int before = trainer.restarts;
    choose("opening");
    CHECK(workbench.stage().staging().stage == std::vector<std::string>{"P0", "Q0"});
    CHECK(trainer.restarts == before + 1);
    CHECK(session.wants_to_run());
    CHECK_FALSE(workbench.preferences().stagings.contains("opening"));
}
