#include "app/gui/shell/layout.h"

#include <doctest/doctest.h>

#include <cmath>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "tests/app/gui/bench_of_panels.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

bool overlap(const Box& a, const Box& b) {
    return a.min.x < b.max().x && b.min.x < a.max().x && a.min.y < b.max().y && b.min.y < a.max().y;
}

void check_layout(const Layout& layout, ImVec2 window) {
    const std::vector<Box> boxes = layout.all();
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

const std::vector<ImVec2> kWindows = {{1024, 700},  {1280, 720},  {1366, 768},  {1600, 1000}, {1920, 1080},
                                      {2560, 1440}, {3840, 2160}, {3440, 1440}, {1080, 1920}};

LayoutRequest request_for(ImVec2 window) {
    LayoutRequest request;
    request.window = window;
    request.scale = fitting_scale(window, 1.0F);
    request.transport_height = 200 * request.scale;
    return request;
}

}  // namespace

TEST_CASE("panels fill windows of all sizes without overlapping, with and without timeline") {
    for (const ImVec2 window : kWindows)
        for (const float timeline : {0.0F, 70.0F}) {
            LayoutRequest request = request_for(window);
            request.scene = timeline > 0.0F;
            request.timeline_height = timeline * request.scale;
            const Layout layout = make_layout(request);
            check_layout(layout, window);
            CHECK(layout.timeline.shown() == (timeline > 0.0F));
            CHECK(layout.scene.shown() == request.scene);
            CHECK(layout.banner.size.x > 300.0F);
            CHECK(layout.banner.min.x + layout.banner.size.x <= window.x);
        }
}

TEST_CASE("bad news has room of its own, above the panels, however the window is laid out") {
    for (const ImVec2 window : kWindows)
        for (const int how : {0, 1, 2}) {
            LayoutRequest request = request_for(window);
            if (how == 1) request.enlarged = PanelName::curves;
            request.presenting = how == 2;
            request.banner_height = [&](float) { return 60.0F * request.scale; };
            const Layout layout = make_layout(request);
            check_layout(layout, window);
            CHECK(layout.banner.size.y == std::round(60.0F * request.scale));
            const Box& below = how == 1 ? layout.frames.front().whole : layout.emerged;
            CHECK(below.min.y > layout.banner.max().y);
        }
}

TEST_CASE("lamps and read-outs make their strip higher, by what they need at its width") {
    for (const bool matrices : {true, false}) {
        LayoutRequest request = request_for({1600, 1000});
        request.matrices = matrices;
        const Layout plain = make_layout(request);
        float asked = 0.0F;
        request.strip_more = [&asked](float width) {
            asked = width;
            return 40.0F;
        };
        const Layout layout = make_layout(request);
        CHECK(asked == plain.emerged.size.x);
        CHECK(layout.emerged.size.y == plain.emerged.size.y + 40.0F);
        check_layout(layout, request.window);
    }
}

TEST_CASE("dragged borders are kept within what leaves every panel its least size") {
    for (const ImVec2 window : kWindows)
        for (const Splits& splits : {Splits{1, 1, 1, 1}, Splits{9999, 9999, 9999, 9999},
                                     Splits{9999, 1, 1, 9999}, Splits{1, 9999, 9999, 1}}) {
            LayoutRequest request = request_for(window);
            request.timeline_height = 70 * request.scale;
            request.splits = splits;
            request.scene = splits.left > 1;
            const Layout layout = make_layout(request);
            check_layout(layout, window);
            CHECK(layout.matrices.size.x >= 379 * request.scale);
            CHECK(layout.matrices.size.y >= 180 * request.scale);
            CHECK(layout.curves.size.x >= 299 * request.scale);
            CHECK(layout.transport.size.x >= 225 * request.scale);
        }
}

TEST_CASE("where there are no matrices the curves have their room") {
    for (const ImVec2 window : kWindows)
        for (const bool presenting : {false, true}) {
            LayoutRequest request = request_for(window);
            request.matrices = false;
            request.presenting = presenting;
            request.enlarged = PanelName::matrices;  // remembered from another experiment
            const Layout layout = make_layout(request);
            check_layout(layout, window);
            CHECK_FALSE(layout.matrices.shown());
            CHECK(layout.emerged.shown());
            CHECK(layout.curves.size.x > 0.5F * window.x);
        }
}

