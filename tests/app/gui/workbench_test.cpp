#include "app/gui/workbench.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "app/gui/shell/clock.h"
#include "core/base/rng.h"
#include "core/experiments/registry.h"
#include "tests/app/gui/bench_of_panels.h"

using namespace emergence;
using namespace emergence::testing;

TEST_CASE("space runs and pauses, the right arrow takes one step, R starts over, N takes new seeds") {
    BenchOfPanels bench;
    REQUIRE(bench.snapshot().status.state == RunState::paused);
    bench.key(GLFW_KEY_SPACE);
    CHECK(bench.count_sent<Resume>() == 1);
    CHECK(bench.snapshot().status.state == RunState::running);
    bench.key(GLFW_KEY_SPACE);
    CHECK(bench.count_sent<Pause>() == 1);
    const int64_t before = bench.snapshot().step;
    bench.key(GLFW_KEY_RIGHT);
    CHECK(bench.snapshot().step == before + 1);

    const uint64_t run = bench.snapshot().run_number;
    bench.key(GLFW_KEY_R);
    CHECK(bench.snapshot().run_number == run + 1);
    CHECK(bench.snapshot().step == 0);
    CHECK(bench.snapshot().status.state == RunState::paused);
    CHECK(bench.session->settings().integer("seed") == 0);
    bench.key(GLFW_KEY_R, GLFW_MOD_SHIFT);
    CHECK(bench.session->settings().integer("seed") == 4);  // 0 .. 3 have been used
    bench.key(GLFW_KEY_N);
    CHECK(bench.session->settings().integer("seed") == 8);
}

TEST_CASE("the buttons do what the keys do") {
    BenchOfPanels bench;
    bench.click("run");
    CHECK(bench.count_sent<Resume>() == 1);
    bench.click("run");
    CHECK(bench.count_sent<Pause>() == 1);
    bench.click("step");
    CHECK(bench.count_sent<StepOnce>() == 1);
    bench.click("reset");
    CHECK(bench.count_sent<Restart>() == 1);
    bench.click("new seed");
    CHECK(bench.count_sent<Restart>() == 2);
    CHECK(bench.session->settings().integer("seed") == 4);
}

TEST_CASE("a run that has come to its end starts again") {
    BenchOfPanels bench({"num_steps=20"}, {1600, 1000}, true);
    bench.frames(5);
    REQUIRE(bench.snapshot().status.state == RunState::finished);
    bench.key(GLFW_KEY_SPACE);
    CHECK(bench.count_sent<Restart>() == 1);
    CHECK(bench.snapshot().run_number == 2);
}

TEST_CASE("+ and - step through the paces, the last of which is as fast as it goes") {
    BenchOfPanels bench;
    bench.key(GLFW_KEY_EQUAL, GLFW_MOD_SHIFT);
    CHECK(bench.session->pace() == 500.0);
    bench.key(GLFW_KEY_MINUS);
    bench.key(GLFW_KEY_MINUS);
    CHECK(bench.session->pace() == 100.0);
    for (int i = 0; i < 20; ++i) bench.key(GLFW_KEY_KP_ADD);
    CHECK(bench.session->pace() == 0.0);
    for (int i = 0; i < 20; ++i) bench.key(GLFW_KEY_KP_SUBTRACT);
    CHECK(bench.session->pace() == 1.0);
}

TEST_CASE("dragging a structural field restarts as it moves, with the same seeds and without stopping") {
    BenchOfPanels bench({}, {1600, 1000}, true);
    const auto& place = bench.gui.log().place("learning_rate");
    const float y = (place.min.y + place.max.y) / 2;
    bench.gui.move({place.min.x + 5, y});
    bench.frames();
    bench.gui.button(true);
    bench.frames();
    CHECK(bench.count_sent<Restart>() == 0);  // pressed, not yet moved
    for (int i = 1; i <= 5; ++i) {
        bench.gui.move({place.min.x + (place.max.x - place.min.x) * static_cast<float>(i) * 0.15F, y});
        bench.frames();
    }
    bench.gui.button(false);
    bench.frames(2);
    CHECK(bench.count_sent<Restart>() >= 5);
    const auto& last = std::get<Restart>(bench.sent.back());
    CHECK(last.run_now);
    CHECK(last.settings.integer("seed") == 0);
    CHECK(last.settings.number("learning_rate") == bench.session->settings().number("learning_rate"));
    CHECK(last.settings.number("learning_rate") != 0.05);
    CHECK(bench.snapshot().settings == last.settings);
}

