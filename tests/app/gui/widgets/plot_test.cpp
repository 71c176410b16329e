#include "app/gui/widgets/plot.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/app/gui/widgets/drawn_plot.h"

using namespace emergence;
using namespace emergence::testing;

TEST_CASE("every spread, logarithmic axes, gaps, references and nothing at all can be drawn") {
    for (const Spread spread : {Spread::standard_error, Spread::deviation, Spread::median, Spread::every_seed})
        for (const Scale scale : {Scale::linear, Scale::logarithmic}) {
            Drawn plot;
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
    nothing.spec = {};
    nothing.frame();
    nothing.point_at(0.5);
    CHECK_FALSE(nothing.response.reading.has_value());
}

TEST_CASE("a long series costs no more vertices than the plot has columns for") {
    Drawn plot;
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
        plot.spec.y.cut = 10.0;
        plot.spec.series[0].rows[1][4] = error;
        plot.spec.series[1].rows[0] = std::vector<double>(11, 5.0);
        plot.spec.series[1].rows[0][0] = error;
        plot.frame();
        CHECK(plot.vertices > 100);
        CHECK(plot.vertices < 12000);
    }
}

TEST_CASE("the data is laid out anew only where data, view or place have changed") {
    Drawn plot;
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

TEST_CASE("axes that are held grow with the data and shrink when they are let go") {
    Framed plot;
    const AxisRange before = plot.state.y_range();
    plot.state.hold_axes(true);
    plot.spec.series[0].rows = {std::vector<double>(11, 1.0)};
    plot.spec.series[1].rows = {std::vector<double>(11, 1.5)};
    plot.new_data();
    CHECK(plot.state.y_range().first <= before.first);
    CHECK(plot.state.y_range().second == before.second);
    plot.spec.series[1].rows = {std::vector<double>(11, 50.0)};
    plot.new_data();
    CHECK(plot.state.y_range().second > 50.0);
    plot.spec.series[1].rows = {std::vector<double>(11, 1.5)};
    plot.state.hold_axes(false);
    plot.frame();
    CHECK(plot.state.y_range().second < 2.0);
}
