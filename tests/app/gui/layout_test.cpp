#include "app/gui/layout.h"

#include <doctest/doctest.h>

#include "tests/app/gui/bench_of_panels.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

bool overlap(const Box& a, const Box& b) {
    return a.min.x < b.max().x && b.min.x < a.max().x && a.min.y < b.max().y && b.min.y < a.max().y;
}

void check_layout(const Layout& layout, ImVec2 window) {
    std::vector<Box> boxes = layout.all();
    std::erase_if(boxes, [](const Box& box) { return box.size.y == 0.0F; });
    for (size_t i = 0; i < boxes.size(); ++i) {
        CHECK(boxes[i].size.x > 100.0F);
        CHECK(boxes[i].size.y > 30.0F);
        CHECK(boxes[i].min.x >= 0.0F);
        CHECK(boxes[i].min.y >= 0.0F);
        CHECK(boxes[i].max().x <= window.x);
        CHECK(boxes[i].max().y <= window.y);
        for (size_t j = i + 1; j < boxes.size(); ++j) CHECK_FALSE(overlap(boxes[i], boxes[j]));
    }
}

}  // namespace

TEST_CASE("panels fill windows of all sizes without overlapping, with and without banners") {
    for (const ImVec2 window :
         {ImVec2(1280, 720), ImVec2(1366, 768), ImVec2(1600, 1000), ImVec2(1920, 1080), ImVec2(2560, 1440),
          ImVec2(3840, 2160), ImVec2(3440, 1440), ImVec2(1080, 1920)})
        for (const int banners : {0, 1, 3}) {
            const float scale = fitting_scale(window, 1.0F);
            check_layout(make_layout(window, scale, banners, 200 * scale), window);
        }
}

TEST_CASE("the scale follows the window, not below what is legible, and the display as far as it fits") {
    CHECK(fitting_scale({1600, 1000}, 1.0F) == doctest::Approx(1.0F));
    CHECK(fitting_scale({1280, 720}, 1.0F) == doctest::Approx(0.9F));
    CHECK(fitting_scale({3840, 2160}, 1.0F) == doctest::Approx(2.15F));
    CHECK(fitting_scale({2560, 1600}, 2.0F) == doctest::Approx(2.0F));
    CHECK(fitting_scale({1280, 720}, 2.0F) == doctest::Approx(0.9F));
}

TEST_CASE("what is drawn stays inside its panel at three sizes") {
    for (const ImVec2 window : {ImVec2(1280, 720), ImVec2(1600, 1000), ImVec2(3840, 2160)}) {
        BenchOfPanels bench({}, window, true);
        bench.frames(3);
        check_layout(bench.workbench.layout(), window);
        const auto inside = [&](const char* widget, const Box& panel) {
            CAPTURE(widget);
            const WidgetLog::Place& place = bench.gui.log().place(widget);
            CHECK(place.min.x >= panel.min.x);
            CHECK(place.min.y >= panel.min.y);
            CHECK(place.max.x <= panel.max().x);
            CHECK(place.max.y <= panel.max().y);
            CHECK(place.max.x - place.min.x > 20.0F);
        };
        const Layout& layout = bench.workbench.layout();
        for (const char* widget : {"run", "step", "reset", "new seed", "pace"})
            inside(widget, layout.transport);
        inside("rule", layout.emerged);
        inside("heatmap A learned", layout.matrices);
        inside("heatmap A theory", layout.matrices);
        inside("plot loss", layout.curves);
    }
}