TEST_CASE("a live field reaches the run without a restart") {
    BenchOfPanels bench;
    const auto& place = bench.gui.log().place("probe");
    bench.gui.click({place.min.x + (place.max.x - place.min.x) * 0.75F, (place.min.y + place.max.y) / 2},
                    [&] { bench.frames(); });
    CHECK(bench.count_sent<SetLive>() == 0);  // it may become a double click
    CHECK(bench.workbench.waiting());
    bench.frames(30);
    CHECK_FALSE(bench.workbench.waiting());
    CHECK(bench.count_sent<SetLive>() == 1);
    CHECK(bench.count_sent<Restart>() == 0);
    CHECK(bench.snapshot().settings.number("probe") == bench.session->settings().number("probe"));
}

TEST_CASE("a double click on a slider opens the editor and tells the run nothing, Esc neither") {
    BenchOfPanels bench;
    const auto press = [&](ImGuiKey key) {
        bench.gui.press_key(key, true);
        bench.frames();
        bench.gui.press_key(key, false);
        bench.frames(4);
    };
    const auto twice = [&](ImVec2 at) {
        for (int i = 0; i < 2; ++i) bench.gui.click(at, [&] { bench.frames(); });
        bench.frames(2);
    };
    for (const std::string field : {"size", "probe"}) {
        CAPTURE(field);
        const Settings before = bench.session->settings();
        const size_t sent = bench.sent.size();
        const auto& place = bench.gui.log().place(field);
        const ImVec2 at(place.min.x + (place.max.x - place.min.x) * 0.7F, (place.min.y + place.max.y) / 2);
        twice(at);
        REQUIRE(ImGui::GetIO().WantTextInput);
        press(ImGuiKey_Enter);  // the same value
        bench.frames(40);
        CHECK(bench.sent.size() == sent);
        twice(at);
        REQUIRE(ImGui::GetIO().WantTextInput);
        press(ImGuiKey_Escape);
        bench.frames(40);
        CHECK_FALSE(ImGui::GetIO().WantTextInput);
        CHECK(bench.sent.size() == sent);
        CHECK(bench.session->settings() == before);
        CHECK(bench.session->undo_text().empty());
    }
}

TEST_CASE("a refused value moves no row") {
    BenchOfPanels bench({"size=8", "num_seeds=8"});
    const auto places = bench.gui.log().places();
    bench.session->set_field("size", int64_t{9});
    bench.frames(2);
    REQUIRE(bench.gui.log().drawn("refusal size"));
    for (const auto& [name, place] : places) {
        CAPTURE(name);
        CHECK(bench.gui.log().place(name).min.y == place.min.y);
    }
    CHECK(bench.gui.log().place("refusal size").min.y >= bench.gui.log().place("size").max.y);
}

TEST_CASE("settings that do not go together are not applied, and the reason is kept beside the slider") {
    BenchOfPanels bench({"size=8", "num_seeds=8"});
    const uint64_t run = bench.snapshot().run_number;
    bench.session->set_field("size", int64_t{9});
    bench.frames(2);
    CHECK(bench.session->settings().integer("size") == 8);
    CHECK(bench.session->refusal("size").find("allowed is up to 64") != std::string::npos);
    CHECK(bench.snapshot().run_number == run);
    bench.session->set_field("size", int64_t{7});
    CHECK(bench.session->refusal("size").empty());
}

