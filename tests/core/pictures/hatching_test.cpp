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
