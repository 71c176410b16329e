#include "core/pictures/overlay.h"

#include <doctest/doctest.h>

#include <set>

#include "core/pictures/palette.h"

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
        std::set<std::pair<int, bool>> looks;
        for (const Series& series : plot.series) looks.insert({series.color, series.dashed});
        CHECK(looks.size() == plot.series.size());
    }
}

TEST_CASE("how it was before is dashed in its own colours, and no line looks as another") {
    PlotSpec plot;
    plot.series.resize(3);
    for (size_t i = 0; i < 3; ++i) {
        plot.series[i].name = i == 0 ? "network" : i == 1 ? "other" : "reference";
        plot.series[i].color = static_cast<int>(i % 2);
        plot.series[i].dashed = i == 2;  // looks as the first one's ghost would
    }
    const PlotSpec before = plot;
    overlay_before(plot, before);
    REQUIRE(plot.series.size() == 5);
    CHECK(plot.series[3].name == "network, before");
    CHECK(in_dashes(plot.series[3].color, 0) == 0);
    CHECK(in_dashes(plot.series[4].color, 0) == 1);
    for (size_t i = 0; i < 5; ++i)
        for (size_t j = 0; j < i; ++j)
            CHECK((plot.series[i].color != plot.series[j].color || plot.series[i].dashed != plot.series[j].dashed));
}
