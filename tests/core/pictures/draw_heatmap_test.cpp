#include "core/pictures/matrix_cells.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/core/pictures/recording_pen.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

HeatmapSpec four_by_four() {
    HeatmapSpec spec;
    spec.values = Table(4, 4);
    spec.row_blocks = spec.column_blocks = {{"phi", 3}, {"R", 1}};
    return spec;
}

PictureStyle matrix_style() {
    PictureStyle style;
    style.matrix.text = {8.0, {}, false, 1.0};
    style.matrix.row_gap = style.matrix.column_gap = 2.0;
    style.matrix.mark_radius = 5.0;
    return style;
}

}  // namespace

TEST_CASE("a zoomed matrix shows a part of its rows and columns; hatching and edges end there") {
    const CellGrid whole(Table(4, 4), {0, 0, 40, 40});
    CHECK(whole.across.at(3) == 30.0);
    CHECK(whole.visible() == CellRange{0, 4, 0, 4});
    const CellGrid lower_right(Table(4, 4), {0, 0, 40, 40}, {2.0, 0.5, 0.5});
    CHECK(lower_right.across.at(2) == 0.0);
    CHECK(lower_right.down.at(3) == 20.0);
    CHECK(lower_right.visible() == CellRange{2, 4, 2, 4});
    const Rect seen = lower_right.seen_of({0, 3, 1, 4});
    CHECK(seen.width == 40.0);
    CHECK(seen.height == 20.0);
    const CellGrid thirds(Table(3, 3), {0, 0, 40, 40}, {}, true);
    CHECK(thirds.across.at(1) == 13.0);
}

TEST_CASE("borders lie between blocks that are seen, never on the frame") {
    RecordingPen pen;
    draw_borders(pen, four_by_four(), {Table(4, 4), {0, 0, 40, 40}}, matrix_style());
    CHECK(pen.calls == Calls{"line 30,0 30,40", "line 0,30 40,30", "frame 0,0 40,40"});
    pen.calls.clear();
    draw_borders(pen, four_by_four(), {Table(4, 4), {0, 0, 40, 40}, {2.0, 0.0, 0.0}}, matrix_style());
    CHECK(pen.calls == Calls{"frame 0,0 40,40"});
}

TEST_CASE("labels stand beside what is seen of their blocks") {
    const HeatmapSpec spec = four_by_four();
    const PictureStyle style = matrix_style();
    const CellGrid whole(spec.values, {10, 10, 40, 40});
    RecordingPen pen;
    draw_row_labels(pen, row_labels(spec, whole, style), whole, style);
    draw_column_labels(pen, column_labels(spec, whole, style), whole, false, style);
    CHECK(pen.calls == Calls{"text 8,25 phi", "text 8,45 R", "text 19,8 phi", "text 43,8 R"});
    const CellGrid zoomed(spec.values, {10, 10, 40, 40}, {2.0, 0.0, 0.5});
    pen.calls.clear();
    draw_row_labels(pen, row_labels(spec, zoomed, style), zoomed, style);
    CHECK(pen.calls == Calls{"text 8,20 phi", "text 8,40 R"});
}

TEST_CASE("counted rows have numbers, the first with its word") {
    HeatmapSpec spec = four_by_four();
    spec.row_word = "round";
    const std::vector<BlockLabel> labels = row_labels(spec, {spec.values, {0, 0, 40, 40}}, matrix_style());
    REQUIRE(labels.size() >= 2);
    CHECK(labels[0].lines[0] == "round 1");
    CHECK(labels[0].last == labels[0].first + 1);
}

TEST_CASE("each kind of mark has its lane; marks of cells out of sight are left out") {
    HeatmapSpec spec = four_by_four();
    spec.marks = {{"learned", 2, {{0, 0}, {3, 3}}}, {"theory", 5, {{0, 0}}}, {"edge", 1, {{1, 1}}, true}};
    spec.marks.resize(2);
    RecordingPen pen;
    draw_cell_marks(pen, spec, {spec.values, {0, 0, 40, 40}}, matrix_style());
    CHECK(pen.calls == Calls{"mark 2 5,2.5", "mark 2 35,32.5", "mark 5 5,7.5"});
    pen.calls.clear();
    draw_cell_marks(pen, spec, {spec.values, {0, 0, 40, 40}, {2.0, 0.0, 0.0}}, matrix_style());
    CHECK(pen.calls == Calls{"clip 0,0 40,40", "mark 2 10,5", "mark 5 10,15", "unclip"});
    spec.marks = {{"edge", 1, {{1, 1}}, true}};
    pen.calls.clear();
    draw_cell_marks(pen, spec, {spec.values, {0, 0, 40, 40}}, matrix_style());
    CHECK(pen.calls == Calls{"fill 10,18 20,20"});
}

