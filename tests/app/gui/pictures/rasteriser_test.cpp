#include "tests/app/gui/pictures/rasteriser.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>

#include "core/base/error.h"
#include "tests/app/gui/null_gui.h"
#include "tests/app/gui/pictures/picture.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

constexpr ImU32 kGround = IM_COL32(10, 20, 30, 255);
constexpr ImU32 kRed = IM_COL32(255, 0, 0, 255);

// What `draw` puts on a ground of 32 x 16 pixels.
PixelImage painted(const std::function<void(ImDrawList&, TextureStore&)>& draw) {
    PixelTextureStore textures;
    NullGui gui({32, 16}, Theme::dark, &textures);
    gui.frame([&] { draw(*ImGui::GetBackgroundDrawList(), textures); });
    return rasterise(*ImGui::GetDrawData(), kGround);
}

ImU32 pixel(const PixelImage& image, int x, int y) {
    return image.pixels[static_cast<size_t>(y) * static_cast<size_t>(image.width) + static_cast<size_t>(x)];
}

int count(const PixelImage& image, ImU32 color) {
    return static_cast<int>(std::count(image.pixels.begin(), image.pixels.end(), color));
}

}  // namespace

TEST_CASE("a rectangle covers the pixels whose centres it holds, and nothing else") {
    const PixelImage whole = painted([](ImDrawList& list, TextureStore&) { list.AddRectFilled({4, 2}, {9, 6}, kRed); });
    CHECK(count(whole, kRed) == 5 * 4);
    CHECK(pixel(whole, 4, 2) == kRed);
    CHECK(pixel(whole, 8, 5) == kRed);
    CHECK(pixel(whole, 9, 5) == kGround);
    CHECK(pixel(whole, 3, 2) == kGround);
    const PixelImage between = painted([](ImDrawList& list, TextureStore&) {
        list.AddRectFilled({4.4F, 2.6F}, {9.4F, 6.6F}, kRed);
    });
    CHECK(pixel(between, 4, 3) == kRed);
    CHECK(pixel(between, 4, 2) == kGround);
    CHECK(count(between, kRed) == 5 * 4);
}

TEST_CASE("a translucent colour is mixed with the ground") {
    const PixelImage image = painted([](ImDrawList& list, TextureStore&) {
        list.AddRectFilled({0, 0}, {4, 4}, IM_COL32(200, 0, 0, 51));
    });
    // A fifth of the colour and four fifths of the ground.
    CHECK(pixel(image, 1, 1) == IM_COL32(48, 16, 24, 255));
}

TEST_CASE("nothing is drawn outside the clip rectangle") {
    const PixelImage image = painted([](ImDrawList& list, TextureStore&) {
        list.PushClipRect({2, 3}, {5, 7});
        list.AddRectFilled({0, 0}, {32, 16}, kRed);
        list.AddTriangleFilled({0, 0}, {32, 0}, {0, 16}, kRed);
        list.PopClipRect();
    });
    CHECK(count(image, kRed) == 3 * 4);
    CHECK(pixel(image, 2, 3) == kRed);
    CHECK(pixel(image, 4, 6) == kRed);
}

TEST_CASE("triangles that share an edge leave no gap and cover no pixel twice") {
    const PixelImage image = painted([](ImDrawList& list, TextureStore&) {
        list.Flags &= ~ImDrawListFlags_AntiAliasedFill;
        const ImU32 half = IM_COL32(255, 255, 255, 128);
        const ImVec2 middle = {13.3F, 7.1F};
        const ImVec2 corners[] = {{2, 1}, {27, 3}, {30, 14}, {5, 15}};
        for (int i = 0; i < 4; ++i) list.AddTriangleFilled(corners[i], corners[(i + 1) % 4], middle, half);
    });
    const ImU32 once = pixel(image, 10, 5);
    CHECK(once != kGround);
    for (const ImU32 color : image.pixels) CHECK((color == once || color == kGround));
    CHECK(pixel(image, 13, 7) == once);
}

