#include "app/gui/widgets/plot_legend.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>

#include "tests/app/gui/widgets/drawn_plot.h"

using namespace emergence;
using namespace emergence::testing;

TEST_CASE("the crosshair reads all series at the measured x that is nearest") {
    Drawn plot;
    plot.spec = two_series();
    plot.frame();
    CHECK_FALSE(plot.response.hovered);
    plot.point_at(0.52);
    REQUIRE(plot.response.hovered);
    CHECK(plot.response.x == 50.0);
    REQUIRE(plot.response.values.size() == 2);
    CHECK(plot.response.values[0] == 2.0);  // the mean over seeds
    CHECK(plot.response.values[1] == 5.0);
    plot.point_at(0.29);
    CHECK(plot.response.x == 30.0);
    CHECK(std::isnan(plot.response.values[1]));
    plot.gui.move({790, 590});
    plot.frame();
    CHECK_FALSE(plot.response.hovered);
}

TEST_CASE("a click in the legend hides a series and shows it again, a double click isolates and brings back") {
    Drawn plot;
    plot.spec = two_series();
    plot.spec.series.push_back(plot.spec.series[0]);
    plot.spec.series[2].name = "third";
    plot.frame();
    plot.click_on("legend loss learned");
    plot.frame(40);
    CHECK(plot.state.view.hidden == std::set<std::string>{"learned"});
    CHECK(plot.state.shown().series[0].hidden);
    CHECK(plot.state.y_range().second > 5.0);
    plot.click_on("legend loss learned");
    plot.frame(40);
    CHECK(plot.state.view.hidden.empty());
    plot.double_click(plot.gui.log().centre("legend loss third"));
    CHECK(plot.state.view.hidden == std::set<std::string>{"learned", "reference"});
    CHECK(plot.state.y_range().second < 4.0);
    plot.double_click(plot.gui.log().centre("legend loss third"));
    CHECK(plot.state.view.hidden.empty());
}

TEST_CASE("the legend is placed once, stays while data arrives, leaves when it covers data, and does not return") {
    Drawn plot;
    plot.spec = two_series();
    plot.spec.y.minimum = -10.0;
    plot.spec.y.maximum = 10.0;
    plot.frame(2);
    REQUIRE(plot.state.legend.inside());
    const ImVec2 stood = plot.state.legend.min();
    for (int i = 0; i < 20; ++i) {
        plot.spec.series[0].rows[0][3] = 1.0 + 0.02 * i;
        plot.new_data();
        plot.frame(10);
        CHECK(plot.state.legend.min().y == doctest::Approx(stood.y));
    }
    // Up and down everywhere: no corner is free.
    for (size_t i = 0; i < 11; ++i)
        plot.spec.series[0].rows[0][i] = plot.spec.series[0].rows[1][i] = i % 2 ? 9.9 : -9.9;
    plot.new_data();
    plot.frame(120);
    CHECK_FALSE(plot.state.legend.inside());
    const float top = plot.response.area_min.y;
    plot.spec.series[0].rows = {std::vector<double>(11, 1.0), std::vector<double>(11, 3.0)};
    plot.new_data();
    plot.frame(400);
    CHECK_FALSE(plot.state.legend.inside());
    CHECK(plot.response.area_min.y == top);
}

TEST_CASE("the legend of a histogram keeps off its bars, from the first frames on") {
    Drawn plot;
    plot.spec = two_series();
    // All seeds at the upper end.
    plot.spec.series[0].rows.clear();
    for (int seed = 0; seed < 8; ++seed) plot.spec.series[0].rows.push_back(std::vector<double>(11, 4.8 + 0.01 * seed));
    plot.frame(2);
    plot.state.view.histogram = true;
    plot.frame(3);
    const auto box = Rect{plot.state.legend.min().x, plot.state.legend.min().y,
                          plot.state.legend.max().x - plot.state.legend.min().x,
                          plot.state.legend.max().y - plot.state.legend.min().y};
    if (plot.state.legend.inside()) CHECK(plot.state.layout().obstacles.covered_by(box) == 0.0);
    CHECK(plot.state.layout().obstacles.covered_by({plot.at(0.0, 0.5).x, plot.at(0.0, 1.0).y, 600, 300}) > 0.0);
}