TEST_CASE("the colour bar has an arrowhead where cells lie beyond its end: above, or at the right of a wide one") {
    HeatmapSpec spec = four_by_four();
    spec.values(1, 2) = 1.5;
    const auto bar = [&](const Rect& rect) {
        RecordingPen pen;
        draw_color_bar(
            pen, spec, [](double) { return Rgb{}; }, rect, matrix_style());
        return pen.calls;
    };
    const Calls high = bar({0, 0, 10, 96}), wide = bar({0, 0, 96, 10});
    REQUIRE(high.size() == 102);
    CHECK(high[0] == "fill 0,0 10,1.6");
    CHECK(high[97] == "polygon 0,0 5,-8 10,0");
    REQUIRE(wide.size() == 101);
    CHECK(wide[0] == "fill 94.4,0 96,10");
    CHECK(wide[97] == "polygon 96,0 104,5 96,10");
}

TEST_CASE("numbers that fit into cells") {
    CHECK(cell_text(-0.834) == "−0.83");
    CHECK(cell_text(-0.001) == "0.00");
    CHECK(cell_text(9.996) == "10.0");
    CHECK(cell_text(123.4) == "123");
    CHECK(cell_text(-1e7) == "−1e+07");
    CHECK(cell_text(std::nan("")) == "–");
    CHECK(cell_text(0.0123, 0.1) == "0.01");
    CHECK(cell_text(0.0123, 0.05) == "0.012");  // two decimals would all be alike
    CHECK(cell_text(0.0123, 0.0) == "0.01");
}

TEST_CASE("no number where a part of it would be cut off") {
    const double cell = 200.0;  // half of the first row and column are seen
    const CellGrid place(Table(9, 9), {0, 0, 450, 450}, {4.0, 0.5 / 9, 0.5 / 9});
    CHECK_FALSE(number_place(place, 1, 0, {0.6 * cell, 10}));
    CHECK_FALSE(number_place(place, 0, 1, {10, 0.6 * cell}));
    CHECK(number_place(place, 1, 1, {0.6 * cell, 10}));
    CHECK_FALSE(number_place(place, 1, 1, {1.1 * cell, 10}));
    CHECK_FALSE(number_place(place, 1, place.visible().last_column - 1, {0.95 * cell, 10}));
}

TEST_CASE("cells wide and high enough hold their numbers") {
    const HeatmapSpec spec = four_by_four();
    PictureStyle style = matrix_style();
    style.matrix.number = {8.0, {}, false, 1.0};
    const auto numbers = [&](double width, double height) {
        RecordingPen pen;
        draw_cell_numbers(
            pen, spec, [](double) { return Rgb{}; }, CellGrid(spec.values, {0, 0, width, height}), style);
        return std::count_if(pen.calls.begin(), pen.calls.end(),
                             [](const std::string& call) { return call.starts_with("text"); });
    };
    CHECK(numbers(400, 400) == 16);
    CHECK(numbers(400, 48) == 16);
    CHECK(numbers(400, 36) == 0);
    CHECK(numbers(48, 400) == 0);
}

TEST_CASE("a table's numbers have as many significant digits as all of them have room for") {
    HeatmapSpec spec = four_by_four();
    spec.values.values.assign(16, 0.0734);
    spec.free_aspect = true;
    PictureStyle style = matrix_style();
    style.matrix.number = {8.0, {}, false, 1.0};
    const auto number = [&](double width) {
        RecordingPen pen;
        draw_cell_numbers(
            pen, spec, [](double) { return Rgb{}; }, CellGrid(spec.values, {0, 0, width, 80}), style);
        return pen.calls.empty() ? "" : pen.calls[1].substr(pen.calls[1].rfind(' ') + 1);
    };
    CHECK(number(4 * 30) == "0.0734");
    CHECK(number(4 * 25) == "0.073");
    CHECK(number(4 * 22) == "0.073");  // in smaller type
    CHECK(number(4 * 18).empty());
}

TEST_CASE("the norm's strip holds twice the start; its words take the room that there is") {
    HeatmapSpec spec = four_by_four();
    spec.norm = 8.25;
    spec.norm_reference = 0.5;
    CHECK(norm_top(spec) == doctest::Approx(1.05 * 8.25));
    spec.norm_reference = 6.0;
    CHECK(norm_top(spec) == 12.0);
    const RecordingPen pen;
    const TextStyle text;
    CHECK(norm_text(spec, pen, text, 1e4) == "norm 8.25, at the start 6");
    CHECK(norm_text(spec, pen, text, pen.text_width("norm 8.25", text)) == "norm 8.25");
    CHECK(norm_text(spec, pen, text, 1.0).empty());
}
