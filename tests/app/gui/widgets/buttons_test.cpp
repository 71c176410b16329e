// The ring that takes the keyboard to every control of the window.
#include "app/gui/widgets/buttons.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "tests/app/gui/bench_of_panels.h"
#include "tests/app/gui/null_gui.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

struct WalkBench : BenchOfPanels {
    void next() {
        key(GLFW_KEY_F6);
        frames();
    }
    void press() {
        key(GLFW_KEY_ENTER, GLFW_MOD_CONTROL);
        frames(2);
    }
    std::string at() const { return workbench.walk().name(); }
    // All controls, from the first one until it comes again.
    std::set<std::string> round() {
        next();
        const std::string first = at();
        std::set<std::string> met;
        for (int i = 0; i < 500 && met.insert(at()).second; ++i) next();
        CHECK(at() == first);
        return met;
    }
    void go_to(const std::string& name) {
        for (int i = 0; i < 500 && at() != name; ++i) next();
        REQUIRE(at() == name);
    }
};

}  // namespace

TEST_CASE("the ring goes round all controls, and the key presses the one that has it") {
    WalkBench bench;
    const std::set<std::string> met = bench.round();
    for (const char* name : {"run", "step", "menu", "learning_rate", "dot 0", "view raw", "export pictures"})
        CHECK_MESSAGE(met.count(name) == 1, name);
    bench.go_to("menu");
    bench.press();
    bench.next();  // in the menu
    bench.go_to("command Runs");
    const ImVec2 at = ImGui::GetIO().MousePos, centre = bench.centre("command Runs");
    CHECK(std::abs(at.x - centre.x) <= 1.0F);
    CHECK(std::abs(at.y - centre.y) <= 1.0F);
    bench.press();
    CHECK(bench.workbench.runs_panel().is_open());
    bench.next();  // in what lies on top
    bench.go_to("runs close");
    CHECK(bench.round().count("step") == 0);
    bench.go_to("runs close");
    bench.press();
    CHECK_FALSE(bench.workbench.runs_panel().is_open());
    // A setting gets the keys that change it.
    bench.go_to("learning_rate");
    bench.press();
    const double before = bench.session->settings().number("learning_rate");
    bench.key(GLFW_KEY_UP);
    bench.frames(2);
    CHECK(bench.session->settings().number("learning_rate") > before);
    bench.key(GLFW_KEY_ESCAPE);
    bench.frames();
    CHECK_FALSE(bench.workbench.walk().active());
}

namespace {

// A panel with a zooming item below some text, as high as the panel is.
struct Scrolled {
    NullGui gui{{400, 300}};
    float scrolled = 0.0F;
    bool hovered = false, taken = false;

    void frame(float wheel = 0.0F) {
        ImGui::GetIO().MouseWheel = wheel;
        gui.frame([this] {
            ImGui::SetNextWindowPos({0, 0});
            ImGui::SetNextWindowSize({400, 300});
            ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoSavedSettings);
            ImGui::Dummy({300, 120});
            ImGui::InvisibleButton("item", {300, 1000});
            hovered = ImGui::IsItemHovered();
            taken = hovered && takes_wheel();
            scrolled = ImGui::GetScrollY();
            ImGui::End();
        });
        ImGui::GetIO().MouseWheel = 0.0F;
    }
};

}  // namespace

TEST_CASE("the wheel scrolls the panel, also over what zooms, and goes to that while Ctrl is held") {
    Scrolled panel;
    panel.gui.move({100, 200});
    panel.frame();
    panel.frame();
    REQUIRE(panel.hovered);
    CHECK_FALSE(panel.taken);
    float before = panel.scrolled;
    for (int i = 0; i < 3; ++i) {
        panel.frame(-1.0F);
        panel.frame();
        CHECK(panel.scrolled > before);
        CHECK_FALSE(panel.taken);
        before = panel.scrolled;
    }
    ImGui::GetIO().KeyCtrl = true;
    panel.frame(-1.0F);
    panel.frame();
    CHECK(panel.taken);
    CHECK(panel.scrolled == before);
    ImGui::GetIO().KeyCtrl = false;
}
