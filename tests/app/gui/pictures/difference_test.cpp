// What the comparison of pictures tolerates and what it does not, on a small window of every kind of thing
// that the program draws.
#include "tests/app/gui/pictures/difference.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/app/gui/null_gui.h"
#include "tests/app/gui/pictures/picture.h"
#include "tests/app/gui/pictures/rasteriser.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

struct SmallPicture {
    Theme theme = Theme::dark;
    std::string label = "context length n";
    bool panel = true;
    bool curve = true;
    int curve_color = 0;
    float curve_end = 120.0F;
    double cell = 0.5;
    bool garbled = false;
    std::function<void(ImFontAtlas&)> change_font = {};
    float shift = 0.0F;  // pixels
};

void draw_texts(const Ui& ui, ImDrawList& list, const SmallPicture& sketch) {
    list.AddText(ui.fonts.bold, ui.fonts.bold->FontSize, {20, 16}, ui.colors.text, "Settings");
    list.AddText(ui.fonts.body, ui.fonts.body->FontSize, {20, 44}, ui.colors.muted, sketch.label.c_str());
    list.AddText(ui.fonts.small, ui.fonts.small->FontSize, {20, 70}, ui.colors.muted,
                 "P: signs turned so that P's corner is positive, mean of 8 seeds");
    if (!sketch.panel) return;
    list.AddRectFilled({330, 10}, {630, 90}, ui.colors.control, 6.0F);
    list.AddText(ui.fonts.body, ui.fonts.body->FontSize, {350, 20}, ui.colors.text, "Run");
}

void draw_curve(const Ui& ui, ImDrawList& list, const SmallPicture& sketch) {
    list.AddRect({20, 110}, {300, 300}, ui.colors.axis);
    std::vector<ImVec2> points;
    for (int i = 0; i <= 20; ++i) {
        const float share = static_cast<float>(i) / 20.0F;
        points.emplace_back(30 + 250 * share, 280 - (280 - sketch.curve_end) * share * share);
    }
    if (sketch.curve)
        list.AddPolyline(points.data(), static_cast<int>(points.size()), series_color(ui, sketch.curve_color), 0, 1.5F);
}

// 12 x 12 cells of 14 pixels; `cell` is the value of one, from 0 to 1.
void draw_heatmap(const Ui& ui, ImDrawList& list, const SmallPicture& sketch) {
    constexpr int kCells = 12;
    std::vector<ImU32> pixels;
    for (int i = 0; i < kCells * kCells; ++i) {
        const double value = i == 5 * kCells + 7 ? sketch.cell : 0.5 + 0.4 * std::sin(0.7 * i);
        const int red = static_cast<int>(std::lround(255 * value));
        pixels.push_back(IM_COL32(red, 80, 255 - red, 255));
    }
    if (sketch.garbled) std::rotate(pixels.begin(), pixels.begin() + 3, pixels.end());
    list.AddImage(ui.textures->upload(nullptr, kCells, kCells, pixels), {340, 110}, {508, 278});
}

std::span<unsigned char> texels_of(ImFontAtlas& atlas) {
    return {atlas.TexPixelsAlpha8, static_cast<size_t>(atlas.TexWidth * atlas.TexHeight)};
}

PixelImage drawn(const SmallPicture& sketch) {
    PixelTextureStore textures;
    NullGui gui({1280, 720}, sketch.theme, &textures);
    // The next window's are the same glyphs.
    const std::span<unsigned char> texels = texels_of(*ImGui::GetIO().Fonts);
    const std::vector<unsigned char> unchanged(texels.begin(), texels.end());
    if (sketch.change_font) sketch.change_font(*ImGui::GetIO().Fonts);
    gui.frame([&] {
        ImDrawList& list = *ImGui::GetBackgroundDrawList();
        draw_texts(gui.ui(), list, sketch);
        draw_curve(gui.ui(), list, sketch);
        draw_heatmap(gui.ui(), list, sketch);
    });
    ImDrawData& data = *ImGui::GetDrawData();
    for (int i = 0; i < data.CmdListsCount; ++i)
        for (ImDrawVert& vertex : data.CmdLists[i]->VtxBuffer) {
            vertex.pos.x += sketch.shift;
            vertex.pos.y += sketch.shift;
        }
    PixelImage picture = halved(rasterise(data, gui.ui().colors.panel));
    std::copy(unchanged.begin(), unchanged.end(), texels.begin());
    return picture;
}

void brighten(ImFontAtlas& atlas, float brightness) {
    for (unsigned char& texel : texels_of(atlas))
        texel = static_cast<unsigned char>(std::min(255.0F, brightness * static_cast<float>(texel)));
}

// Coverage to the power of 1 / gamma.
void change_gamma(ImFontAtlas& atlas, double gamma) {
    for (unsigned char& texel : texels_of(atlas))
        texel = static_cast<unsigned char>(std::lround(255 * std::pow(texel / 255.0, 1.0 / gamma)));
}

