#include "app/gui/panels/curves.h"

#include <doctest/doctest.h>

#include "core/pictures/axis.h"
#include "tests/app/gui/bench_of_panels.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

// The curves have the stage.
struct CurvesBench : BenchOfPanels {
    explicit CurvesBench(const std::vector<std::string>& changes = {}, ImVec2 size = {1600, 1000}, bool running = false)
        : BenchOfPanels(changes, size, running) {
        workbench.stage().open({{"loss", "corner", "rows", "values"}, {"A"}, {}}, {});
        frames(3);
    }
};

// The plots over training steps, by id.
std::vector<PlotSpec> histories(const BenchOfPanels& bench) {
    std::vector<PlotSpec> plots;
    for (const PlotSpec& plot : bench.workbench.curves().plots())
        if (plot.x.label == bench.snapshot().step_unit) plots.push_back(plot);
    return plots;
}

void wheel_over(BenchOfPanels& bench, const std::string& plot) {
    bench.gui.move(bench.centre("plot " + plot));
    bench.frames(2);
    bench.gui.zoom(2.0F, [&] { bench.frames(); });
    bench.frames(2);
}

// Clicks what stands in the menu of all curves.
void in_look(BenchOfPanels& bench, const std::string& widget) {
    bench.act(Action::curves_look);
    bench.frames(2);
    bench.click(widget);
    bench.key(GLFW_KEY_ESCAPE);
    bench.frames(2);
}

}  // namespace

TEST_CASE("plots over the same quantity are zoomed along x together, until they are unlinked; F fits all") {
    CurvesBench bench({}, {1600, 1000}, true);
    bench.frames(5);
    REQUIRE(histories(bench).size() >= 2);
    const auto fitted = histories(bench);
    wheel_over(bench, fitted[0].id);
    auto zoomed_in = histories(bench);
    CHECK(*zoomed_in[0].x.maximum - *zoomed_in[0].x.minimum < *fitted[0].x.maximum - *fitted[0].x.minimum);
    CHECK(*zoomed_in[1].x.minimum == *zoomed_in[0].x.minimum);
    CHECK(*zoomed_in[1].x.maximum == *zoomed_in[0].x.maximum);
    bench.key(GLFW_KEY_F);
    CHECK(*histories(bench)[1].x.minimum == 0.0);
    CHECK(*histories(bench)[0].x.minimum == 0.0);
    in_look(bench, "link x");
    wheel_over(bench, fitted[1].id);
    zoomed_in = histories(bench);
    CHECK(*zoomed_in[1].x.minimum > 0.0);
    CHECK(*zoomed_in[0].x.minimum == 0.0);
    in_look(bench, "link x");
    CHECK(*histories(bench)[0].x.minimum == *histories(bench)[1].x.minimum);
    in_look(bench, "fit all");
    CHECK(*histories(bench)[1].x.minimum == 0.0);
}

TEST_CASE("a zoom is kept while the run goes on and when it starts over") {
    CurvesBench bench({"num_steps=2000"}, {1600, 1000}, true);
    bench.frames(5);
    const std::string id = histories(bench)[0].id;
    wheel_over(bench, id);
    const PlotSpec before = histories(bench)[0];
    const int64_t step = bench.snapshot().step;
    bench.frames(20);
    REQUIRE(bench.snapshot().step > step);
    CHECK(*histories(bench)[0].x.minimum == *before.x.minimum);
    CHECK(*histories(bench)[0].y.maximum == *before.y.maximum);
    bench.key(GLFW_KEY_R);
    bench.frames(3);
    CHECK(*histories(bench)[0].x.maximum == *before.x.maximum);
}

TEST_CASE("the seed that is looked at in the matrices stands out in the curves; smoothing is for histories") {
    CurvesBench bench({}, {1600, 1000}, true);
    bench.frames(3);
    bench.click("dot 2");
    bench.frames(2);
    CHECK(histories(bench)[0].highlighted_seed == 2);
    bench.act(Action::curves_look);
    bench.frames(2);
    const auto& slider = bench.place("smoothing");
    bench.click_at({slider.max.x - 8, (slider.min.y + slider.max.y) / 2});
    bench.frames(2);
    for (const PlotSpec& plot : bench.workbench.curves().plots())
        CHECK((plot.smoothing > 0.8) == (plot.x.label == bench.snapshot().step_unit));
}

TEST_CASE("what is exported has the limits that are drawn") {
    CurvesBench bench({}, {1600, 1000}, true);
    bench.frames(5);
    for (const PlotSpec& plot : bench.workbench.curves().plots()) {
        REQUIRE((plot.x.minimum && plot.x.maximum && plot.y.minimum && plot.y.maximum));
        CHECK(fit_x(plot) == std::pair{*plot.x.minimum, *plot.x.maximum});
        CHECK(fit_y(plot) == std::pair{*plot.y.minimum, *plot.y.maximum});
    }
}

TEST_CASE("the spread that is marked is the one that is drawn, and a click on it holds for every plot") {
    CurvesBench bench;
    bench.workbench.answer(
        ask::Paste{"experiment = \"toy\"\n[settings]\n[view]\n\"plot.loss.spread\" = \"quartiles\"\n"}, *bench.session);
    bench.frames(5);
    bench.workbench.stage().open({{"loss"}, {"A"}, {}}, {});
    bench.frames(3);
    const auto of_loss = [&] {
        for (const PlotSpec& plot : bench.workbench.curves().plots())
            if (plot.id == "loss") return plot.spread;
        return Spread::every_seed;
    };
    REQUIRE(of_loss() == Spread::median);
    bench.click("spread quartiles");  // marked already
    CHECK(of_loss() == Spread::median);
    for (int twice = 0; twice < 2; ++twice) {
        bench.click("spread \u00b1 s.e.");
        CHECK(of_loss() == Spread::standard_error);
    }
}
