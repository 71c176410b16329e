#include "core/pictures/plot.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>

#include "core/pictures/axis.h"
#include "core/pictures/pen.h"

using namespace emergence;

namespace {

PlotSpec two_lines() {
    PlotSpec plot;
    plot.x.label = "steps";
    plot.y.label = "loss";
    plot.series = {{"a", {0, 10, 20}, {{1, 2, 3}, {1, 2, 5}}, 0, false},
                   {"b", {0, 10, 20}, {{100, 100, 100}, {100, 100, 100}}, 1, true}};
    return plot;
}

PlotSpec drawn_in_view(const PlotSpec& plot, const PlotView& view) {
    PlotSpec shown = shown_as(plot, view);
    set_ranges(shown, shapes_of(shown), view.ranges());
    return shown;
}

}  // namespace

TEST_CASE("a view puts scales, spread, smoothing and hidden series into the plot") {
    PlotView view;
    view.x_scale = Scale::logarithmic;
    view.spread = Spread::deviation;
    view.smoothing = 0.9;
    view.markers = false;
    view.hidden = {"b", "no such series"};
    const PlotSpec shown = drawn_in_view(two_lines(), view);
    CHECK(shown.x.scale == Scale::logarithmic);
    CHECK(shown.y.scale == Scale::linear);
    CHECK(shown.spread == Spread::deviation);
    CHECK(shown.smoothing == 0.9);
    CHECK_FALSE(shown.markers);
    CHECK_FALSE(shown.series[0].hidden);
    CHECK(shown.series[1].hidden);
    CHECK(*shown.y.maximum < 10.0);  // the hidden series does not count
    CHECK(*shown.x.minimum > 0.0);
}

TEST_CASE("a view's ranges win over the plot's own, and what an axis cannot show is fitted") {
    PlotSpec plot = two_lines();
    plot.x.minimum = 0.0;
    PlotView view;
    view.curves.x = {5.0, 15.0};
    PlotSpec shown = drawn_in_view(plot, view);
    CHECK(*shown.x.minimum == 5.0);
    CHECK(*shown.x.maximum == 15.0);
    view.curves.x = {-5.0, 15.0};
    CHECK(*drawn_in_view(plot, view).x.minimum == -5.0);
    view.x_scale = Scale::logarithmic;
    CHECK(*drawn_in_view(plot, view).x.minimum > 0.0);
    view.hidden = {"b"};
    view.x_scale.reset();
    view.curves.x = {-5.0, 12.0};
    CHECK(*drawn_in_view(plot, view).y.maximum < 2.2);  // fitted to what is seen: 1 and 2
}

TEST_CASE("zooming keeps what is under the pointer, panning moves by shares of the axis") {
    CHECK(zoomed({0, 10}, Scale::linear, 0.5, 0.5) == AxisRange{2.5, 7.5});
    CHECK(zoomed({0, 10}, Scale::linear, 0.0, 0.5) == AxisRange{0, 5});
    const AxisRange decades = zoomed({1, 10000}, Scale::logarithmic, 0.5, 0.5);
    CHECK(decades.first == doctest::Approx(10));
    CHECK(decades.second == doctest::Approx(1000));
    CHECK(panned({0, 10}, Scale::linear, 0.1) == AxisRange{-1, 9});
    CHECK(panned({1, 100}, Scale::logarithmic, -0.5).first == doctest::Approx(10));
    SUBCASE("and neither goes where numbers end") {
        AxisRange range{1, 2};
        for (int i = 0; i < 500; ++i) range = zoomed(range, Scale::linear, 0.3, 0.5);
        CHECK(is_valid(range, Scale::linear));
        for (int i = 0; i < 5000; ++i) range = zoomed(range, Scale::linear, 0.3, 2.0);
        CHECK(is_valid(range, Scale::linear));
        range = {1, 2};
        for (int i = 0; i < 5000; ++i) range = zoomed(range, Scale::logarithmic, 0.3, 2.0);
        CHECK(is_valid(range, Scale::logarithmic));
        for (int i = 0; i < 5000; ++i) range = panned(range, Scale::logarithmic, 0.5);
        CHECK(is_valid(range, Scale::logarithmic));
    }
    CHECK_FALSE(is_valid({0, 1}, Scale::logarithmic));
    CHECK_FALSE(is_valid({2, 1}, Scale::linear));
    CHECK_FALSE(is_valid({0, kMissing}, Scale::linear));
}

