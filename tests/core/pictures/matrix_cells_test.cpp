#include "core/pictures/matrix_cells.h"

#include <doctest/doctest.h>

#include <limits>

using namespace emergence;

TEST_CASE("hatched blocks are found by their meanings") {
    HeatmapSpec heatmap;
    heatmap.row_blocks = {{"a", 2}, {"b", 3}};
    heatmap.column_blocks = {{"a", 2}, {"b", 3}};
    heatmap.meanings = {{0, 1, "used"}, {1, 0, "cannot move", true}};
    CHECK(hatched_blocks(heatmap) == std::vector<CellRange>{{2, 5, 0, 2}});
}

TEST_CASE("strokes stay in their rectangle and meet those of neighbours") {
    const auto strokes = hatch_strokes({10, 20, 30, 30}, 7);
    REQUIRE(strokes.size() > 5);
    for (const HatchStroke& stroke : strokes)
        for (const Point& place : {stroke.from, stroke.to}) {
            CHECK(place.x >= 10);
            CHECK(place.x <= 40);
            CHECK(place.y >= 20);
            CHECK(place.y <= 50);
        }
    for (const HatchStroke& right : hatch_strokes({40, 20, 30, 30}, 7)) {
        if (right.from.x > 40) continue;
        bool met = false;
        for (const HatchStroke& left : strokes) met = met || left.to == right.from;
        CHECK(met);
    }
    CHECK(hatch_strokes({0, 0, 0, 5}, 1).empty());
}

TEST_CASE("zooming keeps what is under the pointer where it is") {
    MatrixZoom zoom;
    zoom.zoom(2.0, 0.75, 0.5, 10.0);
    CHECK(zoom.factor == 2.0);
    // The point 0.75 was three quarters across and still is: 0.375 + 0.75 / 2.
    CHECK(zoom.left == doctest::Approx(0.375));
    CHECK(zoom.top == doctest::Approx(0.25));
    zoom.zoom(0.5, 0.75, 0.5, 10.0);
    CHECK(zoom == MatrixZoom{});
}

TEST_CASE("neither zooming nor panning leaves the matrix") {
    MatrixZoom zoom;
    zoom.pan(0.3, -0.3);
    CHECK(zoom == MatrixZoom{});
    zoom.zoom(4.0, 1.0, 1.0, 10.0);
    CHECK(zoom.left == doctest::Approx(0.75));
    zoom.pan(-1.0, -1.0);
    CHECK(zoom.left == doctest::Approx(0.75));
    zoom.pan(0.25, 0.5);
    CHECK(zoom.left == doctest::Approx(0.5));
    CHECK(zoom.top == doctest::Approx(0.25));
    zoom.zoom(100.0, 0.5, 0.5, 10.0);
    CHECK(zoom.factor == 10.0);
    zoom.fit();
    CHECK_FALSE(zoom.zoomed());
}

TEST_CASE("large matrices can be enlarged further than small ones") {
    CHECK(largest_zoom(110, 110) == 27.5);
    CHECK(largest_zoom(8, 110) == 2.0);
    CHECK(largest_zoom(3, 3) == 1.0);
}

using Rule = ColorLimits::Rule;

namespace {

HeatmapSpec five_entries() {
    HeatmapSpec spec;
    spec.values = Table(1, 6);
    spec.values.values = {-10.0, 1.0, -2.0, std::numeric_limits<double>::quiet_NaN(), 3.0, 4.0};
    spec.limit = 10.0;
    return spec;
}

}  // namespace

TEST_CASE("percentiles of magnitudes, interpolated, without the missing ones") {
    const Table values = five_entries().values;
    CHECK(largest_entry(values) == 10.0);
    CHECK(magnitude_percentile(values, 0.0) == 1.0);
    CHECK(magnitude_percentile(values, 50.0) == 3.0);
    CHECK(magnitude_percentile(values, 75.0) == 4.0);
    CHECK(magnitude_percentile(values, 90.0) == doctest::Approx(4.0 + 0.6 * 6.0));
    CHECK(magnitude_percentile(values, 100.0) == 10.0);
    CHECK(magnitude_percentile(Table(), 98.0) == 0.0);
}

TEST_CASE("limits by rule, and a note that says so") {
    HeatmapSpec automatic = five_entries();
    apply_limits(automatic, {});
    CHECK(automatic.limit == 10.0);
    CHECK(automatic.note.empty());
    HeatmapSpec percentile = five_entries();
    apply_limits(percentile, {.rule = Rule::percentile, .percentile = 75.0});
    CHECK(percentile.limit == 4.0);
    CHECK(percentile.note == ", colours end at 4: 75 % of the cells lie inside");
    HeatmapSpec manual = five_entries();
    apply_limits(manual, {.rule = Rule::manual, .manual = 2.5});
    CHECK(manual.limit == 2.5);
    CHECK(manual.note == ", colours end at 2.5, set by hand");
}

TEST_CASE("a matrix of zeros still has a range, whatever the rule") {
    for (const Rule rule : {Rule::automatic, Rule::percentile}) {
        HeatmapSpec zeros;
        zeros.values = Table(2, 2);
        zeros.limit = 0.0;
        apply_limits(zeros, {.rule = rule});
        CHECK(zeros.limit == 1.0);
    }
}

TEST_CASE("clipped cells are counted on both sides, missing ones on none") {
    HeatmapSpec spec = five_entries();
    CHECK(clipped_cells(spec).above == 0);
    CHECK(clipped_cells(spec).below == 0);  // the largest lies on the limit
    spec.limit = 2.5;
    CHECK(clipped_cells(spec).above == 2);
    CHECK(clipped_cells(spec).below == 1);
}

TEST_CASE("an index's block") {
    const std::vector<Block> blocks{{"phi", 2}, {"R", 1}};
    CHECK(block_range(blocks, 1)->first == 0);
    CHECK(block_range(blocks, 1)->size == 2);
    CHECK(block_range(blocks, 2)->block == 1);
    CHECK(block_range(blocks, 2)->first == 2);
    CHECK_FALSE(block_range(blocks, 3));
}
