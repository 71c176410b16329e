#include "app/gui/widgets/plot.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

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
    void frame() {
        vertices = gui.frame_in_window([&] { response = draw_plot(gui.ui(), spec, state, {600, 300}); });
    }
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
    for (const Spread spread : {Spread::standard_error, Spread::every_seed, Spread::median})
        for (const Scale scale : {Scale::linear, Scale::logarithmic}) {
            Drawn plot;
            plot.spec = two_series();
            plot.spec.spread = spread;
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