TEST_CASE("a histogram counts each seed's last value once, on bins that all series share") {
    PlotSpec plot = two_lines();
    plot.series[0].rows = {{0, 0, 1}, {0, 0, 1}, {0, 0, 3}, {0, kMissing, kMissing}};
    plot.series[1].rows = {{5, 5, 2}};
    plot.lines = {{"limit", 4.0, false}};
    const PlotSpec histogram = histogram_of(plot);
    CHECK(histogram.x.label == "loss");
    CHECK(histogram.y.label == "networks at steps = 20");
    REQUIRE(histogram.series.size() == 1);
    const Series& bars = histogram.series[0];
    CHECK(bars.bars);
    REQUIRE(bars.rows[0].size() == bars.x.size());
    double sum = 0.0;
    for (size_t i = 0; i < bars.x.size(); ++i) {
        sum += bars.rows[0][i];
        if (bars.rows[0][i] == 2.0) CHECK((bars.x[i] <= 1.0 && bars.x[i + 1] >= 1.0));
    }
    CHECK(sum == 3.0);
    CHECK(bars.rows[0].back() == 0.0);
    REQUIRE(histogram.lines.size() == 2);
    CHECK(histogram.lines[1].label == "b");
    CHECK(histogram.lines[1].value == 2.0);
    CHECK(histogram.lines[1].vertical);
    CHECK(histogram.readout.empty());
}

TEST_CASE("a histogram is read at the marked x, says what is beyond the cut, and stands on zero") {
    PlotSpec plot = two_lines();
    plot.lines = {{"here", 9.0, true}};
    plot.series.pop_back();
    plot.series[0].rows = {{1, 2, 9}, {1, 3, 9}, {1, 50, 9}};
    plot.y.cut = 10.0;
    const PlotSpec histogram = histogram_of(plot);
    CHECK(histogram.y.label == "networks at steps = 10");
    CHECK(histogram.readout == "1 value beyond the axis");
    CHECK(fit_y(histogram).first == 0.0);
    CHECK(fit_y(histogram).second >= 1.0);
    CHECK(histogram_of(PlotSpec{}).series.empty());
}

namespace {

Series line(const std::string& name, int color, bool dashed = false) { return {name, {0, 1}, {{1, 2}}, color, dashed}; }

// How each line looks.
std::set<std::pair<int, bool>> looks_of(const PlotSpec& plot) {
    std::set<std::pair<int, bool>> looks;
    for (const Series& series : plot.series) looks.insert({series.color, series.dashed});
    return looks;
}

// Two quantities with a reference between them.
PlotSpec similarity() {
    PlotSpec plot;
    plot.series = {line("IWS", 0), line("decoy", 3, true), line("SS", 1)};
    return plot;
}

}  // namespace

TEST_CASE("one saved run is dashed in the colours of the present one") {
    PlotSpec plot = similarity();
    overlay_kept(plot, {{"kept", similarity()}});
    REQUIRE(plot.series.size() == 5);
    CHECK_FALSE(plot.series[0].dashed);
    CHECK(plot.series[3].name == "IWS, kept");
    CHECK(plot.series[4].name == "SS, kept");
    CHECK(plot.series[4].color == plot.series[2].color);
    CHECK(plot.series[4].dashed);
    CHECK_FALSE(plot.note.empty());
}

