#include "app/gui/widgets/buttons.h"

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
