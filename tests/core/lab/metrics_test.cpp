#include "core/lab/snapshot.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "core/base/error.h"
#include "core/pictures/plot.h"

using namespace emergence;

namespace {

MetricHistory two_by_two() {
    return {{{.name = "loss", .label = "Loss", .help = ""}, {.name = "iws", .label = "IWS", .help = ""}}, 2};
}

MetricPlot loss_plot() {
    MetricPlot plot;
    plot.id = "loss";
    plot.title = "Loss";
    plot.metrics = {{.metric = "loss", .label = "", .color = 3, .dashed = true},
                    {.metric = "iws", .label = "similarity", .color = 1, .dashed = false}};
    plot.lines = {{.label = "floor", .value = 0.5, .vertical = false}};
    return plot;
}

}  // namespace

TEST_CASE("rows become columns, in any order of seeds") {
    MetricHistory history = two_by_two();
    history.append({0, 0, {1.0, 0.1}});
    history.append({1, 0, {2.0, 0.2}});
    history.append({1, 10, {1.5, 0.3}});
    history.append({0, 10, {0.5, 0.4}});
    CHECK(history.steps() == std::vector<double>{0, 10});
    CHECK(history.column("loss", 0) == std::vector<double>{1.0, 0.5});
    CHECK(history.column("iws", 1) == std::vector<double>{0.2, 0.3});
    CHECK(history.revision() == 4);
}

TEST_CASE("a seed that stopped or lags is missing at the others' steps") {
    MetricHistory history = two_by_two();
    history.append({0, 0, {1.0, 0.0}});
    history.append({0, 20, {3.0, 0.0}});
    history.append({1, 0, {1.0, 0.0}});
    history.append({1, 10, {2.0, 0.0}});  // a step between, unseen so far
    CHECK(history.steps() == std::vector<double>{0, 10, 20});
    CHECK(std::isnan(history.column("loss", 0)[1]));
    CHECK(history.column("loss", 0)[2] == 3.0);
    CHECK(std::isnan(history.column("loss", 1)[2]));
}

TEST_CASE("a plot ends at the wanted step and carries its description") {
    MetricHistory history = two_by_two();
    for (int step = 0; step <= 50; step += 10)
        for (int seed = 0; seed < 2; ++seed) history.append({seed, step, {1.0 * step, 2.0 * step}});
    AxisSpec x;
    x.label = "MRPs";
    const PlotSpec plot = history.plot(loss_plot(), x, 35);
    CHECK((plot.id == "loss" && plot.x.label == "MRPs" && plot.lines.size() == 1));
    REQUIRE(plot.series.size() == 2);
    CHECK((plot.series[0].name == "Loss" && plot.series[0].dashed && plot.series[0].color == 3));
    CHECK(plot.series[1].name == "similarity");
    CHECK(plot.series[1].x == std::vector<double>{0, 10, 20, 30});
    REQUIRE(plot.series[1].rows.size() == 2);
    CHECK(plot.series[1].rows[1] == std::vector<double>{0, 20, 40, 60});
    CHECK(history.plot(loss_plot(), x, -1).series[0].x.empty());
}

TEST_CASE("a plane has a point where each seed is, the way that led there, and medians in words") {
    MetricHistory history({{"x", "x", ""}, {"y", "y", ""}, {"half", "half", ""}, {"share", "share", ""}}, 3);
    for (int seed = 0; seed < 3; ++seed)
        for (int64_t step = 0; step <= 20; step += 10)
            history.append({seed, step, {0.1 * seed, 0.01 * static_cast<double>(step), 0.2, 0.05}});
    MetricPlot description;
    description.id = "map";
    MetricPlane plane;
    plane.x = "x", plane.y = "y", plane.half_x = plane.half_y = plane.tilt = "half";
    plane.ring = "share";
    plane.x_axis.label = "across";
    history.append({0, 30, {0.1, 0.3, 0.6, 0.05}});
    plane.groups = {{"odd", 1}, {"even", 2}};
    plane.first_seed = 7;
    plane.landmarks.name = "landmarks";
    plane.told = {"x", "y"};
    plane.words = [](const std::vector<double>& told) {
        return std::to_string(std::lround(100 * told[0])) + " and " + std::to_string(std::lround(100 * told[1]));
    };
    plane.verdict = [](const std::vector<double>& told) { return std::string(told[0] < 0.15 ? "near" : "far"); };
    description.plane = plane;
    const PlotSpec plot = history.plot(description, {}, 10);
    CHECK(plot.x.label == "across");
    REQUIRE(plot.series.size() == 6);  // landmarks, three ways, two groups
    CHECK(plot.series[1].trail);
    CHECK(plot.series[1].x.size() == 2);
    CHECK(plot.series[3].seeds == std::vector<uint64_t>{9});
    const Series& first = plot.series[4];
    CHECK(first.points);
    CHECK(first.x == std::vector<double>{0, 0.2});
    CHECK(first.rows[0] == std::vector<double>{0.1, 0.1});
    CHECK(first.seeds == std::vector<uint64_t>{7, 9});
    CHECK(first.details.words[1] == "20 and 10");
    CHECK(plot.readout == "odd: 1 of 2 near, 1 far; x 0.10 (median of 2); y 0.10 (median of 2)\neven: 10 and 10");
    CHECK(std::isnan(history.plot(description, {}, 30).series[1].rows[0][3]));  // where it was not known well
    CHECK(history.plot(description, {}, -1).series[1].x.empty());
}

