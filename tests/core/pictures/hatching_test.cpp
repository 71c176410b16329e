#include "core/pictures/hatching.h"

#include <doctest/doctest.h>

using namespace emergence;

TEST_CASE("hatched blocks are found by their meanings") {
    HeatmapSpec heatmap;
    heatmap.row_blocks = {{"a", 2}, {"b", 3}};
    heatmap.column_blocks = {{"a", 2}, {"b", 3}};
    heatmap.meanings = {{0, 1, "used"}, {1, 0, "cannot move", true}};
    CHECK(hatched_blocks(heatmap) == std::vector<CellRange>{{2, 5, 0, 2}});
}

TEST_CASE("strokes stay in their rectangle and meet those of neighbours") {
    const auto strokes = hatch_strokes(10, 20, 40, 50, 7);
    REQUIRE(strokes.size() > 5);
    for (const HatchStroke& stroke : strokes)
        for (const DrawnPlace& place : {stroke.from, stroke.to}) {
            CHECK(place.first >= 10);
            CHECK(place.first <= 40);
            CHECK(place.second >= 20);
            CHECK(place.second <= 50);
        }
    for (const HatchStroke& right : hatch_strokes(40, 20, 70, 50, 7)) {
        if (right.from.first > 40) continue;
        bool met = false;
        for (const HatchStroke& left : strokes) met = met || left.to == right.from;
        CHECK(met);
    }
    CHECK(hatch_strokes(0, 0, 0, 5, 1).empty());
}
