#include "app/gui/panels/history_plots.h"

#include <doctest/doctest.h>

#include <set>

#include "core/pictures/line_style.h"

using namespace emergence;

namespace {

Series line(const std::string& name, int color, bool dashed = false) {
    Series series;
    series.name = name;
    series.x = {0, 1};
    series.rows = {{1, 2}};
    series.color = color;
    series.dashed = dashed;
    return series;
}

// Two quantities with a reference between them.
PlotSpec similarity() {
    PlotSpec plot;
    plot.series = {line("IWS", 0), line("decoy", 3, true), line("SS", 1)};
    return plot;
}

}  // namespace

TEST_CASE("one kept run is dashed in the colours of the present one") {
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

TEST_CASE("of several kept runs the colour says which run, the line style which quantity") {
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

TEST_CASE("no two lines look alike, however many runs are drawn beside the present one") {
    std::vector<std::pair<std::string, PlotSpec>> kept;
    for (int i = 0; i < 30; ++i) kept.emplace_back("run " + std::to_string(i), similarity());
    for (const size_t count : {size_t{1}, size_t{30}}) {
        PlotSpec plot = similarity();
        overlay(plot, similarity());  // run B's lines are dashed too
        overlay_kept(plot, {kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(count)});
        std::set<std::pair<int, bool>> looks;
        for (const Series& series : plot.series) looks.insert({series.color, series.dashed});
        CHECK(looks.size() == plot.series.size());
    }
}
