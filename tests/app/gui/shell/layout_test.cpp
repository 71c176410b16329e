#include "app/gui/shell/layout.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/app/gui/bench_of_panels.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

bool overlap(const Box& a, const Box& b) {
    return a.min.x < b.max().x && b.min.x < a.max().x && a.min.y < b.max().y && b.min.y < a.max().y;
}

void check_layout(const Layout& layout, ImVec2 window, float scale = 1.0F) {
    const std::vector<Box> boxes = layout.all();
    for (size_t i = 0; i < boxes.size(); ++i) {
        CHECK(boxes[i].size.x > 100.0F * scale);
        CHECK(boxes[i].size.y > 30.0F * scale);
        CHECK(boxes[i].min.x >= 0.0F);
        CHECK(boxes[i].min.y >= 0.0F);
        CHECK(boxes[i].max().x <= window.x);
        CHECK(boxes[i].max().y <= window.y);
        for (size_t j = i + 1; j < boxes.size(); ++j) CHECK_FALSE(overlap(boxes[i], boxes[j]));
    }
}

const std::vector<ImVec2> kWindows = {{1024, 700},  {1280, 720},  {1366, 768},  {1600, 1000}, {1920, 1080},
                                      {2560, 1440}, {3840, 2160}, {3440, 1440}, {1080, 1920}};

LayoutRequest request_for(ImVec2 window, bool presenting = false, float ui_scale = 1.0F) {
    Look look;
    look.ui_scale = ui_scale;
    look.presenting = presenting;
    LayoutRequest request;
    request.window = window;
    request.scale = scale_for(look, window, 1.0F);
    request.presenting = presenting;
    request.wings = 4;
    if (presenting) {
        request.controls_height = 48 * request.scale;
        return request;
    }
    request.transport_height = 52.0F * request.scale;
    request.timeline_height = 50 * request.scale;
    request.headline_more = [scale = request.scale](float) { return 30.0F * scale; };
    return request;
}

float area(const Box& box) { return box.size.x * box.size.y; }

// Of stage, wings and headline together, gaps included.
float area_of_pictures(const Layout& layout, const LayoutRequest& request) {
    const float left = layout.settings.shown() ? layout.settings.max().x : 0.0F;
    const float top = layout.transport.shown() ? layout.transport.max().y : 0.0F;
    float bottom = request.window.y;
    for (const Box& box : {layout.timeline, layout.controls})
        if (box.shown()) bottom = std::min(bottom, box.min.y);
    return (request.window.x - left) * (bottom - top);
}

}  // namespace

TEST_CASE("the stage has at least half of the room that is not controls, in windows of all sizes") {
    for (const ImVec2 window : kWindows)
        for (const bool presenting : {false, true})
            for (const int wings : {0, 1, 3, 5, 12}) {
                INFO(window.x, ", ", presenting, ", ", wings);
                LayoutRequest request = request_for(window, presenting);
                request.wings = wings;
                const Layout layout = make_layout(request);
                check_layout(layout, window);
                CHECK(area(layout.stage) >= 0.5F * area_of_pictures(layout, request));
                CHECK(layout.wings.size() <= static_cast<size_t>(wings));
                CHECK((layout.wings.empty() == (presenting || wings == 0)));
                CHECK(layout.strip.shown() == !presenting);
                CHECK(layout.controls.shown() == presenting);
                CHECK(layout.settings.shown() == !presenting);
                CHECK(layout.timeline.shown() == !presenting);
            }
}

TEST_CASE("panels never lie on each other, however large the type is asked for") {
    for (const ImVec2 window : kWindows)
        for (const bool presenting : {false, true})
            for (const float wanted : {0.6F, 1.0F, 1.3F, 3.0F}) {
                INFO(window.x, ", ", presenting, ", ", wanted);
                const LayoutRequest request = request_for(window, presenting, wanted);
                CHECK(request.scale <= std::max(kSmallestUiScale, largest_scale(presenting, window)));
                check_layout(make_layout(request), window, std::min(1.0F, request.scale));
            }
}

TEST_CASE("settings that are closed leave their room to the pictures, and nothing else moves") {
    for (const ImVec2 window : kWindows) {
        LayoutRequest request = request_for(window);
        const Layout open = make_layout(request);
        request.settings = false;
        const Layout closed = make_layout(request);
        check_layout(closed, window);
        CHECK_FALSE(closed.settings.shown());
        CHECK(area(closed.stage) > area(open.stage));
        CHECK(closed.transport.size.y == open.transport.size.y);
        CHECK(closed.timeline.min.y == open.timeline.min.y);
        CHECK(closed.status.min.y == closed.timeline.max().y);
    }
}

TEST_CASE("the first screen has few controls; its settings open when they are asked for") {
    BenchOfPanels bench;
    const auto controls = [&] {
        return std::count_if(bench.gui.log().places().begin(), bench.gui.log().places().end(), [&](const auto& one) {
            return one.second.id != 0 && one.second.visible && bench.drawn(one.first) && !one.first.starts_with("dot ");
        });
    };
    const auto open = controls();
    bench.act(Action::toggle_settings);
    CHECK(controls() < open);
    CHECK(controls() <= 40);
    CHECK_FALSE(bench.drawn("size"));
    bench.key(GLFW_KEY_TAB);  // the keys go to a setting, which is seen
    CHECK(bench.drawn("size"));
    bench.click("settings open");
    CHECK_FALSE(bench.workbench.preferences().settings_open);
    bench.workbench.answer(ask::ShowSetting{"probe"}, *bench.session);
    CHECK(bench.workbench.preferences().settings_open);
}

