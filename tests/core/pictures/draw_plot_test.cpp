#include "core/pictures/draw_plot.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "core/pictures/legend_entry.h"
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

TEST_CASE("a plot is its band, its lines and the dashed ones above, inside its axes") {
    PlotSpec plot = level_lines();
    plot.markers = false;
    const testing::Calls calls = drawn(plot, {});
    REQUIRE(calls.size() == 6);
    CHECK(calls.front() == "clip 10,20 210,120");
    CHECK(calls[1].starts_with("band 10,100 210,100"));  // 3 - 1
    CHECK(calls[2].starts_with("and 10,80 210,80"));
    CHECK(calls[3] == "line 10,90 210,90");
    CHECK(calls[4] == "dashes 10,90 210,90");
    CHECK(calls.back() == "unclip");
}

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
