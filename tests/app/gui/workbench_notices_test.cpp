// Bad news and good news in the window.
#include "app/gui/workbench.h"

#include <doctest/doctest.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "app/gui/shell/clock.h"
#include "tests/app/gui/bench_of_panels.h"

using namespace emergence;
using namespace emergence::testing;

TEST_CASE("bad news becomes a banner that can be taken away; failed seeds are one") {
    BenchOfPanels bench({"diverge_seed=1", "diverge_step=5", "num_steps=40"}, {1600, 1000}, true);
    bench.frames(6);
    REQUIRE(bench.session->banners().size() == 1);
    CHECK(bench.session->banners()[0].find("1 of 4 seeds stopped") != std::string::npos);
    bench.trainer->notify("the disk is full");
    bench.frames(2);
    REQUIRE(bench.session->banners().size() == 2);
    // The headline stays to be read, and no picture moves.
    const float stage = bench.gui.log().place("panel stage").min.y;
    CHECK(bench.gui.log().place("panel banner").min.y >= stage);
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
    CHECK(bench.gui.log().place("panel stage").min.y == stage);
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
        const WidgetLog::Place& toast = bench.gui.log().place("panel toast 1");
        const WidgetLog::Place& status = bench.gui.log().place("panel status");
        CHECK(toast.min.y >= status.min.y);
        CHECK(toast.max.y <= status.max.y);
        CHECK(toast.max.x <= status.max.x);
        CHECK(toast.min.x > (status.min.x + status.max.x) / 2);
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
    bench.click("dismiss 0");
    bench.key(GLFW_KEY_F, GLFW_MOD_CONTROL);
    bench.frames(3);
    REQUIRE(ImGui::GetIO().WantTextInput);
    bench.trainer->notify("it still is");
    bench.frames(3);
    CHECK(ImGui::GetIO().WantTextInput);
}