TEST_CASE(
    "an enlarged panel fills the window but for status and timeline; a presentation shows no controls") {
    for (const ImVec2 window : kWindows) {
        LayoutRequest request = request_for(window);
        request.timeline_height = 70 * request.scale;
        request.enlarged = PanelName::curves;
        Layout layout = make_layout(request);
        check_layout(layout, window);
        CHECK(layout.all().size() == 3);
        CHECK(layout.curves.size.x > 0.97F * window.x);
        CHECK_FALSE(layout.matrices.shown());
        CHECK_FALSE(layout.settings.shown());
        CHECK(layout.splitters.empty());

        request.enlarged.reset();
        request.presenting = true;
        layout = make_layout(request);
        check_layout(layout, window);
        CHECK(layout.all().size() == 3);
        CHECK(layout.matrices.shown());
        CHECK(layout.curves.shown());
        CHECK(layout.emerged.shown());
        CHECK(layout.frames.empty());

        request.scene = true;
        layout = make_layout(request);
        check_layout(layout, window);
        CHECK(layout.scene.shown());
        CHECK(layout.matrices.size.y > layout.scene.size.y);
    }
}

TEST_CASE("a scene that asks for more height gets it, and leaves the curves their part") {
    LayoutRequest request;
    request.window = {1600, 1000};
    request.scene = true;
    const float usual = make_layout(request).scene.size.y;
    request.scene_height = 500.0F;
    const Layout higher = make_layout(request);
    CHECK(higher.scene.size.y > usual + 80.0F);
    CHECK(higher.curves.size.y > 250.0F);
    request.scene_height = 5000.0F;
    CHECK(make_layout(request).curves.size.y > 250.0F);
    request.window = {1280, 720};
    CHECK(make_layout(request).curves.size.y > 150.0F);
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

TEST_CASE("a border is dragged, keeps to its limits, and a double click puts it back") {
    BenchOfPanels bench;
    const auto width = [&] { return bench.workbench.layout().settings.size.x; };
    const float before = width();
    const auto drag = [&](const char* splitter, ImVec2 by) {
        ImVec2 at = bench.gui.log().centre(splitter);
        bench.gui.move(at);
        bench.frames(2);
        bench.gui.button(true);
        bench.frames(2);
        bench.gui.move({at.x + by.x, at.y + by.y});
        bench.frames(2);
        bench.gui.button(false);
        bench.frames(2);
    };
    drag("splitter 0", {40, 0});
    CHECK(width() == doctest::Approx(before + 40));
    const float curves = bench.workbench.layout().curves.size.x;
    drag("splitter 1", {-60, 0});
    CHECK(bench.workbench.layout().curves.size.x == doctest::Approx(curves + 60));
    const float strip = bench.workbench.layout().emerged.size.y;
    drag("splitter 2", {0, 30});
    CHECK(bench.workbench.layout().emerged.size.y == doctest::Approx(strip + 30));
    drag("splitter 0", {5000, 0});
    CHECK(bench.workbench.layout().matrices.size.x >= 379);
    check_layout(bench.workbench.layout(), {1600, 1000});
    // Twice at the same place, quickly.
    const ImVec2 at = bench.gui.log().centre("splitter 0");
    bench.gui.click(at, [&] { bench.frames(); });
    bench.gui.click(at, [&] { bench.frames(); });
    CHECK(width() == doctest::Approx(before));
}

TEST_CASE("panels are enlarged by button, double click and key, and Esc goes back") {
    BenchOfPanels bench;
    bench.click("enlarge Curves");
    CHECK(bench.workbench.enlarged() == PanelName::curves);
    CHECK(bench.workbench.layout().curves.size.x > 1500);
    bench.click("enlarge Curves");
    CHECK_FALSE(bench.workbench.enlarged());
    bench.frames(60);
    bench.click("heading Matrices");
    bench.click("heading Matrices");
    CHECK(bench.workbench.enlarged() == PanelName::matrices);
    bench.key(GLFW_KEY_Z);
    CHECK(bench.workbench.enlarged() == PanelName::curves);
    bench.key(GLFW_KEY_ESCAPE);
    CHECK_FALSE(bench.workbench.enlarged());
    bench.key(GLFW_KEY_P);
    CHECK(bench.workbench.look().presenting);
    CHECK_FALSE(bench.gui.log().drawn("run"));
    bench.key(GLFW_KEY_F1);
    bench.key(GLFW_KEY_ESCAPE);
    CHECK(bench.workbench.look().presenting);
    bench.key(GLFW_KEY_ESCAPE);
    CHECK_FALSE(bench.workbench.look().presenting);
}
