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
