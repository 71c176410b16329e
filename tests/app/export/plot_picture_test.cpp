#include "app/export/cell_picture.h"

#include <doctest/doctest.h>

namespace emergence::page {
namespace {

const Style kStyle;
const Rect kArea{0, 0, 300, 200};
const std::vector<LegendEntry> kEntries = {{"first"}, {"second"}};

Rect box_of(const PlacedLegend& placed) {
    return {placed.upper_left.x, placed.upper_left.y, placed.legend.width(), placed.legend.height()};
}

}  // namespace

TEST_CASE("a legend goes to the corner that the curve leaves free") {
    const TextMeter meter;
    Obstacles obstacles;
    obstacles.lines.push_back({{0, 190}, {150, 190}, {150, 10}, {300, 10}});  // free: upper left, lower right
    const PlacedLegend placed = place_inside(kEntries, kArea, obstacles, kStyle, meter);
    CHECK_FALSE(placed.covers);
    const Point middle = box_of(placed).center();
    CHECK((middle.x > 150) == (middle.y > 100));
    CHECK(obstacles.covered_by(box_of(placed)) == 0.0);
}

TEST_CASE("a legend keeps off bands and says when it cannot") {
    const TextMeter meter;
    Obstacles obstacles;
    const std::vector<Point> band = {{0, 0}, {300, 0}, {300, 150}, {0, 150}};
    obstacles.areas.push_back(band);
    obstacles.lines.push_back(band);
    const PlacedLegend placed = place_inside(kEntries, kArea, obstacles, kStyle, meter);
    CHECK_FALSE(placed.covers);
    CHECK(box_of(placed).y > 150);
    obstacles.boxes.push_back({0, 140, 300, 60});
    CHECK(place_inside(kEntries, kArea, obstacles, kStyle, meter).covers);
    CHECK(place_inside(kEntries, {0, 0, 20, 10}, {}, kStyle, meter).covers);
}

TEST_CASE("a legend below the plot is as flat as the width allows") {
    const TextMeter meter;
    CHECK(legend_below(kEntries, 300, kStyle, meter).columns() == 2);
    CHECK(legend_below(kEntries, 60, kStyle, meter).columns() == 1);
    CHECK(legend_below(kEntries, 60, kStyle, meter).height() > legend_below(kEntries, 300, kStyle, meter).height());
}

}  // namespace emergence::page
