#include <doctest/doctest.h>

#include <string>

#include "app/export/export.h"
#include "tests/support/scratch.h"

using namespace emergence;

namespace {

FigureSpec figure_of(int size) {
    HeatmapSpec map;
    map.id = map.title = "Q0";
    map.values = Table(size, size);
    for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j) map.values(i, j) = (i * 37 + j * 101) % 200 / 100.0 - 1.0;
    map.row_blocks = map.column_blocks = {{"phi", size - 1}, {"R", 1}};
    map.note = "scaled";
    FigureSpec figure;
    figure.name = "test";
    figure.column_weights = figure.row_weights = {1.0};
    figure.cells.push_back({map, 0, 0});
    return figure;
}

size_t count(const std::string& text, const std::string& part) {
    size_t found = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

HeatmapSpec& heatmap_in(FigureSpec& figure) { return std::get<HeatmapSpec>(figure.cells[0].content); }

}  // namespace

TEST_CASE("a 110 x 110 matrix is one image with its labels as text, not megabytes of squares") {
    const std::string svg = render_figure(figure_of(110), FileFormat::svg);
    CHECK(count(svg, "<image") == 1);
    CHECK(svg.size() < 500'000);
    testing::check_holds(svg, {">φ<", ">scaled<"});
    CHECK(render_figure(figure_of(110), FileFormat::pdf).size() < 500'000);
}

TEST_CASE("a small matrix is made of squares") {
    CHECK(count(render_figure(figure_of(9), FileFormat::svg), "<image") == 0);
}

TEST_CASE("cells beyond the limit are marked at the bar's ends") {
    FigureSpec figure = figure_of(9);
    heatmap_in(figure).limit = 2.0;
    const size_t paths = count(render_figure(figure, FileFormat::svg), "<path");
    heatmap_in(figure).limit = 0.5;
    // The same ticks, and two arrowheads of a ground and a rim each.
    CHECK(count(render_figure(figure, FileFormat::svg), "<path") >= paths + 4);
}

TEST_CASE("marks have a legend, and what may be stretched fills its room") {
    FigureSpec figure = figure_of(4);
    heatmap_in(figure).values = Table(2, 40);
    heatmap_in(figure).row_blocks = {{"arms", 2}};
    heatmap_in(figure).column_blocks = {{"t", 40}};
    const std::string square = render_figure(figure, FileFormat::svg);
    heatmap_in(figure).free_aspect = true;
    heatmap_in(figure).marks = {{"LinUCB", 0, {{1, 3}, {0, 4}}}};
    const std::string stretched = render_figure(figure, FileFormat::svg);
    CHECK(count(square, ">LinUCB<") == 0);
    CHECK(count(stretched, ">LinUCB<") == 1);
    CHECK(square != stretched);
}
