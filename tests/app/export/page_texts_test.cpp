#include "tests/app/export/page_texts.h"

#include <doctest/doctest.h>

#include "app/export/export.h"

namespace emergence {
namespace {

// Families down, losses across, as wide labels as any figure has.
FigureSpec labelled_map() {
    HeatmapSpec map;
    map.title = "Median share that a family leaves unexplained, by the loss of training";
    map.values = Table(4, 5, 0.0735);
    for (const char* family : {"reward correlation", "TD(\u03b1_l)", "TD(C_l)", "TD(\u03b1_l) + feature map"})
        map.row_blocks.push_back({family, 1});
    for (const char* loss : {"TD", "residual gradient", "TD(\u03bb)", "Monte Carlo", "average reward"})
        map.column_blocks.push_back({loss, 1});
    map.free_aspect = map.magnitudes = true;
    FigureSpec figure;
    figure.title = "Which algorithm does which loss teach?";
    figure.caption = "Ours.";
    figure.width_inches = 7;
    figure.height_inches = 4.2;
    figure.cells = {{map}};
    return figure;
}

std::string drawn_at(const FigureSpec& figure, const char* width, bool caption = true) {
    PageFormat page;
    page.caption = caption;
    set_page_width(width, page);
    return render_figure(figure, FileFormat::svg, page);
}

}  // namespace

TEST_CASE("a narrow map has all its labels, whole, and its numbers") {
    for (const std::string width : {"3.4in", "7in", "slide"}) {
        CAPTURE(width);
        const std::string svg = drawn_at(labelled_map(), width.c_str());
        for (const std::string& fault : testing::layout_faults(labelled_map(), svg)) FAIL_CHECK(fault);
        CHECK(svg.find(">0.073") != std::string::npos);
    }
}

TEST_CASE("an index of one letter is low, and a setting keeps its underscore") {
    FigureSpec figure = labelled_map();
    figure.caption = "num_layers = 3, p_n_l, a_b";
    const std::string svg = drawn_at(figure, "7in");
    CHECK(svg.find("TD(\u03b1\u2097)") != std::string::npos);
    CHECK(svg.find("num_layers = 3, p_n_l, a_b") != std::string::npos);
}

TEST_CASE("a page without caption has no title either, and panels keep theirs") {
    const std::string bare = drawn_at(labelled_map(), "7in", false);
    CHECK(bare.find(">Which algorithm") == bare.find("<title>") + 6);  // what the file says of itself
    CHECK(bare.find(">Which algorithm", bare.find("</desc>")) == std::string::npos);
    CHECK(bare.find(">Ours.") == std::string::npos);
    CHECK(bare.find("by the loss of training", bare.find("</desc>")) != std::string::npos);
}

TEST_CASE("a spike does not flatten a plot: the axis is cut and says so") {
    PlotSpec plot;
    plot.id = "loss";
    plot.series = {{"network", {}, {{}}, 0}};
    for (int i = 0; i < 60; ++i) {
        plot.series[0].x.push_back(i);
        plot.series[0].rows[0].push_back(i == 30 ? 230000.0 : 1.0 + i % 7);
    }
    FigureSpec figure;
    figure.cells = {{plot}};
    const std::string svg = render_figure(figure, FileFormat::svg);
    CHECK(svg.find(">y axis ends at 10; the largest value is 230000<") != std::string::npos);
    for (double& value : std::get<PlotSpec>(figure.cells[0].content).series[0].rows[0])
        if (value > 100.0) value = 100.0;
    CHECK(render_figure(figure, FileFormat::svg).find("y axis ends") == std::string::npos);
}

TEST_CASE("plots with the same legend show it once") {
    PlotSpec plot;
    plot.series = {{"network", {0, 1}, {{0, 1}}, 0}, {"batch TD", {0, 1}, {{1, 0}}, 1}};
    FigureSpec figure;
    for (int i = 0; i < 3; ++i) {
        plot.id = std::to_string(i);
        figure.cells.push_back({plot, 0, i});
    }
    const std::string svg = drawn_at(figure, "3.4in");
    CHECK(svg.find(">batch TD<") != std::string::npos);
    CHECK(svg.find(">batch TD<") == svg.rfind(">batch TD<"));
}

}  // namespace emergence
