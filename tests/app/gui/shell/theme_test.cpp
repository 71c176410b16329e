#include "app/gui/shell/theme.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/files/folders.h"
#include "core/files/text.h"
#include "tests/app/gui/null_gui.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

std::set<float> sizes() {
    std::set<float> all;
    for (const ImFont* font : ImGui::GetIO().Fonts->Fonts) all.insert(font->FontSize);
    return all;
}

// As the guidelines for accessible pages have it: 1 to 21.
double contrast(ImU32 a, ImU32 b) {
    const auto luminance = [](ImU32 color) {
        const auto linear = [&](int shift) {
            const double share = static_cast<double>((color >> shift) & 0xFFU) / 255.0;
            return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(IM_COL32_R_SHIFT) + 0.7152 * linear(IM_COL32_G_SHIFT) +
               0.0722 * linear(IM_COL32_B_SHIFT);
    };
    const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
    return (light + 0.05) / (dark + 0.05);
}

}  // namespace

TEST_CASE(
    "there are three sizes of type; a presentation has one more for what a class reads, and none below 18 pixels") {
    NullGui gui;
    gui.adopt({});
    CHECK(sizes() == std::set<float>{kSmallType, kTextType, kHeadlineType});
    for (const ImVec2 window : {ImVec2(1280, 720), ImVec2(1600, 1000), ImVec2(3840, 2160)}) {
        ImGui::GetIO().DisplaySize = window;
        gui.adopt({.presenting = true});
        CHECK(sizes().size() == 4);
        CHECK(gui.ui().fonts.reading->FontSize > 1.3F * gui.ui().fonts.body->FontSize);
        CHECK(gui.ui().fonts.reading->FontSize < gui.ui().fonts.large->FontSize);
        CHECK(*sizes().begin() >= kLeastPresentedType);
    }
}

TEST_CASE("what is said in a colour is read on every ground, in both themes") {
    for (const Theme theme : {Theme::dark, Theme::light}) {
        const Colors colors = colors_of(theme);
        for (const ImU32 color : {colors.text, colors.muted, colors.accent, colors.good, colors.warning, colors.bad})
            for (const ImU32 ground : {colors.window, colors.panel, colors.plot, colors.control})
                CHECK(contrast(color, ground) >= 4.5);
        CHECK(contrast(colors.on_accent, colors.accent) >= 7.0);
        CHECK(contrast(colors.text, colors.control) >= 7.0);
    }
}
