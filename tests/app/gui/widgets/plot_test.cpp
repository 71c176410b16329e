#include "app/gui/widgets/plot.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "app/gui/widgets/plot_frame.h"
#include "tests/app/gui/null_gui.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

PlotSpec two_series() {
    PlotSpec spec;
    spec.id = spec.title = "loss";
    spec.x = {"steps", "", Scale::linear, 0.0, 100.0};
    spec.series.resize(2);
    spec.series[0].name = "learned";
    spec.series[1].name = "reference";
    spec.series[1].dashed = true;
    for (int i = 0; i <= 10; ++i) {
        spec.series[0].x.push_back(10.0 * i);
        spec.series[1].x.push_back(10.0 * i);
    }
    spec.series[0].rows = {std::vector<double>(11, 1.0), std::vector<double>(11, 3.0)};
    spec.series[1].rows = {std::vector<double>(11, 5.0)};
    spec.series[1].rows[0][3] = std::numeric_limits<double>::quiet_NaN();
    return spec;
}

struct Drawn {
    NullGui gui{{800, 600}};
    PlotSpec spec;
    PlotState state;
    PlotResponse response;
    int vertices = 0;
    void frame(int count = 1) {
        for (int i = 0; i < count; ++i)
            vertices = gui.frame_in_window([&] { response = draw_plot(gui.ui(), spec, state, {600, 300}); });
    }
    // As when a run publishes.
    void new_data() {
        state.invalidate();
        frame();
    }
    // Shares of the axes, to the right and upwards; beyond 0..1 lies beside them.
    ImVec2 at(double right, double up) const {
        const ImVec2 a = response.area_min, b = response.area_max;
        return {a.x + (b.x - a.x) * static_cast<float>(right), b.y - (b.y - a.y) * static_cast<float>(up)};
    }
    void wheel(ImVec2 where, float notches) {
        gui.move(where);
        frame();
        ImGui::GetIO().MouseWheel = notches;
        frame();
        ImGui::GetIO().MouseWheel = 0.0F;
        frame();
    }
    void drag(ImVec2 from, ImVec2 to, int button = 0) {
        gui.move(from);
        frame(2);
        ImGui::GetIO().MouseDown[button] = true;
        frame();
        gui.move({(from.x + to.x) / 2, (from.y + to.y) / 2});
        frame();
        gui.move(to);
        frame();
        ImGui::GetIO().MouseDown[button] = false;
        frame(2);
    }
    void click(ImVec2 where, int button = 0) { drag(where, where, button); }
    void double_click(ImVec2 where) {
        click(where);
        click(where);
        frame(40);  // so that the next click is no third
    }
    void click_on(const std::string& widget) { click(gui.log().centre(widget)); }
    void point_at(double share) {
        gui.move(
            {response.area_min.x + (response.area_max.x - response.area_min.x) * static_cast<float>(share),
             (response.area_min.y + response.area_max.y) / 2});
        frame();
    }
};

}  // namespace

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

TEST_CASE("every spread, logarithmic axes, gaps, references and nothing at all can be drawn") {
    for (const Spread spread :
         {Spread::standard_error, Spread::deviation, Spread::median, Spread::every_seed})
        for (const Scale scale : {Scale::linear, Scale::logarithmic}) {
            Drawn plot;
            plot.spec = two_series();
            plot.spec.spread = spread;
            plot.spec.smoothing = 0.6;
            plot.spec.highlighted_seed = 1;
            plot.spec.x.minimum.reset();
            plot.spec.x.scale = plot.spec.y.scale = scale;
            plot.spec.series[0].rows[0][5] = -1.0;
            plot.spec.lines = {{"here", 20.0, true}, {"there", 2.0, false}, {"off", 1e9, true}};
            plot.frame();
            CHECK(plot.vertices > 100);
            plot.point_at(0.5);
        }
    Drawn nothing;
    nothing.frame();
    nothing.point_at(0.5);
    CHECK_FALSE(nothing.response.hovered);
}

TEST_CASE("a long series costs no more vertices than the plot has columns for") {
    Drawn plot;
    plot.spec = two_series();
    Series& series = plot.spec.series[0];
    series.x.clear();
    series.rows = {{}};
    for (int i = 0; i < 50000; ++i) {
        series.x.push_back(i / 500.0);
        series.rows[0].push_back(std::sin(i * 0.7));
    }
    plot.frame();
    CHECK(plot.vertices < 12000);
}

