#include "core/pictures/draw_plot.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/core/pictures/recording_pen.h"

using namespace emergence;
using testing::RecordingPen;

namespace {

const Rect kInside{10, 20, 200, 100};

PlotSpec level_lines() {
    PlotSpec plot;
    plot.x.minimum = plot.y.minimum = 0.0;
    plot.x.maximum = plot.y.maximum = 10.0;
    plot.series = {{"learned", {0, 10}, {{2, 2}, {4, 4}}}, {"theory", {0, 10}, {{3, 3}}, 1, true}};
    return plot;
}

PlotLayout laid_out(const PlotSpec& plot, const PictureStyle& style) {
    const PlotPlace place(plot, {*plot.x.minimum, *plot.x.maximum}, {*plot.y.minimum, *plot.y.maximum}, kInside);
    return lay_out_plot(plot, shapes_of(plot), place, style, RecordingPen());
}

testing::Calls drawn(const PlotSpec& plot, const PictureStyle& style) {
    RecordingPen pen;
    draw_plot(pen, plot, laid_out(plot, style), {Emphasis::normal, Emphasis::normal}, style);
    return pen.calls;
}

bool has_call(const testing::Calls& calls, const std::string& call) {
    return std::find(calls.begin(), calls.end(), call) != calls.end();
}

}  // namespace

TEST_CASE("labels keep off data that does not move, and stay where it does") {
    PlotSpec plot = level_lines();
    plot.series[0].rows = {{5.5, 5.5}};  // where the label of a line at 5 would stand
    plot.lines = {{"five", 5.0, false}};
    PictureStyle style;
    style.plot.live = true;
    const Rect steady = laid_out(plot, style).marks.labels.at(0).box;
    CHECK(steady.bottom() < 70.0);
    style.plot.live = false;
    const Rect moved = laid_out(plot, style).marks.labels.at(0).box;
    CHECK(moved.y > 70.0);
}

TEST_CASE("labels of upright lines are read from below on a page, upright in the window") {
    PlotSpec plot = level_lines();
    plot.lines = {{"trained", 5.0, true}};
    PictureStyle style;
    CHECK_FALSE(laid_out(plot, style).marks.labels.at(0).turned);
    style.plot.turns_labels = true;
    const PlotLabel turned = laid_out(plot, style).marks.labels.at(0);
    CHECK(turned.turned);
    CHECK(turned.box.height > turned.box.width);
}

TEST_CASE("a point's label stays inside the axes, and below its point where another's leaves no line above") {
    PlotSpec plot = level_lines();
    plot.series = {{"places", {0, 2}, {{9, 9}}}};
    plot.series[0].points = true;
    plot.series[0].details.labels = {"a long one", "another"};
    PictureStyle style;
    style.plot.label.size = 8.0;
    const auto height_of = [&](const std::string& name) {
        for (const std::string& call : drawn(plot, style))
            if (call.starts_with("text") && call.ends_with(name)) return std::stod(call.substr(call.find(',') + 1));
        return -1.0;
    };
    CHECK(height_of("a long one") < 30.0);  // the points lie at 30
    CHECK(height_of("another") > 30.0);
    plot.series[0].rows = {{5, 5}};
    CHECK(height_of("another") < height_of("a long one"));
}

TEST_CASE("bars that touch share an outline; a bar of no height has none") {
    PlotSpec plot = level_lines();
    plot.series.resize(1);
    plot.series[0] = {"bars", {0, 2, 4, 6, 8}, {{5, 5, 0, 10, 0}}};
    plot.series[0].bars = true;
    plot.series.push_back({});
    const testing::Calls calls = drawn(plot, {});
    CHECK(has_call(calls, "band 10,120 90,120"));
    CHECK(has_call(calls, "and 10,70 90,70"));
    CHECK(has_call(calls, "line 10,120 10,70 90,70 90,120"));
    CHECK(has_call(calls, "line 130,120 130,20 170,20 170,120"));
}

TEST_CASE("a legend lists named series and the highlighted seed") {
    PlotSpec plot = level_lines();
    plot.series.push_back(plot.series[0]);
    plot.series[2].name = "";
    plot.highlighted_seed = 1;
    plot.seeds = {40, 41};
    const std::vector<LegendEntry> entries = legend_entries(plot);
    REQUIRE(entries.size() == 3);
    CHECK(entries[0].filled);
    CHECK(entries[1].dashed);
    CHECK(entries[2].note);
    CHECK(entries[2].name == "thin line: seed 41");
    RecordingPen pen;
    draw_sample(pen, entries[1], {3, 5}, {});
    CHECK(pen.calls == testing::Calls{"dashes 3,5 19,5"});
}

