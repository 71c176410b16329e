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
                CAPTURE(name);
                CAPTURE(presenting);
                BenchOfPanels bench({}, size);
                if (presenting) bench.key(GLFW_KEY_P);
                if (name != "panel watch") bench.workbench.toasts().add("Opened the cell layers L 2, context n 10");
                if (name == "panel banner") bench.trainer->notify("the disk is full");  // before all else
                bench.frames(3);
                if (presenting && name == "panel watch") continue;
                const WidgetLog::Place message = bench.gui.log().place(name.c_str());
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