// As a wrong pitch of the texture does.
void garble(ImFontAtlas& atlas) {
    for (int y = 0; y < atlas.TexHeight; ++y) {
        unsigned char* row = atlas.TexPixelsAlpha8 + y * atlas.TexWidth;
        std::rotate(row, row + y % atlas.TexWidth, row + atlas.TexWidth);
    }
}

SmallPicture in(Theme theme) {
    SmallPicture sketch;
    sketch.theme = theme;
    return sketch;
}

// The worst difference from the window as it was, in tolerances: the least and the largest of both themes.
template <class Change>
std::pair<double, double> worst_of_themes(Change change) {
    const auto worst = [&](Theme theme, const PixelImage& before) {
        SmallPicture after = in(theme);
        change(after);
        return difference_of(before, drawn(after)).worst;
    };
    static const PixelImage dark = drawn(in(Theme::dark));
    static const PixelImage light = drawn(in(Theme::light));
    return std::minmax({worst(Theme::dark, dark), worst(Theme::light, light)});
}
template <class Change>
double most_of_themes(Change change) {
    return worst_of_themes(change).second;
}
template <class Change>
double least_of_themes(Change change) {
    return worst_of_themes(change).first;
}

}  // namespace

TEST_CASE("the same window drawn twice is the same, pixel by pixel") {
    CHECK(drawn({}).pixels == drawn({}).pixels);
    CHECK(most_of_themes([](SmallPicture&) {}) == 0.0);
}

TEST_CASE("changes by another FreeType or Mesa are tolerated, with room to spare" * doctest::test_suite("release")) {
    CHECK(most_of_themes([](SmallPicture& s) { s.shift = 0.4F; }) < 0.8);
    CHECK(most_of_themes(
              [](SmallPicture& s) { s.change_font = [](ImFontAtlas& atlas) { change_gamma(atlas, 1.25); }; }) < 0.8);
    CHECK(most_of_themes(
              [](SmallPicture& s) { s.change_font = [](ImFontAtlas& atlas) { change_gamma(atlas, 0.8); }; }) < 0.8);
    CHECK(most_of_themes([](SmallPicture& s) { s.change_font = [](ImFontAtlas& atlas) { brighten(atlas, 1.2F); }; }) <
          0.8);
}

TEST_CASE("text that is missing or says something else is found") {
    CHECK(least_of_themes([](SmallPicture& s) { s.label = ""; }) > 1.6);
    CHECK(least_of_themes([](SmallPicture& s) { s.label = "number of states"; }) > 1.1);
    CHECK(least_of_themes([](SmallPicture& s) { s.label = "context length n, steps"; }) > 2.0);
}

TEST_CASE("a curve of another colour, moved or missing is found") {
    CHECK(least_of_themes([](SmallPicture& s) { s.curve_color = 1; }) > 1.5);
    CHECK(least_of_themes([](SmallPicture& s) { s.curve_end = 128.0F; }) > 1.5);
    CHECK(least_of_themes([](SmallPicture& s) { s.curve = false; }) > 2.0);
}

TEST_CASE("a heatmap with one other cell, or with its cells out of place, is found") {
    CHECK(least_of_themes([](SmallPicture& s) { s.cell = 0.6; }) > 1.5);
    CHECK(least_of_themes([](SmallPicture& s) { s.garbled = true; }) > 10.0);
}

TEST_CASE("a missing panel, a blank window, garbled text, the other theme and another size are found") {
    CHECK(least_of_themes([](SmallPicture& s) { s.panel = false; }) > 2.0);
    CHECK(least_of_themes([](SmallPicture& s) { s.change_font = [](ImFontAtlas& atlas) { garble(atlas); }; }) > 1.0);
    const PixelImage before = drawn({});
    PixelImage blank = before;
    std::fill(blank.pixels.begin(), blank.pixels.end(), blank.pixels.front());
    CHECK(difference_of(before, blank).worst > 10.0);
    CHECK(difference_of(before, drawn(in(Theme::light))).worst > 10.0);
    const PixelImage smaller = halved(before);
    CHECK(difference_of(before, smaller).reason.find("320 x 180 pixels instead of 640 x 360") == 0);
}

TEST_CASE("the picture of a difference has red where something changed and nowhere else") {
    SmallPicture after;
    after.cell = 0.9;
    const PixelImage now = drawn(after);
    const PixelImage picture = marked(now, difference_of(drawn({}), now));
    const auto red = [&](int x, int y) {
        return picture.pixels[static_cast<size_t>(y) * static_cast<size_t>(picture.width) + static_cast<size_t>(x)] ==
               0xFF0000E0U;
    };
    CHECK(red((340 + 7 * 14 + 7) / 2, (110 + 5 * 14 + 7) / 2));
    CHECK_FALSE(red((340 + 3 * 14 + 7) / 2, (110 + 5 * 14 + 7) / 2));
    CHECK_FALSE(red(20, 40));
}