TEST_CASE("what a logarithmic axis leaves out is said, and not among the data") {
    Drawn plot;
    plot.spec = two_series();
    plot.spec.x.minimum.reset();
    plot.spec.x.maximum.reset();
    plot.frame(2);
    plot.state.view.x_scale = Scale::logarithmic;
    plot.frame(100);
    REQUIRE(plot.state.layout().note == "2 points \u2264 0 not shown");
    CHECK(plot.state.layout().note_box.width == 0.0);
}

TEST_CASE("the crosshair reads nothing where all points lie outside the view") {
    Drawn plot;
    plot.spec = two_series();
    plot.frame(2);
    plot.state.view.curves.x = AxisRange{41.0, 49.0};
    plot.frame(2);
    plot.point_at(0.5);
    CHECK_FALSE(plot.response.hovered);
    plot.state.view.curves.x = AxisRange{41.0, 59.0};
    plot.frame(2);
    plot.point_at(0.1);
    CHECK(plot.response.x == 50.0);
}

TEST_CASE("the read-out names a seed, not its row") {
    Drawn plot;
    plot.spec = two_series();
    plot.spec.spread = Spread::every_seed;
    plot.spec.seeds = {40, 41};
    plot.frame();
    PlotReading reading = read_at_x(plot.state.shown(), plot.state.shapes(), 50.0);
    reading.nearest = NearestPoint{0, 1, 50.0, 3.0, 0.0};
    const auto lines = reading_lines(plot.state.shown(), plot.state.shapes(), reading);
    CHECK(lines.at(1).find("seed 41: 3") != std::string::npos);
}

TEST_CASE("labels of reference lines keep off each other and inside") {
    Drawn plot;
    plot.spec = two_series();
    plot.spec.lines = {{"one", 50.0, true},
                       {"two", 51.0, true},
                       {"at the end", 100.0, true},
                       {"best linear", 3.0, false},
                       {"batch TD", 3.02, false},
                       {"outside", 1e6, true},
                       {"a label that is much longer than the plot is wide, which has to be cut somewhere or other "
                        "so that it does not hang out",
                        2.0, false}};
    plot.frame();
    const auto& labels = plot.state.layout().marks.labels;
    REQUIRE(labels.size() == 6);
    const Rect& area = plot.state.layout().place.area;
    for (size_t i = 0; i < labels.size(); ++i) {
        CHECK(labels[i].box.x >= area.x);
        CHECK(labels[i].box.right() <= area.right());
        CHECK(labels[i].box.y >= area.y);
        CHECK(labels[i].box.bottom() <= area.bottom());
        for (size_t j = 0; j < i; ++j) CHECK_FALSE(labels[i].box.overlaps(labels[j].box));
    }
}

TEST_CASE("the nearest point is found in pixels, on a seed's own line too") {
    Drawn plot;
    plot.spec = two_series();
    plot.spec.spread = Spread::every_seed;
    plot.frame();
    const auto [low, high] = plot.state.y_range();
    plot.gui.move(plot.at(0.4, (3.0 - low) / (high - low)));
    plot.frame();
    REQUIRE(plot.response.nearest.has_value());
    CHECK(plot.response.nearest->series == 0);
    CHECK(plot.response.nearest->seed == 1u);
    CHECK(plot.response.nearest->y == 3.0);
    CHECK(plot.response.nearest->distance < 2.0);
    plot.gui.move(plot.at(0.4, (5.0 - low) / (high - low)));
    plot.frame();
    REQUIRE(plot.response.nearest.has_value());
    CHECK(plot.response.nearest->series == 1);
    CHECK_FALSE(plot.response.nearest->seed.has_value());
    plot.spec.series[1].rows[0] = std::vector<double>(11, 4.9);  // live data moves on under a still pointer
    plot.new_data();
    CHECK(plot.response.values[1] == 4.9);
}
