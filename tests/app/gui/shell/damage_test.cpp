#include "app/gui/shell/window_painter.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tests/app/gui/null_gui.h"
#include "tests/app/gui/pictures/rasteriser.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

struct Thing {
    ImVec2 from, to;
    ImU32 color = 0;
    int shape = 0;
};

Thing random_thing(std::mt19937& random) {
    const auto up_to = [&](int most) { return static_cast<float>(std::uniform_int_distribution(0, most)(random)); };
    const ImVec2 from{up_to(330), up_to(250)};
    return {from,
            {from.x + up_to(60) / 3, from.y + up_to(60) / 3},
            static_cast<ImU32>(random()) | 0x60000000U,
            std::uniform_int_distribution(0, 3)(random)};
}

void draw(const std::vector<Thing>& things) {
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    list.AddRectFilled({0, 0}, {320, 240}, IM_COL32(30, 30, 30, 255));
    for (const Thing& thing : things) {
        if (thing.shape == 0) list.AddRectFilled(thing.from, thing.to, thing.color, 3.0F);
        if (thing.shape == 1) list.AddLine(thing.from, thing.to, thing.color, 2.5F);
        if (thing.shape == 2) list.AddText(thing.from, thing.color, "0.25");
        if (thing.shape == 3) {
            list.PushClipRect(thing.from, {thing.from.x + 17, thing.from.y + 9});
            list.AddCircleFilled(thing.to, 30.0F, thing.color);
            list.PopClipRect();
        }
    }
}

bool covers(const std::vector<PixelBox>& boxes, int x, int y) {
    return std::any_of(boxes.begin(), boxes.end(), [&](const PixelBox& box) {
        return x >= box.left && x < box.right && y >= box.top && y < box.bottom;
    });
}

size_t pixels_in(const std::vector<PixelBox>& boxes) {
    size_t sum = 0;
    for (const PixelBox& box : boxes) sum += static_cast<size_t>((box.right - box.left) * (box.bottom - box.top));
    return sum;
}

}  // namespace

TEST_CASE("the boxes of a new frame lie apart and hold every pixel that differs from the frame before") {
    PixelTextureStore textures;
    NullGui gui({320, 240}, Theme::dark, &textures);
    std::mt19937 random(7);
    std::vector<Thing> things(30);
    for (Thing& thing : things) thing = random_thing(random);
    Damage damage;
    PixelImage before;
    size_t most = 0;
    for (int frame = 0; frame < 60; ++frame) {
        for (int i = 0; i < frame % 3; ++i) things[random() % things.size()] = random_thing(random);
        gui.frame([&] { draw(things); });
        const PixelImage after = rasterise(*ImGui::GetDrawData(), 0xFF000000);
        const std::vector<PixelBox> boxes = damage.find(*ImGui::GetDrawData(), 320, 240);
        for (size_t i = 0; i < boxes.size(); ++i)
            for (size_t j = i + 1; j < boxes.size(); ++j) CHECK(boxes[i].cut_to(boxes[j]).empty());
        if (frame == 0) CHECK(pixels_in(boxes) == after.pixels.size());
        if (frame > 0) most = std::max(most, pixels_in(boxes));
        if (frame > 0 && frame % 3 == 0) CHECK(boxes.empty());
        size_t missed = 0;
        for (int y = 0; frame > 0 && y < 240; ++y)
            for (int x = 0; x < 320; ++x) {
                const auto at = static_cast<size_t>(y * 320 + x);
                if (after.pixels[at] != before.pixels[at] && !covers(boxes, x, y)) ++missed;
            }
        CHECK(missed == 0);
        before = after;
    }
    CHECK(most < before.pixels.size() / 2);
}

TEST_CASE("a texture whose pixels are new, a lost frame and another size are drawn again") {
    PixelTextureStore textures;
    NullGui gui({320, 240}, Theme::dark, &textures);
    const ImTextureID texture = textures.upload(nullptr, 2, 2, std::vector<ImU32>(4, 0xFFFFFFFF));
    Damage damage;
    const auto drawn_again = [&](int width) {
        gui.frame([&] { ImGui::GetBackgroundDrawList()->AddImage(texture, {100, 100}, {120, 130}); });
        return pixels_in(damage.find(*ImGui::GetDrawData(), width, 240));
    };
    CHECK(drawn_again(320) == 320 * 240);
    CHECK(drawn_again(320) == 0);
    damage.note_upload(texture);
    CHECK(drawn_again(320) >= 20 * 30);
    CHECK(drawn_again(320) == 0);
    damage.forget();
    CHECK(drawn_again(320) == 320 * 240);
    CHECK(drawn_again(300) == 300 * 240);
}