TEST_CASE("decimating keeps a short line as it is, and the way into and out of the picture") {
    const PointRun line{{0.5, 1}, {1.5, 2}, {2.5, 3}};
    CHECK(decimate(line, 3) == std::vector<PointRun>{line});
    CHECK(decimate({}, 10).empty());
    const auto runs = decimate({{-30, 0}, {-20, 9}, {-10, 1}, {5, 2}, {15, 3}, {25, 4}, {35, 5}}, 10);
    CHECK(runs == std::vector<PointRun>{{{-30, 0}, {-10, 1}, {5, 2}, {15, 3}, {35, 5}}});
}

TEST_CASE("decimating keeps the extremes of every column, in their order") {
    PointRun line;
    for (int i = 0; i < 10000; ++i) line.push_back({i * 0.01, std::sin(0.37 * i) * (1.0 + 0.001 * i)});
    line[4321].y = 500.0;
    line[4322].y = -700.0;
    const auto runs = decimate(line, 100);
    REQUIRE(runs.size() == 1);
    CHECK(runs[0].size() <= 400);
    const auto is_left = [](const Point& a, const Point& b) { return a.x < b.x; };
    CHECK(std::is_sorted(runs[0].begin(), runs[0].end(), is_left));
    const auto extremes = [](const PointRun& points, int column) {
        std::pair<double, double> found(1e9, -1e9);
        for (const Point& point : points)
            if (static_cast<int>(std::floor(point.x)) == column)
                found = {std::min(found.first, point.y), std::max(found.second, point.y)};
        return found;
    };
    for (int column = 0; column < 100; ++column) CHECK(extremes(line, column) == extremes(runs[0], column));
}

TEST_CASE("decimating parts a line at its gaps") {
    CHECK(decimate({{0.1, kMissing}, {kMissing, 1}}, 10).empty());
    const auto runs = decimate(
        {{0.1, kMissing}, {0.2, 1}, {0.3, kMissing}, {0.4, kMissing}, {0.5, 2}, {0.6, 3}, {0.7, kMissing}}, 10);
    CHECK(runs == std::vector<PointRun>{{{0.2, 1}}, {{0.5, 2}, {0.6, 3}}});
}

TEST_CASE("a line is cut where it leaves the band, however far it goes") {
    // Down from 1e40 into the band, along it, out below, and back in.
    const auto runs = clip_to_band({{0, 1e40}, {1, 5}, {2, 5}, {3, -95}, {4, 5}}, 0, 10);
    REQUIRE(runs.size() == 2);
    REQUIRE(runs[0].size() == 4);
    CHECK(runs[0][0].x == doctest::Approx(1));  // so steep that it enters where it arrives
    CHECK(runs[0][0].y == 10);
    CHECK(runs[0][1].y == 5);
    CHECK(runs[0][3].x == doctest::Approx(2.05));
    CHECK(runs[0][3].y == 0);
    CHECK(runs[1][0].x == doctest::Approx(3.95));
    CHECK(runs[1][1].x == 4);
}

TEST_CASE("what crosses the whole band keeps both cuts; what stays outside is gone; a single point stays") {
    const auto across = clip_to_band({{0, -10}, {10, 20}}, 0, 10);
    REQUIRE(across.size() == 1);
    CHECK(across[0][0].x == doctest::Approx(10.0 / 3));
    CHECK(across[0][1].x == doctest::Approx(20.0 / 3));
    CHECK(clip_to_band({{0, 11}, {1, 12}, {2, 1e300}}, 0, 10).empty());
    CHECK(clip_to_band({{3, 4}}, 0, 10).size() == 1);
    CHECK(clip_to_band({{3, 40}}, 0, 10).empty());
    for (const auto& run : clip_to_band({{0, 1e300}, {1, -1e300}, {2, 1e300}}, 0, 10))
        for (const Point& point : run) CHECK(std::isfinite(point.x + point.y));
}

TEST_CASE("numbers of the x axis move in at its end, and none touches its neighbour") {
    const testing::RecordingPen ruler;
    PictureStyle style;
    style.plot.tick.size = 10.0;  // a letter is 5 wide
    style.plot.numbers_apart = 8.0;
    const PlotPlace place({}, {0.0, 10.0}, {0.0, 1.0}, {0.0, 0.0, 100.0, 50.0});
    const std::vector<Tick> ticks = {{0.0, "0"}, {5.0, "five"}, {6.0, "six"}, {6.5, ""}, {10.0, "ten"}};
    const PlotAxes axes = lay_out_axes(place, ticks, {}, {-5.0, 100.0, 100.0}, style, ruler);
    CHECK(axes.x[1].left == 40.0);
    CHECK(axes.x[2].number.empty());
    CHECK(axes.x[3].minor);
    CHECK(axes.x[4].left == 85.0);
    CHECK(lay_out_axes(place, ticks, {}, {-5.0, 90.0, 100.0}, style, ruler).x[4].number.empty());
}