TEST_CASE("bad news becomes a banner that can be taken away; failed seeds are one") {
    BenchOfPanels bench({"diverge_seed=1", "diverge_step=5", "num_steps=40"}, {1600, 1000}, true);
    bench.frames(6);
    REQUIRE(bench.session->banners().size() == 1);
    CHECK(bench.session->banners()[0].find("1 of 4 seeds stopped") != std::string::npos);
    bench.trainer->notify("the disk is full");
    bench.frames(2);
    REQUIRE(bench.session->banners().size() == 2);
    // It covers nothing: the panels make room for as long as it is there.
    const float pushed = bench.gui.log().place("panel emerged").min.y;
    CHECK(pushed >= bench.gui.log().place("panel banner").max.y);
    const WidgetLog::Place& panel = bench.gui.log().place("panel banner");
    const WidgetLog::Place& last = bench.gui.log().place("banner 1");
    CHECK(last.min.y >= bench.gui.log().place("banner 0").max.y);
    CHECK(last.max.y <= panel.max.y);
    CHECK(last.max.x <= panel.max.x);
    bench.click("dismiss 0");
    REQUIRE(bench.session->banners().size() == 1);
    bench.click("dismiss 0");
    CHECK(bench.session->banners().empty());
    bench.frames(2);
    CHECK(bench.gui.log().place("panel emerged").min.y < pushed / 2);
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

TEST_CASE("good news stands at the end of the line of status, whole or in two lines, and covers no control") {
    for (const ImVec2 size : {ImVec2{1600, 1000}, ImVec2{1280, 720}}) {
        BenchOfPanels bench({}, size);
        Toasts& toasts = bench.workbench.toasts();
        toasts.add("Saved");
        toasts.add(
            "Opened the cell layers L 2, context n 10. The previous run is saved: Ctrl + O lists it, and "
            "there it is gone on with as if it had never stopped");
        bench.frames(2);
        const WidgetLog::Place& toast = bench.gui.log().place("toast 1");
        const WidgetLog::Place& status = bench.gui.log().place("panel status");
        CHECK(toast.min.y >= status.min.y);
        CHECK(toast.max.y <= status.max.y);
        CHECK(toast.max.x <= status.max.x);
        CHECK(toast.min.x > (status.min.x + status.max.x) / 2);
    }
}

TEST_CASE("the matrices' look: scaled, raw, difference, one seed by its dot") {
    BenchOfPanels bench({}, {1600, 1000}, true);
    bench.click("view raw");
    CHECK(bench.workbench.matrices().view().mode == MatrixView::Mode::raw);
    bench.click("view minus theory");
    CHECK(bench.workbench.matrices().view().mode == MatrixView::Mode::difference);
    bench.key(GLFW_KEY_M);
    CHECK(bench.workbench.matrices().view().mode == MatrixView::Mode::scaled);
    bench.click("dot 2");
    CHECK(bench.workbench.matrices().view().seed_index == 2);
    bench.click("dot 2");
    CHECK(bench.workbench.matrices().view().seed_index == -1);
}

TEST_CASE("the curves' look, F1 and T") {
    BenchOfPanels bench({}, {1600, 1000}, true);
    bench.click("curves");
    bench.frames(2);
    bench.click("spread every seed");
    bench.key(GLFW_KEY_ESCAPE);
    CHECK(bench.workbench.curves().plots().at(0).spread == Spread::every_seed);
    bench.key(GLFW_KEY_S);
    CHECK(bench.workbench.curves().plots().at(0).series.at(0).bars);
    bench.key(GLFW_KEY_S);
    CHECK(bench.workbench.curves().plots().at(0).spread == Spread::standard_error);
    bench.key(GLFW_KEY_F1);
    CHECK(bench.workbench.help_open());
    CHECK(bench.gui.log().drawn("panel handbook"));
    bench.click("handbook close");
    CHECK_FALSE(bench.workbench.help_open());
    bench.key(GLFW_KEY_T);
    CHECK(bench.workbench.look().theme == Theme::light);
}

TEST_CASE("no texture is uploaded while nothing is new") {
    BenchOfPanels bench;
    bench.frames(2);
    const int uploads = bench.gui.textures().uploads();
    bench.frames(10);
    CHECK(bench.gui.textures().uploads() == uploads);
}

TEST_CASE("Tab, the arrows, Enter and Delete reach the settings, and Esc leaves them") {
    BenchOfPanels bench;
    const auto steps = [&] { return bench.session->settings().integer("num_steps"); };
    const int64_t before = steps();
    bench.key(GLFW_KEY_UP);
    CHECK(steps() == before);  // no field has the keys
    bench.key(GLFW_KEY_TAB);
    bench.key(GLFW_KEY_DOWN);
    CHECK(steps() < before);
    bench.key(GLFW_KEY_DELETE);
    CHECK(steps() == std::get<int64_t>(bench.session->settings().info("num_steps").default_value));
    bench.key(GLFW_KEY_ENTER);
    bench.frames(3);
    REQUIRE(ImGui::GetIO().WantTextInput);
    for (const char c : std::string("-4")) {
        ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
        bench.frames();
    }
    const auto press = [&](ImGuiKey key) {
        bench.gui.press_key(key, true);
        bench.frames();
        bench.gui.press_key(key, false);
        bench.frames(4);
    };
    press(ImGuiKey_Enter);
    CHECK(bench.gui.log().drawn("refusal num_steps"));
    const WidgetLog::Place& sentence = bench.gui.log().place("refusal num_steps");
    CHECK(sentence.max.y <= bench.workbench.layout().settings.max().y);
    press(ImGuiKey_Escape);
    bench.key(GLFW_KEY_ESCAPE);
    CHECK_FALSE(bench.gui.log().drawn("refusal num_steps"));
    CHECK(steps() == std::get<int64_t>(bench.session->settings().info("num_steps").default_value));
}

TEST_CASE("typing goes from setting to setting with Tab") {
    BenchOfPanels bench;
    bench.key(GLFW_KEY_TAB);
    bench.key(GLFW_KEY_TAB);
    bench.key(GLFW_KEY_ENTER);
    bench.frames(3);
    REQUIRE(ImGui::GetIO().WantTextInput);
    bench.gui.press_key(ImGuiKey_Tab, true);
    bench.frames();
    bench.gui.press_key(ImGuiKey_Tab, false);
    bench.frames(4);
    CHECK(ImGui::GetIO().WantTextInput);
}

TEST_CASE("the search shows what it finds, behind \"more\" too, and reset takes everything back at once") {
    BenchOfPanels bench({"learning_rate=0.5"});
    bench.key(GLFW_KEY_F, GLFW_MOD_CONTROL);
    bench.frames(3);
    REQUIRE(ImGui::GetIO().WantTextInput);
    for (const char c : std::string("RATE")) {
        ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
        bench.frames();
    }
    CHECK(bench.gui.log().drawn("learning_rate"));
    CHECK_FALSE(bench.gui.log().drawn("size"));
    bench.click("clear search");
    bench.frames(2);
    CHECK(bench.gui.log().drawn("size"));
    bench.click("reset all");
    CHECK(bench.session->settings() == toy_settings({}));
    bench.key(GLFW_KEY_Z, GLFW_MOD_CONTROL);
    CHECK(bench.session->settings() == toy_settings({"learning_rate=0.5"}));
}

TEST_CASE("Esc closes an open list before anything else") {
    BenchOfPanels bench;
    bench.click("heading loss");
    bench.click("experiment");
    REQUIRE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
    bench.key(GLFW_KEY_ESCAPE);
    CHECK_FALSE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
    CHECK(bench.workbench.stage().own());
    bench.key(GLFW_KEY_ESCAPE);
    CHECK_FALSE(bench.workbench.stage().own());
}

TEST_CASE("Ctrl and + make everything larger, as far as it fits, and Ctrl 0 takes it back") {
    BenchOfPanels bench;
    const float before = bench.gui.ui().scale;
    bench.key(GLFW_KEY_EQUAL, GLFW_MOD_CONTROL | GLFW_MOD_SHIFT);
    bench.key(GLFW_KEY_KP_ADD, GLFW_MOD_CONTROL);
    CHECK(bench.gui.ui().scale == doctest::Approx(1.2F * before));
    for (int i = 0; i < 40; ++i) bench.key(GLFW_KEY_EQUAL, GLFW_MOD_CONTROL);
    CHECK(bench.gui.ui().scale <= 1600.0F / 1060.0F);
    for (int i = 0; i < 40; ++i) bench.key(GLFW_KEY_MINUS, GLFW_MOD_CONTROL);
    CHECK(bench.gui.ui().scale == doctest::Approx(0.5F));
    bench.key(GLFW_KEY_0, GLFW_MOD_CONTROL);
    CHECK(bench.gui.ui().scale == before);
}

TEST_CASE("preferences act at once: theme, size, threads, borders; and reset together") {
    BenchOfPanels bench;
    bench.click("preferences");
    REQUIRE(bench.workbench.preferences_open());
    bench.frames(2);
    bench.click("theme light");
    CHECK(bench.gui.ui().theme == Theme::light);
    const float scale = bench.gui.ui().scale;
    bench.frames(2);
    bench.click("more size");
    CHECK(bench.gui.ui().scale > scale);
    bench.frames(2);
    bench.click("more threads");
    CHECK(bench.workbench.preferences().threads == 1);
    CHECK(bench.session->threads() == 1);
    bench.frames(2);
    bench.click("reset preferences");
    CHECK(bench.workbench.preferences() == Preferences());
    bench.frames(2);
    bench.key(GLFW_KEY_ESCAPE);
    CHECK_FALSE(bench.workbench.preferences_open());
    bench.key(GLFW_KEY_COMMA, GLFW_MOD_CONTROL);
    CHECK(bench.workbench.preferences_open());
    bench.key(GLFW_KEY_F1);
    CHECK_FALSE(bench.workbench.preferences_open());
    CHECK(bench.workbench.help_open());
}

TEST_CASE("dialogs fit the smallest window that is served") {
    BenchOfPanels bench({}, {1280, 720});
    for (const int key : {GLFW_KEY_F1, GLFW_KEY_COMMA}) {
        bench.key(key, key == GLFW_KEY_COMMA ? GLFW_MOD_CONTROL : 0);
        bench.frames(3);
        const WidgetLog::Place& place =
            bench.gui.log().place(key == GLFW_KEY_F1 ? "panel handbook" : "panel preferences");
        CHECK(place.min.x >= 0.0F);
        CHECK(place.min.y >= 0.0F);
        CHECK(place.max.x <= 1280.0F);
        CHECK(place.max.y <= 720.0F);
    }
}

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

TEST_CASE("a presentation in a small window cuts nothing off") {
    BenchOfPanels bench({}, {1280, 720}, true);
    bench.key(GLFW_KEY_P);
    bench.frames(3);
    REQUIRE(bench.workbench.look().presenting);
    for (const auto& [name, place] : bench.gui.log().places()) {
        if (!bench.gui.log().drawn(name)) continue;  // before, where the settings scroll
        CAPTURE(name);
        CHECK(place.max.y <= 720.0F);
    }
}

TEST_CASE("dots of many seeds stand in one row or two beside a second run's") {
    BenchOfPanels bench({"num_seeds=16", "size=4"}, {1600, 1000}, true);
    bench.frames(8);
    bench.click("compare");
    bench.frames(3);
    std::set<float> rows;
    for (const char* side : {"", "B "})
        for (int i = 0; i < 16; ++i) {
            const WidgetLog::Place& dot = bench.gui.log().place(fmt::format("{}dot {}", side, i));
            CHECK(dot.max.x - dot.min.x >= bench.gui.ui().px(12));
            rows.insert(dot.min.y);
        }
    CHECK(rows.size() <= 4);
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
    bench.click("dismiss 0");
    bench.key(GLFW_KEY_F, GLFW_MOD_CONTROL);
    bench.frames(3);
    REQUIRE(ImGui::GetIO().WantTextInput);
    bench.trainer->notify("it still is");
    bench.frames(3);
    CHECK(ImGui::GetIO().WantTextInput);
}