TEST_CASE("errors of a diverged run, dashed and beyond a cut axis, cost no more than ordinary ones") {
    for (const double error : {1e5, 1e30, 1e300}) {
        Drawn plot;
        plot.spec = two_series();
        plot.spec.y.cut = 10.0;
        plot.spec.series[0].rows[1][4] = error;
        plot.spec.series[1].rows[0] = std::vector<double>(11, 5.0);
        plot.spec.series[1].rows[0][0] = error;
        plot.frame();
        CHECK(plot.vertices > 100);
        CHECK(plot.vertices < 12000);
    }
}

TEST_CASE("the wheel zooms at the pointer; beside an axis only that axis") {
    Drawn plot;
    plot.spec = two_series();
    plot.frame();
    const AxisRange y = plot.state.y_range();
    plot.wheel(plot.at(0.25, 0.5), 1.0F);
    const AxisRange x = plot.state.x_range();
    CHECK(x.second - x.first == doctest::Approx(87.0));
    CHECK(x.first + 0.25 * 87.0 == doctest::Approx(25.0).epsilon(0.01));  // what was under the pointer
    CHECK(plot.state.y_range().second - plot.state.y_range().first ==
          doctest::Approx(0.87 * (y.second - y.first)));
    plot.state.view = {};
    plot.wheel({plot.at(0.5, 0).x, plot.response.area_max.y + 5}, 2.0F);
    CHECK(plot.state.view.curves.x.has_value());
    CHECK_FALSE(plot.state.view.curves.y.has_value());
    plot.state.view = {};
    plot.wheel({plot.response.area_min.x - 10, plot.at(0, 0.5).y}, -2.0F);
    CHECK_FALSE(plot.state.view.curves.x.has_value());
    CHECK(plot.state.y_range().second > y.second);
    plot.state.view = {};
    plot.wheel({plot.response.area_min.x, plot.response.area_min.y - 30}, 2.0F);  // over the title
    CHECK(plot.state.view.curves.fitted());
}

TEST_CASE("new data never moves the user's view, and an axis that was not touched still follows") {
    Drawn plot;
    plot.spec = two_series();
    plot.spec.x.minimum.reset();
    plot.spec.x.maximum.reset();
    plot.frame();
    plot.wheel({plot.at(0.5, 0).x, plot.response.area_max.y + 5}, 1.0F);
    const AxisRange x = plot.state.x_range();
    plot.spec.series[0].x.push_back(500.0);
    for (auto& row : plot.spec.series[0].rows) row.push_back(3.0);
    plot.spec.series[0].rows[0][5] = 90.0;
    plot.new_data();
    CHECK(plot.state.x_range() == x);
    CHECK(plot.state.y_range().second > 40.0);
    plot.double_click(plot.at(0.5, 0.5));
    CHECK(plot.state.x_range().second > 500.0);
}

TEST_CASE("dragging pans along the way that was dragged; a double click fits, beside an axis only that one") {
    Drawn plot;
    plot.spec = two_series();
    plot.frame();
    const AxisRange y = plot.state.y_range();
    plot.drag(plot.at(0.5, 0.5), plot.at(0.6, 0.5));
    CHECK(plot.state.x_range().first == doctest::Approx(-10.0).epsilon(0.02));
    CHECK(plot.state.x_range().second == doctest::Approx(90.0).epsilon(0.02));
    CHECK_FALSE(plot.state.view.curves.y.has_value());
    plot.drag({plot.response.area_min.x - 10, plot.at(0, 0.5).y},
              {plot.response.area_min.x - 10, plot.at(0, 0.3).y});
    CHECK(plot.state.y_range().second ==
          doctest::Approx(y.second + 0.2 * (y.second - y.first)).epsilon(0.02));
    plot.frame(40);
    plot.double_click({plot.response.area_min.x - 10, plot.at(0, 0.5).y});
    CHECK(plot.state.y_range() == y);
    CHECK(plot.state.view.curves.x.has_value());
    plot.double_click(plot.at(0.5, 0.5));
    CHECK(plot.state.view.curves.fitted());
    CHECK(plot.state.x_range() == AxisRange{0.0, 100.0});
}

