#include "app/export/page_format.h"

#include <doctest/doctest.h>

#include "app/export/export.h"
#include "core/base/error.h"
#include "tests/support/scratch.h"

namespace emergence {
namespace {

// Three plots side by side over a wide one.
FigureSpec four_plots() {
    FigureSpec figure;
    figure.name = "f";
    figure.title = "Four plots";
    figure.caption = "What they show.";
    figure.column_weights = {1, 1, 1};
    figure.row_weights = {1, 1};
    figure.width_inches = 12;
    figure.height_inches = 6;
    for (int i = 0; i < 4; ++i) {
        PlotSpec plot;
        plot.id = "p" + std::to_string(i);
        plot.series = {{"a", {0, 1}, {{0, 1}}, 0}};
        figure.cells.push_back({plot, i / 3, i % 3, 1, i == 3 ? 3 : 1});
    }
    return figure;
}

FigureSpec set_at(const std::string& width) {
    PageFormat page;
    set_page_width(width, page);
    return set_on_page(four_plots(), page).figure;
}

uint32_t width_of_png(const std::string& png) {
    const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(png[i])); };
    return byte(16) << 24 | byte(17) << 16 | byte(18) << 8 | byte(19);
}

}  // namespace

TEST_CASE("on a narrow page cells stay where they are, in smaller type") {
    const FigureSpec narrow = set_at("3.4in");
    CHECK(narrow.width_inches == 3.4);
    const FigureSpec before = four_plots();
    for (size_t i = 0; i < 4; ++i) {
        CHECK(narrow.cells[i].row == before.cells[i].row);
        CHECK(narrow.cells[i].column == before.cells[i].column);
        CHECK(narrow.cells[i].column_span == before.cells[i].column_span);
    }
    PageFormat page;
    set_page_width("3.4in", page);
    CHECK(set_on_page(four_plots(), page).text_scale < 1.0);
    FigureSpec one = four_plots();
    one.cells.resize(1);
    one.column_weights = one.row_weights = {1};
    CHECK(set_on_page(one, page).text_scale == 1.0);
}

TEST_CASE("wide pages keep the grid, slides have their size, and nothing asked for changes nothing") {
    const FigureSpec wide = set_at("7in");
    CHECK(wide.cells[3].row == 1);
    CHECK(wide.cells[3].column_span == 3);
    const FigureSpec slide = set_at("slide");
    CHECK(slide.width_inches > 13.0);
    CHECK(slide.height_inches < 7.5);  // with the caption 7.5
    CHECK(slide.height_inches > 7.0);
    // Matrices alone stand in one row of it.
    FigureSpec matrices = four_plots();
    for (FigureCell& cell : matrices.cells) cell.content = HeatmapSpec();
    PageFormat page;
    set_page_width("slide", page);
    for (const FigureCell& cell : set_on_page(matrices, page).figure.cells) CHECK(cell.row == 0);
    const FigureSpec same = set_on_page(four_plots(), {}).figure;
    CHECK(same.width_inches == 12);
    CHECK(same.caption == "What they show.");
}

TEST_CASE("a slide of many pictures has smaller type and no gaps, so that long legends leave room for plots") {
    PageFormat page;
    set_page_width("slide", page);
    FigureSpec few = four_plots();
    CHECK(set_on_page(few, page).text_scale == 1.7);
    FigureSpec many = four_plots();
    for (int i = 0; i < 4; ++i) {
        many.cells.push_back(many.cells[0]);
        many.cells.back().row = 2 + i;  // a grid with gaps
    }
    auto& plot = std::get<PlotSpec>(many.cells[0].content);
    for (int i = 0; i < 11; ++i) plot.series.push_back(plot.series[0]);
    for (auto& series : plot.series) series.name = "a quantity of another run";
    CHECK(set_on_page(many, page).text_scale < 1.7);
    const FigureSpec slide = set_on_page(many, page).figure;
    CHECK(slide.height_inches <= 7.5);
    // On a page that may grow, its row is as high as the legend needs.
    PageFormat wide;
    set_page_width("7in", wide);
    CHECK(set_on_page(many, wide).figure.row_weights[0] > set_on_page(four_plots(), wide).figure.row_weights[0] + 40);
}

TEST_CASE("widths are named, and PNG has the dots that are asked for") {
    PageFormat page;
    for (const char* text : {"", "3.4", "wide", "1in", "99in", "3.4cm", "nanin", "nan in", "-nanin", "infin", "1e999in",
                             "-3in", "in", "7", "7cm", "0x4in"}) {
        CAPTURE(text);
        CHECK(testing::message_of<InputError>([&] { set_page_width(text, page); }).find("--width: ") == 0);
    }
    CHECK(page.width_inches == 0.0);
    set_page_width("7in", page);
    page.dots_per_inch = 300;
    CHECK(width_of_png(render_figure(four_plots(), FileFormat::png, page)) == 2100);
    CHECK(render_figure(four_plots(), FileFormat::csv, page) == render_figure(four_plots(), FileFormat::csv));
}

}  // namespace emergence