TEST_CASE("a plane parts its read-out, and a coordinate that is missing may be anywhere") {
    constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
    MetricHistory history({{"x", "", ""}, {"y", "", ""}, {"half", "", ""}, {"tilt", "", ""}, {"has", "", ""}}, 2);
    history.append({0, 0, {0.5, 0.25, 0.1, 0.3, 1}});
    history.append({1, 0, {kMissing, 0.75, 0.1, kMissing, 0}});
    MetricPlot description;
    MetricPlane plane;
    plane.x = "x", plane.y = "y", plane.half_x = plane.half_y = plane.ring = "half", plane.tilt = "tilt";
    AxisBuilder(plane.x_axis, "").from(-1).to(2);
    plane.groups = {{"seeds", 1}};
    plane.split_by = "has";
    plane.told = {"x"};
    plane.words = [](const std::vector<double>& told) {
        return std::string(std::isfinite(told[0]) ? "known" : "open");
    };
    description.plane = plane;
    const PlotSpec plot = history.plot(description, {}, 0);
    CHECK(plot.readout == "emerged: known\nothers: open");
    REQUIRE(plot.series.size() == 5);  // landmarks, two ways, two kinds of marks
    const Series &emerged = plot.series[3], &other = plot.series[4];
    CHECK((emerged.name == "emerged" && !emerged.dashed && emerged.seeds.size() == 1));
    CHECK((other.name == "others" && other.dashed && other.seeds.size() == 1));
    CHECK(emerged.details.knows_x(0));
    CHECK_FALSE(other.details.knows_x(0));  // what stands for it says nothing
    CHECK(other.details.knows_y(0));
    CHECK(emerged.details.half_x[0] == 0.1);
    CHECK(other.details.half_y == std::vector<double>{0.1});
    CHECK((emerged.details.tilt[0] == 0.3 && other.details.tilt[0] == 0));
}

TEST_CASE("medians of a plane are over the seeds whose coordinate is known, and say of how many") {
    constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
    MetricHistory history({{"x", "β", ""}, {"y", "c", ""}, {"half", "", ""}, {"near", "", ""}}, 3);
    history.append({0, 0, {-1.0, 0.1, 2.0, 0.1}});  // known to within 2: not known
    history.append({1, 0, {1.4, 0.3, 0.2, 0.1}});
    history.append({2, 0, {kMissing, 0.5, kMissing, 0.1}});
    MetricPlot description;
    MetricPlane plane;
    plane.x = "x", plane.y = "y", plane.half_x = "half", plane.half_y = plane.tilt = plane.ring = "near";
    plane.groups = {{"seeds", 1}};
    plane.told = {"x"};
    plane.words =
        plane.verdict = [](const std::vector<double>& told) { return std::string(told[0] > 0 ? "TD" : "none"); };
    description.plane = plane;
    CHECK(history.plot(description, {}, 0).readout == "2 of 3 none, 1 TD; β 1.40 (known of 1); c 0.30 (median of 3)");
}

TEST_CASE("unknown metrics name what there is, rows that do not fit are refused") {
    MetricHistory history = two_by_two();
    CHECK_THROWS_WITH_AS(history.column("gain", 0), "unknown metric 'gain'. Known: loss, iws", InputError);
    CHECK_THROWS_WITH_AS(history.append({2, 0, {1.0, 0.0}}), doctest::Contains("a metric row's seed is one"),
                         InvariantError);
    CHECK_THROWS_WITH_AS(history.append({0, 0, {1.0}}), doctest::Contains("one value a metric"), InvariantError);
    CHECK(MetricHistory().steps().empty());
}

TEST_CASE("a seed's best checkpoint is its logged point with the largest product, marked on solid lines") {
    MetricHistory history = two_by_two();
    const double values[][2] = {{0.5, 0.4}, {0.9, 0.5}, {0.6, 0.7}, {0.9, 0.9}};
    for (int i = 0; i < 4; ++i) {
        history.append({0, 10 * i, {values[i][0], values[i][1]}});
        history.append({1, 10 * i, {0.0, 0.8}});  // never above 0
    }
    const std::vector<std::string> both = {"loss", "iws"};
    CHECK(history.best_point(both, 0, 20) == 1);
    CHECK(history.best_point(both, 0, 30) == 3);
    CHECK_FALSE(history.best_point(both, 1, 30).has_value());
    MetricPlot description = loss_plot();
    description.best_by = both;
    const PlotSpec plot = history.plot(description, {}, 20);
    REQUIRE(plot.series.size() == 3);  // the dashed line has no marks
    const Series& marks = plot.series[2];
    CHECK(marks.points);
    CHECK(marks.name == "best checkpoint");
    CHECK(marks.color == 1);
    CHECK(marks.x == std::vector<double>{10});
    CHECK(marks.rows == std::vector<std::vector<double>>{{0.5}});
}
