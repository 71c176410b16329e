#include "app/gui/widgets/wheel.h"

#include <doctest/doctest.h>

#include "tests/app/gui/null_gui.h"

using namespace emergence;
using namespace emergence::testing;

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

TEST_CASE("what comes under the pointer while the panel is scrolled does not take the wheel until it moves") {
    Scrolled panel;
    panel.gui.move({100, 60});
    panel.frame();
    panel.frame();
    CHECK_FALSE(panel.hovered);
    for (int i = 0; i < 6 && !panel.hovered; ++i) {
        panel.frame(-1.0F);
        panel.frame();
    }
    REQUIRE(panel.hovered);
    CHECK_FALSE(panel.taken);
    const float before = panel.scrolled;
    panel.frame(-1.0F);
    panel.frame();
    CHECK(panel.scrolled > before);
    CHECK_FALSE(panel.taken);
    panel.gui.move({140, 80});
    panel.frame();
    panel.frame();
    CHECK(panel.taken);
    const float still = panel.scrolled;
    panel.frame(-1.0F);
    panel.frame();
    CHECK(panel.scrolled == still);
}

TEST_CASE("a click gives the wheel to what is under the pointer at once") {
    Scrolled panel;
    panel.gui.move({100, 60});
    panel.frame();
    for (int i = 0; i < 6 && !panel.hovered; ++i) {
        panel.frame(-1.0F);
        panel.frame();
    }
    REQUIRE_FALSE(panel.taken);
    panel.gui.button(true);
    panel.frame();
    panel.gui.button(false);
    panel.frame();
    panel.frame();
    CHECK(panel.taken);
}
