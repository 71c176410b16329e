#include "app/gui/widgets/heatmap.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/pictures/describe.h"
#include "tests/app/gui/null_gui.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

HeatmapSpec nine_by_nine() {
    HeatmapSpec spec;
    spec.id = "P0";
    spec.title = "P0";
    spec.values = Table(9, 9);
    for (int i = 0; i < 81; ++i) spec.values.values[static_cast<size_t>(i)] = i / 80.0;
    spec.row_blocks = spec.column_blocks = {{"phi", 4}, {"gamma phi'", 4}, {"R", 1}};
    spec.norm = 2.0;
    spec.norm_reference = 0.1;
    spec.note = "aligned, averaged, scaled";
    return spec;
}

}  // namespace

TEST_CASE("an empty matrix and a very large one are drawn as well") {
    NullGui gui({800, 600});
    HeatmapSpec empty;
    HeatmapSpec large;
    large.values = Table(300, 200, 0.5);
    HeatmapState empty_state;
    HeatmapState large_state;
    gui.frame_in_window([&] {
        draw_heatmap(gui.ui(), empty, empty_state, {300, 300}, {});
        draw_heatmap(gui.ui(), large, large_state, {200, 200}, {});
    });
    CHECK(gui.textures().uploads() == 1);
}

namespace {

// A heatmap that can be zoomed, driven by the mouse.
struct Zoomable {
    explicit Zoomable(HeatmapSpec drawn) : spec(std::move(drawn)) { frame(); }

    void frame() {
        gui.frame_in_window([this] {
            HeatmapContext context;
            context.zoom = &zoom;
            response = draw_heatmap(gui.ui(), spec, state, {500, 480}, context);
            if (response.clicked) clicked = response.clicked;
            fitted = fitted || response.fitted;
        });
    }
    ImVec2 at(double row, double column) const {
        const auto place = [](float low, float high, double share) {
            return low + (high - low) * static_cast<float>(share);
        };
        return {place(response.cells.min.x, response.cells.max.x, column / spec.values.columns),
                place(response.cells.min.y, response.cells.max.y, row / spec.values.rows)};
    }
    void wheel(float notches) {
        gui.zoom(notches, [this] { frame(); });
        frame();
    }
    void drag(ImVec2 from, ImVec2 to) {
        gui.move(from);
        frame();
        gui.button(true);
        frame();
        for (const float share : {0.5F, 1.0F}) {
            gui.move({from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share});
            frame();
        }
        gui.button(false);
        frame();
    }
    void click(ImVec2 where) {
        gui.click(where, [this] { frame(); });
    }

    NullGui gui{{800, 600}};
    HeatmapSpec spec;
    HeatmapState state;
    MatrixZoom zoom;
    HeatmapResponse response;
    std::optional<CellPosition> clicked;
    bool fitted = false;
};

HeatmapSpec large() {
    HeatmapSpec spec = nine_by_nine();
    spec.values = Table(110, 110);
    for (int i = 0; i < 110; ++i)
        for (int j = 0; j < 110; ++j) spec.values(i, j) = i * 1000 + j;
    spec.row_blocks = spec.column_blocks = {{"phi", 54}, {"gamma phi'", 55}, {"R", 1}};
    return spec;
}

}  // namespace

TEST_CASE("the readout names value, row, column and block of the cell under the pointer") {
    Zoomable map(nine_by_nine());
    CHECK_FALSE(map.response.hovered.has_value());
    const auto& cells = map.response.cells;
    CHECK(cells.max.x - cells.min.x == doctest::Approx(cells.max.y - cells.min.y));  // square
    for (const auto& [row, column] : {std::pair(0, 0), std::pair(8, 8), std::pair(3, 4), std::pair(7, 2)}) {
        map.gui.move(map.at(row + 0.5, column + 0.5));
        map.frame();
        CHECK(map.response.hovered == CellPosition{row, column});
    }
    const CellReading reading = read_cell(map.spec, {7, 2}, nullptr, "");
    CHECK(reading.row == "row 8: gamma phi', 4 of 4");
    CHECK(reading.column == "column 3: phi, 3 of 4");
    map.gui.move({cells.min.x - 2, cells.min.y + 2});
    map.frame();
    CHECK_FALSE(map.response.hovered.has_value());
}

TEST_CASE("110 x 110: the wheel zooms at the pointer, every cell can then be read, a drag moves") {
    Zoomable map(large());
    map.gui.move(map.at(80.5, 20.5));
    map.frame();
    REQUIRE(map.response.hovered == CellPosition{80, 20});
    map.wheel(8.0F);
    CHECK(map.zoom.factor == doctest::Approx(std::pow(1.25, 8)));
    CHECK(map.response.hovered == CellPosition{80, 20});  // still under the pointer
    const ImVec2 here = ImGui::GetIO().MousePos;
    map.drag(here, {here.x + 60, here.y - 40});
    CHECK(map.response.hovered == CellPosition{80, 20});  // has moved with the pointer
    CHECK_FALSE(map.clicked);
    map.wheel(100.0F);
    CHECK(map.zoom.factor == largest_zoom(110, 110));
    map.wheel(-200.0F);
    CHECK_FALSE(map.zoom.zoomed());
    map.wheel(4.0F);
    REQUIRE(map.zoom.zoomed());
    for (int i = 0; i < 2; ++i) map.click(here);  // a double click fits
    CHECK(map.fitted);
    CHECK_FALSE(map.zoom.zoomed());
}

TEST_CASE("the texture is uploaded when matrix, limit or colour map change, not with every frame or zoom") {
    Zoomable map(large());
    const auto uploads = [&] {
        for (int i = 0; i < 3; ++i) map.frame();
        return map.gui.textures().uploads();
    };
    CHECK(uploads() == 1);
    map.gui.move(map.at(50.5, 50.5));
    map.frame();
    map.wheel(4.0F);
    REQUIRE(map.zoom.zoomed());
    CHECK(uploads() == 1);
    map.spec.limit = 0.5;
    CHECK(uploads() == 2);
    map.spec.magnitudes = true;
    CHECK(uploads() == 3);
    map.state.invalidate();
    CHECK(uploads() == 4);
}

TEST_CASE("cells that may be stretched fill the room, and marks are named in legend and readout") {
    NullGui gui({800, 600});
    HeatmapSpec spec = nine_by_nine();
    spec.values = Table(3, 200, 0.5);
    spec.row_blocks = {{"arms", 3}};
    spec.column_blocks = {{"t", 200}};
    spec.free_aspect = true;
    spec.marks = {{"LinUCB", 0, {{2, 10}}}, {"TS", 1, {{2, 10}, {0, 11}}}};
    HeatmapState state;
    HeatmapResponse response;
    const auto draw = [&] {
        gui.frame_in_window([&] { response = draw_heatmap(gui.ui(), spec, state, {600, 300}, {}); });
    };
    draw();
    const float width = (response.cells.max.x - response.cells.min.x) / 200;
    const float height = (response.cells.max.y - response.cells.min.y) / 3;
    CHECK(height > 10 * width);
    CHECK(200 * width > 350);
    gui.move({response.cells.min.x + 10.5F * width, response.cells.min.y + 2.5F * height});
    draw();
    REQUIRE(response.hovered == CellPosition{2, 10});
    const CellReading reading = read_cell(spec, {2, 10}, nullptr, "");
    CHECK(reading.remarks == std::vector<std::string>{"chosen by LinUCB", "chosen by TS"});
}
