// Settings by mouse and keyboard.
#include "app/gui/workbench.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/app/gui/bench_of_panels.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

TEST_CASE("dragging a structural field restarts as it moves, with the same seeds and without stopping") {
    BenchOfPanels bench({}, {1600, 1000}, true);
    bench.press_along({bench.at("learning_rate", 0.02F)});
    CHECK(bench.count_sent<Restart>() == 0);  // pressed, not yet moved
    for (const float share : {0.15F, 0.3F, 0.45F, 0.6F, 0.75F}) bench.press_along({bench.at("learning_rate", share)});
    bench.release();
    bench.frames(3);
    CHECK(bench.count_sent<Restart>() >= 2);  // a run whose picture has not come yet is waited for, the last one begins
    const auto& last = std::get<Restart>(bench.sent.back());
    CHECK(last.run_now);
    CHECK(last.settings.integer("seed") == 0);
    CHECK(last.settings.number("learning_rate") == bench.session->settings().number("learning_rate"));
    CHECK(last.settings.number("learning_rate") != 0.05);
    CHECK(bench.snapshot().settings == last.settings);
}

TEST_CASE("a live field reaches the run without a restart") {
    BenchOfPanels bench;
    bench.click_at(bench.at("probe", 0.75F));
    bench.frames(3);
    CHECK(bench.count_sent<SetLive>() == 1);
    CHECK(bench.count_sent<Restart>() == 0);
    CHECK(bench.snapshot().settings.number("probe") == bench.session->settings().number("probe"));
}

TEST_CASE("a refused value moves no row") {
    BenchOfPanels bench({"size=8", "num_seeds=8"});
    const auto places = bench.gui.log().places();
    bench.session->set_field("size", int64_t{9});
    bench.frames(2);
    REQUIRE(bench.drawn("refusal size"));
    for (const auto& [name, place] : places) {
        CAPTURE(name);
        CHECK(bench.place(name).min.y == place.min.y);
    }
    CHECK(bench.place("refusal size").min.y >= bench.place("size").max.y);
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
    bench.type("-4");
    const auto press = [&](ImGuiKey key) { bench.hit(key); };
    press(ImGuiKey_Enter);
    CHECK(bench.drawn("refusal num_steps"));
    const WidgetLog::Place& sentence = bench.place("refusal num_steps");
    CHECK(sentence.max.y <= bench.workbench.layout().settings.max().y);
    press(ImGuiKey_Escape);
    bench.key(GLFW_KEY_ESCAPE);
    CHECK_FALSE(bench.drawn("refusal num_steps"));
    CHECK(steps() == std::get<int64_t>(bench.session->settings().info("num_steps").default_value));
}

TEST_CASE("typing goes from setting to setting with Tab") {
    BenchOfPanels bench;
    bench.key(GLFW_KEY_TAB);
    bench.key(GLFW_KEY_TAB);
    bench.key(GLFW_KEY_ENTER);
    bench.frames(3);
    REQUIRE(ImGui::GetIO().WantTextInput);
    bench.hit(ImGuiKey_Tab);
    CHECK(ImGui::GetIO().WantTextInput);
}

TEST_CASE("the search shows what it finds, behind \"more\" too, and reset takes everything back at once") {
    BenchOfPanels bench({"learning_rate=0.5"});
    bench.act(Action::search);
    bench.frames(3);
    REQUIRE(ImGui::GetIO().WantTextInput);
    bench.type("RATE");
    CHECK(bench.drawn("learning_rate"));
    CHECK_FALSE(bench.drawn("size"));
    bench.click("clear search");
    bench.frames(2);
    CHECK(bench.drawn("size"));
    bench.click("reset all");
    CHECK(bench.session->settings() == toy_settings({}));
    bench.key(GLFW_KEY_Z, GLFW_MOD_CONTROL);
    CHECK(bench.session->settings() == toy_settings({"learning_rate=0.5"}));
}
