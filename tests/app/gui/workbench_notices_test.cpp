// What the window says, and what its first screen shows.
#include "app/gui/workbench.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/gui/shell/clock.h"
#include "core/base/array.h"
#include "core/experiments/registry.h"
#include "core/files/folders.h"
#include "tests/app/gui/bench_of_panels.h"
#include "tests/app/gui/pictures/picture_bench.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

TEST_CASE("bad news becomes a banner that can be taken away; failed seeds are one") {
    BenchOfPanels bench({"diverge_seed=1", "diverge_step=5", "num_steps=40"}, {1600, 1000}, true);
    bench.frames(6);
    bench.check_banner("1 of 4 networks stopped");
    bench.trainer->notify("the disk is full");
    bench.frames(2);
    REQUIRE(bench.session->banners().size() == 2);
    bench.click("dismiss");
    REQUIRE(bench.session->banners().size() == 1);
    bench.click("dismiss");
    CHECK(bench.session->banners().empty());
}

TEST_CASE("the answer to something that was tried goes by itself, bad news stays") {
    BenchOfPanels bench;
    bench.session->report("for good");
    bench.session->report("for a moment", 0.001);
    CHECK_FALSE(bench.session->banner_is_stale(seconds_now() - 1.0));
    CHECK(bench.session->banner_is_stale(seconds_now() + 1.0));
    const double until = seconds_now() + 0.01;
    while (seconds_now() < until) bench.frames();
    bench.frames();
    CHECK(bench.session->banners() == std::vector<std::string>{"for good"});
    // Said again it stays as long as it is said to now.
    bench.session->report("for good", 0.001);
    CHECK(bench.session->banners().size() == 1);
}

TEST_CASE("whatever is said stands in one place, which covers neither a picture nor a control") {
    for (const ImVec2 size : {ImVec2{1600, 1000}, ImVec2{1280, 720}, ImVec2{3840, 2160}})
        for (const bool presenting : {false, true})
            for (const std::string name : {"panel watch", "panel toast 0", "panel banner"}) {
                INFO(name, ", ", presenting);
                BenchOfPanels bench({}, size);
                if (presenting) bench.key(GLFW_KEY_P);
                if (name != "panel watch") bench.workbench.toasts().add("Opened the cell layers L 2, context n 10");
                if (name == "panel banner") bench.trainer->notify("the disk is full");  // before all else
                bench.frames(3);
                if (presenting && name == "panel watch") continue;
                const WidgetLog::Place message = bench.place(name.c_str());
                for (const auto& [other, place] : bench.gui.log().places()) {
                    if (place.frame != ImGui::GetFrameCount() || other.starts_with("panel ") || other == "dismiss")
                        continue;
                    CAPTURE(other);
                    CHECK((place.min.x >= message.max.x || place.max.x <= message.min.x ||
                           place.min.y >= message.max.y || place.max.y <= message.min.y));
                }
            }
}

TEST_CASE("bad news neither closes a list nor takes the keyboard from what is being typed") {
    BenchOfPanels bench;
    bench.click("seeds");
    bench.trainer->notify("the disk is full");
    bench.frames(3);
    REQUIRE(bench.session->banners().size() == 1);
    CHECK(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
    bench.key(GLFW_KEY_ESCAPE);
    bench.frames(2);
    bench.click("dismiss");
    bench.act(Action::search);
    bench.frames(3);
    REQUIRE(ImGui::GetIO().WantTextInput);
    bench.trainer->notify("it still is");
    bench.frames(3);
    CHECK(ImGui::GetIO().WantTextInput);
}

namespace {

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
    REQUIRE(bench.drawn("group What does it learn?"));
    bench.click("group In-context TD: figures of Wang et al.");
    bench.frames(2);
    CHECK_FALSE(bench.drawn("preset softmax-1"));
    REQUIRE(bench.drawn("preset wang-2"));
    bench.key(GLFW_KEY_ESCAPE);
    bench.frames(2);
    CHECK_FALSE(bench.drawn("preset wang-2"));
    CHECK(bench.session->settings() == before);
}

TEST_CASE_FIXTURE(ListAlone, "the list of presets is used by keys alone: words, arrows, Enter") {
    frame();
    gui.click(gui.log().centre("experiment"), frame);
    for (int i = 0; i < 3; ++i) frame();
    gui.hit(ImGuiKey_Enter, frame);
    CHECK(asks.empty());  // nothing was chosen
    frame();
    std::string expected = "wang-2";
    SUBCASE("Enter takes the first row that has the words") {}
    SUBCASE("an arrow goes on from it") {
        gui.hit(ImGuiKey_DownArrow, frame);
        gui.hit(ImGuiKey_DownArrow, frame);
        gui.hit(ImGuiKey_UpArrow, frame);
        expected = presets_in(assets_folder()).front().name;
    }
    if (expected == "wang-2") gui.type(expected, frame);
    gui.hit(ImGuiKey_Enter, frame);
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
    session.set_field("eval_context_length", int64_t{7});  // how it is looked at is no other run
    REQUIRE(session.settings().integer("eval_context_length") == 7);
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
        for (int i = 0; i < 2; ++i) gui.frame([&] { workbench.draw(gui.ui(), session); });
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

namespace {

// Opens the menu of the block under the pointer, and chooses the first entry whose name begins so.
void choose_operation(PictureBench& bench, const std::string& entry) {
    ImGui::GetIO().MousePos = bench.centre("cells Q0 learned");
    bench.frames(2);
    ImGui::GetIO().MouseDown[1] = true;
    bench.frames(1);
    ImGui::GetIO().MouseDown[1] = false;
    bench.frames(3);
    std::string name;
    for (const auto& [widget, place] : bench.gui().log().places())
        if (widget.starts_with(entry) && place.frame == ImGui::GetFrameCount()) name = widget;
    REQUIRE_FALSE(name.empty());
    bench.gui().click(bench.centre(name), [&] { bench.frames(1); });
    bench.frames(3);
}

}  // namespace

TEST_CASE("training on begins a run with the weights that are shown, without the operation that made them") {
    const Scratch scratch;
    PictureBench bench("opening");
    bench.workbench().files().export_panel().choices().folder = scratch.path().string();
    bench.frames(8);
    choose_operation(bench, "surgery zero Q0[");
    const ArrayMap shown = bench.session().snapshot()->weights;
    const std::vector<double> operated = as_doubles(shown.at("operated Q"));
    REQUIRE(operated != as_doubles(shown.at("Q")));

    choose_operation(bench, "surgery train on");
    const Settings& settings = bench.session().settings();
    CHECK(settings.text("surgery").empty());
    CHECK(std::filesystem::path(settings.text("weights")).parent_path() == scratch.path());
    CHECK(bench.session().snapshot()->step == 0);
    CHECK(as_doubles(bench.session().snapshot()->weights.at("Q")) == operated);
}
