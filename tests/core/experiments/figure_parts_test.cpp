#include "core/experiments/figure_parts.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/base/error.h"
#include "tests/support/toy_study.h"

using namespace emergence;
using emergence::testing::toy_info;
using emergence::testing::toy_settings;

TEST_CASE("a statistic of seeds comes with its bootstrap interval and n") {
    std::vector<std::vector<double>> rows;
    for (int k = 0; k < 100; ++k) rows.push_back({static_cast<double>(k % 10)});
    const auto mean = [&](const Places& places) { return summary_at(rows, places).mean; };
    const Measurement measured = bootstrapped(rows.size(), mean, "of a hundred");
    CHECK(measured.value == doctest::Approx(4.5));
    CHECK(measured.n == 100);
    CHECK(measured.detail == "of a hundred");
    // The normal interval: 4.5 -+ 1.96 * 2.887 / 10.
    REQUIRE(measured.interval);
    CHECK(measured.interval->low == doctest::Approx(3.94).epsilon(0.03));
    CHECK(measured.interval->high == doctest::Approx(5.06).epsilon(0.03));
    CHECK(bootstrapped(rows.size(), mean).interval == measured.interval);  // the same draws
    CHECK_FALSE(bootstrapped(1, mean).interval);
    const auto largest = [](const Places& places) {
        return static_cast<double>(*std::max_element(places.begin(), places.end()));
    };
    CHECK(bootstrapped(10, largest).interval->contains(9));
    CHECK(all_places(3) == Places{0, 1, 2});
    CHECK(summary_at({{1}, {kMissing}, {5}}, {2, 2, 1, 0}).mean == doctest::Approx(11.0 / 3));
}

TEST_CASE("plots, matrices and last values are found by name") {
    const StudyGrid grid = run_studies(
        toy_info(), {{"", toy_settings({"num_steps=40", "seed=3", "diverge_seed=2", "num_seeds=3"})}}, {});
    const FinishedRun& run = grid.runs[0];
    CHECK(plot_of_run(run, "loss", "Loss").title == "Loss");
    CHECK(plot_of_run(run, "loss", "Loss").series[0].rows.size() == 3);
    CHECK_THROWS_AS(plot_of_run(run, "gain", ""), InputError);
    CHECK(heatmap_of_run(run, "A", MatrixView::Mode::raw).values.rows == 3);
    CHECK_THROWS_AS(heatmap_of_run(run, "B", MatrixView::Mode::raw), InputError);
    const auto last = final_values(run.snapshot, run.history, "loss");
    REQUIRE(last.size() == 2);  // the third diverged
    CHECK(last[1][0] == run.history.column("loss", 1).back());
}
