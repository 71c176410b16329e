#include "core/pictures/matrix_cells.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <numeric>

using namespace emergence;
using Rule = ColorLimits::Rule;

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
    for (const Segment& stroke : strokes)
        for (const Point& place : {stroke.from, stroke.to})
            CHECK((place.x >= 10 && place.x <= 40 && place.y >= 20 && place.y <= 50));
    for (const Segment& right : hatch_strokes({40, 20, 30, 30}, 7)) {
        if (right.from.x > 40) continue;
        bool met = false;
        for (const Segment& left : strokes) met = met || left.to == right.from;
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

namespace {

HeatmapSpec five_entries() {
    HeatmapSpec spec;
    spec.values = Table(1, 6);
    spec.values.values = {-10.0, 1.0, -2.0, std::numeric_limits<double>::quiet_NaN(), 3.0, 4.0};
    spec.limit = 10.0;
    return spec;
}

}  // namespace

TEST_CASE("the largest magnitude, without the missing ones") { CHECK(largest_entry(five_entries().values) == 10.0); }

TEST_CASE("limits by rule, and a note that says so") {
    const auto limited = [](const ColorLimits& limits) {
        HeatmapSpec heatmap = five_entries();
        apply_limits(heatmap, limits);
        return std::pair(heatmap.limit, heatmap.note);
    };
    CHECK(limited({}) == std::pair(10.0, std::string()));
    CHECK(limited({.rule = Rule::manual, .manual = 2.5}) ==
          std::pair(2.5, std::string(", colours end at 2.5, set by hand")));
}

TEST_CASE("a matrix of zeros still has a range") {
    HeatmapSpec zeros;
    zeros.values = Table(2, 2);
    zeros.limit = 0.0;
    apply_limits(zeros, {});
    CHECK(zeros.limit == 1.0);
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

namespace {

std::vector<int> each_alone(const std::vector<int>& pictures) {
    std::vector<int> groups(pictures.size());
    std::iota(groups.begin(), groups.end(), 0);
    return groups;
}

// Of a matrix of nine cells a side, with labels and a title.
double nine(Size size) { return std::min(size.width - 60, size.height - 90) / 9; }

}  // namespace

TEST_CASE("a layer's P and Q stand in one row") {
    const auto cell = [](Size size) { return std::min(size.width, size.height); };
    const std::vector<int> pictures = {2, 2, 2, 2, 2, 2}, layers = {0, 0, 1, 1, 2, 2};
    for (const Size size : {Size{700, 700}, Size{800, 500}, Size{560, 900}, Size{1400, 420}}) {
        const MatrixArrangement one = arrange_matrices(pictures, layers, {size, {10, 10}, {120, 100}}, cell, {});
        REQUIRE(one.places.size() == 6);
        const bool fits = one.columns >= (one.stacked ? 2 : 4);
        for (size_t i = 0; fits && i < 6; i += 2) CHECK(one.places[i].row == one.places[i + 1].row);
    }
}

TEST_CASE("matrices lie as their cells are largest, and stay so for a pixel more or less") {
    const auto cell = [](Size size) { return std::min(size.width - 80, size.height - 80) / 9; };
    const auto arranged = [&](Size room, const MatrixArrangement& present, std::vector<int> pictures = {2, 2}) {
        return arrange_matrices(pictures, each_alone(pictures), {room, {18, 10}, {180, 230}}, cell, present);
    };
    const MatrixArrangement tall = arranged({500, 1500}, {});
    CHECK(tall.columns == 1);
    CHECK(tall.stacked);
    const MatrixArrangement square = arranged({900, 800}, tall);
    CHECK(square.columns == 2);
    const MatrixArrangement wide = arranged({1250, 500}, square);
    CHECK(wide.columns == 4);
    CHECK_FALSE(wide.stacked);
    const MatrixArrangement wider = arranged({1250, 520}, wide);
    CHECK(wider.columns == wide.columns);
    CHECK(wider.stacked == wide.stacked);
    CHECK(arranged({500, 300}, {}).picture.height == 230);
    CHECK(arranged({500, 300}, {}, {}).places.empty());
}

TEST_CASE("a matrix without a theory takes no room for one") {
    const auto cell = [](Size size) { return std::min(size.width, size.height); };
    const ArrangementRoom room{{700, 700}, {10, 10}, {180, 100}};
    // Two with a theory, four without: eight pictures, of which none stands in a room of its own.
    const MatrixArrangement one = arrange_matrices({2, 2, 1, 1, 1, 1}, each_alone({2, 2, 1, 1, 1, 1}), room, cell, {});
    CHECK(one.columns == 3);
    CHECK(one.rows == 3);
    // Beside each other no matrix is broken over two rows, and none lies on another.
    const MatrixArrangement flat =
        arrange_matrices({2, 2, 1}, {0, 1, 2}, {{1300, 240}, {10, 10}, {180, 100}}, cell, {});
    CHECK_FALSE(flat.stacked);
    CHECK(flat.columns == 5);
    CHECK(flat.places[1].column == 2);
    CHECK(flat.places[2].column == 4);
}

TEST_CASE("theory's matrices stand together where that leaves the learned ones larger, and are not too small") {
    const ArrangementRoom room{{1560, 690}, {18, 10}, {110, 110}};
    const TheoryPlace wide = place_theory({0, 1}, false, room, nine);
    CHECK_FALSE(wide.below);
    CHECK(wide.columns == 2);
    CHECK(wide.theory_columns == 1);
    CHECK(place_theory({0, 0}, false, room, nine).theory_columns == 1);  // the only layer's
    CHECK(wide.cell > 1.2 * place_theory({0, 1}, true, room, nine).cell);
    CHECK(nine(wide.theory) >= 0.4 * wide.cell);
    CHECK(wide.theory_at.x + wide.theory.width <= 1560);
    CHECK(wide.theory_at.x >= 2 * wide.step.width - 1);
    // In a tall room they lie below, and if there is no room for theory's nothing is placed.
    const TheoryPlace tall = place_theory({0}, false, {{500, 900}, {18, 10}, {110, 110}}, nine);
    CHECK(tall.below);
    CHECK(tall.theory_at.y >= tall.learned.height);
    // A layer's P and Q are not parted.
    const TheoryPlace layers = place_theory(groups_by_layer({"P0", "Q0", "P1", "Q1", "P2", "Q2"}), false, room, nine);
    CHECK(layers.columns % 2 == 0);
    CHECK(layers.theory_columns % 2 == 0);
    CHECK(groups_by_layer({"A0 whitened", "P12", "Q12"}) == std::vector<int>{-1, 12, 12});
    CHECK(place_theory({0, 1}, false, {{300, 200}, {18, 10}, {110, 110}}, nine).cell == 0.0);
}

TEST_CASE("of two runs each matrix has theory's right beside or below it") {
    const TheoryPlace one = place_theory({0, 0, 1, 1}, true, {{1560, 690}, {18, 10}, {110, 110}}, nine);
    REQUIRE(one.cell > 0.0);
    CHECK(one.columns == one.theory_columns);
    CHECK(one.step.width == one.theory_step.width);
    CHECK(one.theory_at.x + one.theory.width <= one.step.width);
    CHECK(one.theory_at.y + one.theory.height <= one.step.height);
}