TEST_CASE(
    "a right drag zooms into the box; flat, it leaves that axis; a right click opens the menu instead") {
    Drawn plot;
    plot.spec = two_series();
    plot.frame();
    const AxisRange y = plot.state.y_range();
    const double height = y.second - y.first;
    plot.drag(plot.at(0.2, 0.8), plot.at(0.6, 0.4), 1);
    CHECK(plot.state.x_range().first == doctest::Approx(20.0).epsilon(0.02));
    CHECK(plot.state.x_range().second == doctest::Approx(60.0).epsilon(0.02));
    CHECK(plot.state.y_range().first == doctest::Approx(y.first + 0.4 * height).epsilon(0.02));
    CHECK(plot.state.y_range().second == doctest::Approx(y.first + 0.8 * height).epsilon(0.02));
    plot.state.view = {};
    plot.drag(plot.at(0.2, 0.5), plot.at(0.6, 0.505), 1);
    CHECK(plot.state.view.curves.x.has_value());
    CHECK_FALSE(plot.state.view.curves.y.has_value());
    plot.state.view = {};
    plot.click(plot.at(0.5, 0.5), 1);
    CHECK(plot.state.view.curves.fitted());
    CHECK(plot.gui.log().drawn("menu Fit to the data"));
}

TEST_CASE("the menu: scales, markers, the values that were read, the data") {
    Drawn plot;
    plot.spec = two_series();
    plot.frame();
    const auto choose = [&](const char* item) {
        plot.gui.move({790, 590});
        plot.click(plot.at(0.5, 0.2), 1);
        plot.frame(2);
        plot.click_on(item);
        plot.frame(2);
    };
    choose("menu Logarithmic y");
    CHECK(plot.state.shown().y.scale == Scale::logarithmic);
    choose("menu Logarithmic y");
    CHECK_FALSE(plot.state.view.y_scale.has_value());
    choose("menu Markers");
    CHECK_FALSE(plot.state.shown().markers);
    choose("menu Copy the values here");
    CHECK(std::string(ImGui::GetClipboardText()) == "steps 50\nlearned\t2 ± 1\nreference\t5\n");
    choose("menu Copy the data as CSV");
    CHECK(std::string(ImGui::GetClipboardText()).find("steps,learned,learned low,learned high,reference\n") ==
          0);
}

TEST_CASE("a plot that is not fitted offers to be") {
    Drawn plot;
    plot.spec = two_series();
    plot.frame();
    CHECK_FALSE(plot.gui.log().drawn("fit loss"));
    plot.wheel(plot.at(0.5, 0.5), 3.0F);
    plot.click_on("fit loss");
    CHECK(plot.state.view.curves.fitted());
    CHECK_FALSE(plot.gui.log().drawn("fit loss"));
}