TEST_CASE("colours between the corners of a triangle are interpolated") {
    const PixelImage image = painted([](ImDrawList& list, TextureStore&) {
        const ImU32 black = IM_COL32_BLACK;
        const ImU32 white = IM_COL32_WHITE;
        list.AddRectFilledMultiColor({0, 0}, {32, 16}, black, white, white, black);
    });
    for (const int x : {0, 8, 16, 31}) {
        const int expected = static_cast<int>(255 * (x + 0.5) / 32 + 0.5);
        CHECK(std::abs(static_cast<int>(pixel(image, x, 9) & 0xFFU) - expected) <= 1);
    }
}

TEST_CASE("a heatmap's cells are squares of their colours") {
    const ImU32 a = IM_COL32(255, 0, 0, 255), b = IM_COL32(0, 255, 0, 255);
    const ImU32 c = IM_COL32(0, 0, 255, 255), d = IM_COL32(255, 255, 0, 255);
    const PixelImage image = painted([&](ImDrawList& list, TextureStore& textures) {
        list.AddImage(textures.upload(nullptr, 2, 2, {a, b, c, d}), {4, 2}, {14, 12});
    });
    for (const ImU32 color : {a, b, c, d}) CHECK(count(image, color) == 25);
    CHECK(pixel(image, 4, 2) == a);
    CHECK(pixel(image, 13, 2) == b);
    CHECK(pixel(image, 8, 11) == c);
    CHECK(pixel(image, 9, 7) == d);
}

TEST_CASE("glyphs are the atlas's, pixel by pixel") {
    PixelTextureStore textures;
    NullGui gui({1600, 1000}, Theme::dark, &textures);
    const ImFont& font = *gui.ui().fonts.body;
    gui.frame([&] { ImGui::GetBackgroundDrawList()->AddText(&font, font.FontSize, {10, 20}, IM_COL32_WHITE, "R"); });
    const PixelImage image = rasterise(*ImGui::GetDrawData(), IM_COL32_BLACK);
    const ImFontGlyph& glyph = *font.FindGlyph('R');
    const ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    const int left = static_cast<int>(glyph.U0 * static_cast<float>(atlas.TexWidth) + 0.5F);
    const int top = static_cast<int>(glyph.V0 * static_cast<float>(atlas.TexHeight) + 0.5F);
    const int width = static_cast<int>(glyph.X1 - glyph.X0);
    const int height = static_cast<int>(glyph.Y1 - glyph.Y0);
    REQUIRE(width > 5);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const unsigned alpha = atlas.TexPixelsAlpha8[(top + y) * atlas.TexWidth + left + x];
            const ImU32 drawn_there =
                pixel(image, 10 + static_cast<int>(glyph.X0) + x, 20 + static_cast<int>(glyph.Y0) + y);
            CHECK((drawn_there & 0xFFU) == alpha);
        }
}

TEST_CASE("a picture survives being stored, and areas keep their exact colours") {
    PixelImage image{64, 32, {}};
    for (int i = 0; i < 64 * 32; ++i)
        image.pixels.push_back(i < 1024 ? IM_COL32(18, 20, 25, 255)
                                        : IM_COL32(i % 251, i / 8 % 256, (7 * i) % 256, 255));
    const PixelImage read = picture_in(palette_png(image), "memory");
    REQUIRE(read.width == 64);
    REQUIRE(read.height == 32);
    CHECK(read.pixels[5] == image.pixels[5]);
    CHECK(palette_png(image) == palette_png(image));
    CHECK(picture_in(true_color_png(image), "memory").pixels == image.pixels);
    CHECK_THROWS_AS(picture_in("no picture", "memory"), InputError);
    PixelImage half = halved(image);
    CHECK(half.width == 32);
    CHECK(half.height == 16);
    CHECK(half.pixels[3] == IM_COL32(18, 20, 25, 255));
}
