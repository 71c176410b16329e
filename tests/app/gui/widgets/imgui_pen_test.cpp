#include "app/gui/widgets/imgui_pen.h"

#include <doctest/doctest.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/pictures/pen.h"
#include "tests/app/gui/null_gui.h"

using namespace emergence;

TEST_CASE("a ring of many points is drawn all round: its line may go left") {
    const testing::NullGui gui;
    float left = 1e9F, right = -1e9F;
    {
        ImDrawList list(ImGui::GetDrawListSharedData());
        list._ResetForNewFrame();
        std::vector<Point> ring;
        for (int i = 0; i <= 96; ++i) {
            const double angle = 2 * std::numbers::pi * i / 96;
            ring.push_back({100 + 20 * std::cos(angle), 100 + 20 * std::sin(angle)});
        }
        draw_stroke(&list, ring, 0xFFFFFFFF, 2.0F);
        for (const ImDrawVert& vertex : list.VtxBuffer) {
            left = std::min(left, vertex.pos.x);
            right = std::max(right, vertex.pos.x);
        }
    }
    CHECK(left == doctest::Approx(79).epsilon(0.02));
    CHECK(right == doctest::Approx(121).epsilon(0.02));
}

TEST_CASE("a dashed line draws its pattern's share, on a bent line as on a straight one") {
    const testing::NullGui gui;
    for (const int dashes : {0, 1, 2, 3, 4, 5, kDashPatterns - 1}) {
        CAPTURE(dashes);
        double drawn = 0.0, period = 0.0;
        for (size_t i = 0; i < dash_pattern(dashes).size(); ++i) {
            period += dash_pattern(dashes)[i];
            if (i % 2 == 0) drawn += dash_pattern(dashes)[i];
        }
        CHECK(dash_pattern(dashes).size() % 2 == 0);
        for (const bool bent : {false, true}) {
            ImDrawList list(ImGui::GetDrawListSharedData());
            list._ResetForNewFrame();
            list.Flags &= ~ImDrawListFlags_AntiAliasedLines;
            std::vector<Point> points = {{0, 50}, {4000, 50}};
            if (bent) {
                points.clear();
                for (int i = 0; i <= 400; ++i) points.push_back({0.0, 10.0 * i});
            }
            draw_dashed(&list, points, 0xFFFFFFFF, 2.0F, 10.0F, dashes);
            double length = 0.0;  // a rectangle of four corners a dash
            for (int i = 0; i + 3 < list.VtxBuffer.Size; i += 4) {
                const ImVec2 a = list.VtxBuffer[i].pos, b = list.VtxBuffer[i + 1].pos;
                length += static_cast<double>(std::hypot(b.x - a.x, b.y - a.y));
            }
            CHECK(length == doctest::Approx(4000.0 * drawn / period).epsilon(0.02));
        }
    }
}
