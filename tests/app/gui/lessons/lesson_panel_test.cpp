#include "app/gui/lessons/lesson_panel.h"

#include <doctest/doctest.h>

#include "tests/app/gui/lessons/bench_of_lessons.h"
#include "tests/app/gui/null_gui.h"

using namespace emergence;
using namespace emergence::testing;

TEST_CASE("pictures and settings are found by their names") {
    NullGui gui;
    WidgetLog log;
    gui.frame_in_window([&] {
        log.record("plot loss", {100, 100}, {110, 110});
        log.record("plot losses", {100, 120}, {110, 130});
        log.record("heatmap P0", {120, 100}, {130, 110});
        log.record("heatmap P0 theory", {140, 100}, {150, 110});
        log.record("gamma", {160, 100}, {170, 110});
        CHECK(spotlight_boxes(log, {"loss"}).size() == 1);
        CHECK(spotlight_boxes(log, {"P0"}).size() == 2);
        CHECK(spotlight_boxes(log, {"gamma", "loss"}).size() == 2);
        CHECK(spotlight_boxes(log, {"beta"}).empty());
    });
    gui.frame_in_window([&] { CHECK(spotlight_boxes(log, {"loss"}).empty()); });  // not drawn in this frame
}

TEST_CASE("nothing is dimmed without a place to point at") {
    NullGui gui;
    const auto vertices = [&](const std::vector<Box>& boxes) {
        return gui.frame_in_window([&] { draw_spotlight(gui.ui(), {{0, 0}, {1600, 1000}}, boxes, 5); });
    };
    const int empty = vertices({});
    CHECK(gui.frame_in_window([] {}) == empty);
    // Above, below, left and right of a box.
    CHECK(vertices({{{100, 100}, {50, 50}}}) == empty + 4 * 4);
    // A box that fills the window leaves nothing to dim.
    CHECK(vertices({{{0, 0}, {1600, 1000}}}) == empty);
}

TEST_CASE("a page over a lesson is not dimmed, also while the panels have the keys") {
    LessonBench bench;
    const auto dims = [] { return ImGui::GetForegroundDrawList()->VtxBuffer.Size > 0; };
    CHECK(dims());
    bench.key(GLFW_KEY_F1);
    CHECK_FALSE(dims());
    bench.gui.click({1590, 985}, [&] { bench.frames(); });
    bench.frames(2);
    CHECK_FALSE(dims());
    bench.key(GLFW_KEY_F1);
    bench.frames(2);
    CHECK(dims());
}