TEST_CASE("wings that do not fit are left out, and all are there, below the column, while they are unfolded") {
    LayoutRequest request = request_for({1280, 720});
    request.wings = 20;
    const Layout folded = make_layout(request);
    CHECK(folded.wings.size() >= 3);
    CHECK(folded.wings.size() < 20);
    request.unfolded = 20;
    const Layout layout = make_layout(request);
    CHECK(layout.wings.size() == 20);
    CHECK(layout.wings.front().size.y == folded.wings.front().size.y);
    CHECK(layout.wings.back().min.y > layout.column.max().y);
    check_layout(layout, request.window);
    // Two pictures keep their height when seven others are unfolded.
    request.wings = 2;
    request.unfolded = 0;
    const float height = make_layout(request).wings.front().size.y;
    request.unfolded = 9;
    const Layout more = make_layout(request);
    CHECK(more.wings.size() == 9);
    for (const Box& wing : more.wings) CHECK(wing.size.y == height);
}

TEST_CASE("the controls that a preset names stand below the stage, presented or not") {
    for (const ImVec2 window : kWindows)
        for (const bool presenting : {false, true}) {
            LayoutRequest request = request_for(window, presenting);
            request.controls_height = 48.0F * request.scale;
            const Layout layout = make_layout(request);
            check_layout(layout, window);
            CHECK(layout.controls.min.y > layout.stage.max().y);
            CHECK(layout.controls.size.x == layout.stage.size.x);
        }
}

TEST_CASE("lamps and read-outs make the headline higher, by what they need at its width") {
    LayoutRequest request = request_for({1600, 1000});
    request.headline_more = {};
    const Layout plain = make_layout(request);
    float asked = 0.0F;
    request.headline_more = [&asked](float width) {
        asked = width;
        return 40.0F;
    };
    const Layout layout = make_layout(request);
    CHECK(asked == plain.headline.size.x);
    CHECK(layout.headline.size.y == plain.headline.size.y + 40.0F);
    check_layout(layout, request.window);
}

TEST_CASE("dragged borders are kept within what leaves every panel its least size") {
    for (const ImVec2 window : kWindows)
        for (const Splits& splits : {Splits{1, 1}, Splits{9999, 9999}, Splits{9999, 1}, Splits{1, 9999}}) {
            LayoutRequest request = request_for(window);
            request.splits = splits;
            const Layout layout = make_layout(request);
            check_layout(layout, window);
            CHECK(layout.stage.size.x >= 399 * request.scale);
            CHECK(layout.stage.size.y >= 180 * request.scale);
            CHECK(layout.settings.size.x >= 225 * request.scale);
        }
}

TEST_CASE("pictures that share a stage have cells of one size that do not overlap") {
    const Box stage{{10, 20}, {900, 700}};
    for (int count = 0; count < 8; ++count) {
        const std::vector<Box> cells = share_stage(stage, count, 12);
        REQUIRE(cells.size() == static_cast<size_t>(count));
        for (size_t i = 0; i < cells.size(); ++i) {
            CHECK(cells[i].min.x >= stage.min.x);
            CHECK(cells[i].max().x <= stage.max().x);
            CHECK(cells[i].max().y <= stage.max().y);
            for (size_t j = i + 1; j < cells.size(); ++j) CHECK_FALSE(overlap(cells[i], cells[j]));
        }
    }
    // Below each other rather than narrow.
    CHECK(share_stage(stage, 2, 12)[1].min.y > 300);
    CHECK(share_stage({{0, 0}, {1600, 500}}, 2, 12)[1].min.x > 700);
}

TEST_CASE("the scale follows the window, not below what is legible, and the display as far as it fits") {
    CHECK(fitting_scale({1600, 1000}, 1.0F) == doctest::Approx(1.0F));
    CHECK(fitting_scale({1280, 720}, 1.0F) == doctest::Approx(0.9F));
    CHECK(fitting_scale({3840, 2160}, 1.0F) == doctest::Approx(2.15F));
    CHECK(fitting_scale({2560, 1600}, 2.0F) == doctest::Approx(2.0F));
    CHECK(fitting_scale({1280, 720}, 2.0F) == doctest::Approx(0.9F));
}

TEST_CASE("a border is dragged, keeps to its limits, and a double click puts it back") {
    BenchOfPanels bench;
    const auto width = [&] { return bench.workbench.layout().settings.size.x; };
    const float before = width();
    const auto drag = [&](const char* splitter, ImVec2 by) {
        const ImVec2 at = bench.centre(splitter);
        bench.press_along({at, {at.x + by.x, at.y + by.y}});
        bench.release();
    };
    drag("splitter 0", {40, 0});
    CHECK(width() == doctest::Approx(before + 40));
    const float wings = bench.workbench.layout().column.size.x;
    drag("splitter 1", {-60, 0});
    CHECK(bench.workbench.layout().column.size.x == doctest::Approx(wings + 60));
    drag("splitter 0", {5000, 0});
    CHECK(bench.workbench.layout().stage.size.x >= 399);
    check_layout(bench.workbench.layout(), {1600, 1000});
    // Twice at the same place, quickly.
    const ImVec2 at = bench.centre("splitter 0");
    bench.click_at(at);
    bench.click_at(at);
    CHECK(width() == doctest::Approx(before));
}