TEST_CASE(
    "a click in the legend hides a series and shows it again, a double click isolates and brings back") {
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

TEST_CASE(
    "the legend is placed once, stays while data arrives, leaves when it covers data, and does not return") {
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

TEST_CASE("in a zoomed view the legend never changes the plot's height") {
    Drawn plot;
    plot.spec = two_series();
    plot.spec.y.minimum = -10.0;
    plot.spec.y.maximum = 10.0;
    plot.frame(2);
    REQUIRE(plot.state.legend.inside());
    plot.wheel(plot.at(0.5, 0.5), 1.0F);
    const float top = plot.response.area_min.y;
    for (size_t i = 0; i < 11; ++i)
        plot.spec.series[0].rows[0][i] = plot.spec.series[0].rows[1][i] = i % 2 ? 9.9 : -9.9;
    plot.new_data();
    plot.frame(200);
    CHECK(plot.response.area_min.y == top);
}

TEST_CASE("the legend of a histogram keeps off its bars, from the first frames on") {
    Drawn plot;
    plot.spec = two_series();
    // All seeds at the upper end.
    plot.spec.series[0].rows.clear();
    for (int seed = 0; seed < 8; ++seed)
        plot.spec.series[0].rows.push_back(std::vector<double>(11, 4.8 + 0.01 * seed));
    plot.frame(2);
    plot.state.view.histogram = true;
    plot.frame(3);
    const auto box = page::Rect{plot.state.legend.min().x, plot.state.legend.min().y,
                                plot.state.legend.max().x - plot.state.legend.min().x,
                                plot.state.legend.max().y - plot.state.legend.min().y};
    if (plot.state.legend.inside()) CHECK(plot.state.obstacles().covered_by(box) == 0.0);
    CHECK(plot.state.obstacles().covered_by({plot.at(0.0, 0.5).x, plot.at(0.0, 1.0).y, 600, 300}) > 0.0);
}

TEST_CASE("what a logarithmic axis leaves out is said beside the legend, not under it") {
    Drawn plot;
    plot.spec = two_series();
    plot.spec.x.minimum.reset();
    plot.spec.x.maximum.reset();
    plot.frame(2);
    plot.state.view.x_scale = Scale::logarithmic;
    plot.frame(100);
    REQUIRE(plot.state.note() == "2 points \u2264 0 not shown");
    if (!plot.state.legend.inside()) return;
    const page::Rect& note = plot.state.note_box();
    const ImVec2 low = plot.state.legend.min(), high = plot.state.legend.max();
    CHECK_FALSE(note.overlaps({low.x, low.y, high.x - low.x, high.y - low.y}));
}

TEST_CASE("a line that leaves a cut axis is marked where it does, and the end of the axis is said") {
    Drawn plot;
    plot.spec = two_series();
    plot.spec.y.cut = 4.0;
    plot.spec.series[0].rows = {{1, 1, 1, 7, 7, 7, 7, 1, 1, 1, 1}};
    plot.spec.series[1].rows = {std::vector<double>(11, 2.0)};
    plot.frame(2);
    CHECK(plot.state.note() == "y axis ends at 4");
    REQUIRE(plot.state.pixels()[0].exits.size() == 1);
    CHECK(plot.state.pixels()[0].exits[0] == doctest::Approx(plot.at(0.25, 0.0).x));
    plot.wheel(plot.at(0.5, 0.5), 2.0F);  // what a zoomed view leaves out is left out on purpose
    CHECK(plot.state.note().empty());
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
    plot.spec.lines = {
        {"one", 50.0, true},
        {"two", 51.0, true},
        {"at the end", 100.0, true},
        {"best linear", 3.0, false},
        {"batch TD", 3.02, false},
        {"outside", 1e6, true},
        {"a label that is much longer than the plot is wide, which has to be cut somewhere or other "
         "so that it does not hang out",
         2.0, false}};
    plot.frame();
    const auto& labels = plot.state.labels();
    REQUIRE(labels.size() == 6);
    for (size_t i = 0; i < labels.size(); ++i) {
        CHECK(labels[i].at.x >= plot.response.area_min.x);
        CHECK(labels[i].at.x + labels[i].size.x <= plot.response.area_max.x);
        CHECK(labels[i].at.y >= plot.response.area_min.y);
        for (size_t j = 0; j < i; ++j) {
            const bool apart = labels[i].at.x >= labels[j].at.x + labels[j].size.x ||
                               labels[j].at.x >= labels[i].at.x + labels[i].size.x ||
                               labels[i].at.y >= labels[j].at.y + labels[j].size.y ||
                               labels[j].at.y >= labels[i].at.y + labels[i].size.y;
            CHECK(apart);
        }
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

TEST_CASE("the data is laid out anew only where data, view or place have changed") {
    Drawn plot;
    plot.spec = two_series();
    plot.frame(200);  // until the legend has settled
    const int layouts = plot.state.layouts();
    plot.frame(50);
    plot.point_at(0.5);
    CHECK(plot.state.layouts() == layouts);
    plot.new_data();
    CHECK(plot.state.layouts() == layouts + 1);
    plot.wheel(plot.at(0.5, 0.5), 1.0F);
    CHECK(plot.state.layouts() > layouts + 1);
}

TEST_CASE("a histogram is drawn and read, and its zoom is its own") {
    Drawn plot;
    plot.spec = two_series();
    plot.state.view.histogram = true;
    plot.frame(2);
    CHECK(plot.state.shown().series.at(0).bars);
    plot.wheel(plot.at(0.5, 0.5), 2.0F);
    plot.gui.move(plot.at(0.3, 0.5));
    plot.frame();
    CHECK(plot.response.hovered);
    CHECK_FALSE(plot.state.view.bars.fitted());
    CHECK(plot.state.view.curves.fitted());
    plot.state.view.histogram = false;
    plot.frame();
    CHECK(plot.state.x_range() == AxisRange{0.0, 100.0});
}

TEST_CASE("an axis maps both ways") {
    const AxisMap linear({0.0, 10.0}, Scale::linear, 100.0F, 200.0F);
    CHECK(linear.pixel(5.0) == doctest::Approx(150.0));
    CHECK(linear.value(150.0) == doctest::Approx(5.0));
    const AxisMap decades({1.0, 100.0}, Scale::logarithmic, 0.0F, 100.0F);
    CHECK(decades.pixel(10.0) == doctest::Approx(50.0));
    CHECK(decades.value(50.0) == doctest::Approx(10.0));
    CHECK(std::isnan(decades.pixel(0.0)));
    CHECK(std::isnan(linear.pixel(std::numeric_limits<double>::quiet_NaN())));
}
