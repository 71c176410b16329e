#include "app/gui/widgets/heatmap.h"

#include <doctest/doctest.h>

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

TEST_CASE("the readout names value, row, column and block of the cell under the pointer") {
    NullGui gui({800, 600});
    const HeatmapSpec spec = nine_by_nine();
    HeatmapState state;
    HeatmapResponse response;
    const auto draw = [&] {
        gui.frame_in_window([&] { response = draw_heatmap(gui.ui(), spec, state, {500, 480}, {}); });
    };
    draw();
    CHECK_FALSE(response.hovered.has_value());
    const float cell = (response.cells_max.x - response.cells_min.x) / 9;
    CHECK(cell == doctest::Approx((response.cells_max.y - response.cells_min.y) / 9));  // square
    const ImVec2 origin = response.cells_min;
    for (const auto& [row, column] : {std::pair(0, 0), std::pair(8, 8), std::pair(3, 4), std::pair(7, 2)}) {
        gui.move({origin.x + cell * (static_cast<float>(column) + 0.5F),
                  origin.y + cell * (static_cast<float>(row) + 0.5F)});
        draw();
        REQUIRE(response.hovered.has_value());
        CHECK(response.hovered->row == row);
        CHECK(response.hovered->column == column);
        CHECK(response.value == spec.values(row, column));
    }
    CHECK(response.row_text == "row 8: gamma phi', 4 of 4");
    CHECK(response.column_text == "column 3: phi, 3 of 4");
    gui.move({origin.x - 2, origin.y + 2});
    draw();
    CHECK_FALSE(response.hovered.has_value());
}

TEST_CASE("the texture is uploaded when the matrix or the theme changes, not with every frame") {
    NullGui gui({800, 600});
    const HeatmapSpec spec = nine_by_nine();
    HeatmapState state;
    const auto draw = [&] {
        gui.frame_in_window([&] { draw_heatmap(gui.ui(), spec, state, {500, 480}, {}); });
    };
    for (int i = 0; i < 5; ++i) draw();
    CHECK(gui.textures().uploads() == 1);
    state.invalidate();
    draw();
    CHECK(gui.textures().uploads() == 2);
}

TEST_CASE("blocks in words") {
    const std::vector<Block> blocks = {{"phi", 2}, {"R", 1}};
    CHECK(block_text(blocks, 0) == "phi, 1 of 2");
    CHECK(block_text(blocks, 2) == "R");
    CHECK(block_text(blocks, 3).empty());
}

TEST_CASE("the norm strip holds the largest norm of a run and starts afresh with another") {
    HeatmapState state;
    HeatmapSpec spec = nine_by_nine();
    CHECK(state.norm_top(spec) == doctest::Approx(2.1));
    spec.norm = 1.0;
    CHECK(state.norm_top(spec) == doctest::Approx(2.1));
    spec.norm_reference = 0.3;
    CHECK(state.norm_top(spec) == doctest::Approx(1.05));
}

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