TEST_CASE("of several saved runs the colour says which run, the line style which quantity") {
    PlotSpec plot = similarity();
    overlay_kept(plot, {{"first", similarity()}, {"second", similarity()}});
    REQUIRE(plot.series.size() == 7);
    CHECK(plot.series[1].color == 3);  // a reference stays what it is
    CHECK(dashes_of(plot.series[1].color) == 0);
    const size_t of_run[3][2] = {{0, 2}, {3, 4}, {5, 6}};  // IWS, SS
    std::set<int> colors;
    for (const auto& [iws, ss] : of_run) {
        CHECK(plot.series[ss].color % kDashedColors == plot.series[iws].color);
        colors.insert(plot.series[iws].color);
        CHECK_FALSE(plot.series[iws].dashed);
        CHECK(plot.series[ss].dashed);
        CHECK(dashes_of(plot.series[ss].color) == dashes_of(plot.series[2].color));
        CHECK(dashes_of(plot.series[ss].color) != 0);  // that is how references are drawn
    }
    CHECK(colors.size() == 3);
    CHECK(plot.series[6].name == "SS, second");
    overlay_kept(plot, {});
    CHECK(plot.series.size() == 7);
}

TEST_CASE("run B's lines are dashed and have colours of their own; each run's references are named") {
    PlotSpec a = similarity(), b = similarity();
    b.series[1].rows = {{1, 3}};  // the decoy is another one
    a.series.push_back(line("zero", 7, true));
    b.series.push_back(line("zero", 7, true));
    b.series.back().rows = {{1}};  // it lags behind
    overlay(a, b);
    std::vector<std::string> names;
    for (const Series& series : a.series) names.push_back(series.name);
    CHECK(names == std::vector<std::string>{"IWS, A", "decoy, A", "SS, A", "zero", "IWS, B", "decoy, B", "SS, B"});
    std::set<int> colors;
    for (const Series& series : a.series) colors.insert(series.color % kDashedColors);
    CHECK(colors.size() == a.series.size());
    CHECK(a.series[4].dashed);
    CHECK(dashes_of(a.series[4].color) == 0);
    CHECK(dashes_of(a.series[5].color) == 1);
    CHECK_FALSE(a.series[0].dashed);
}

TEST_CASE("run B's layers keep their order, in the other course of hues") {
    PlotSpec a, b;
    for (int layer = 0; layer < 3; ++layer) a.series.push_back(line("layer", ordinal_color(Course::blues, layer, 3)));
    b = a;
    overlay(a, b);
    for (int layer = 0; layer < 3; ++layer)
        CHECK(a.series[3 + static_cast<size_t>(layer)].color == ordinal_color(Course::reds, layer, 3));
    CHECK(other_course(ordinal_color(Course::reds, 1, 3)) == ordinal_color(Course::blues, 1, 3));
    CHECK(other_course(5) == 5);
}

TEST_CASE("no two lines look alike, however many runs are drawn beside the present one") {
    std::vector<std::pair<std::string, PlotSpec>> kept;
    for (int i = 0; i < 30; ++i) kept.emplace_back("run " + std::to_string(i), similarity());
    for (const size_t count : {size_t{1}, size_t{30}}) {
        PlotSpec plot = similarity();
        overlay(plot, similarity());  // run B's lines are dashed too
        overlay_kept(plot, {kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(count)});
        CHECK(looks_of(plot).size() == plot.series.size());
    }
}

TEST_CASE("how it was before is dashed in its own colours, and no line looks as another") {
    PlotSpec plot;
    // The reference looks as the first one's ghost would.
    plot.series = {line("network", 0), line("other", 1), line("reference", 0, true)};
    const PlotSpec before = plot;
    overlay_before(plot, before);
    REQUIRE(plot.series.size() == 5);
    CHECK(plot.series[3].name == "network, before");
    CHECK(in_dashes(plot.series[3].color, 0) == 0);
    CHECK(in_dashes(plot.series[4].color, 0) == 1);
    CHECK(looks_of(plot).size() == 5);
}
