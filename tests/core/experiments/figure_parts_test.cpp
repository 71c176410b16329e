#include "core/experiments/figure_parts.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

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
    const StudyGrid grid =
        run_studies(toy_info(), {{"", toy_settings({"num_steps=40", "seed=3", "diverge_seed=2", "num_seeds=3"})}}, {});
    const FinishedRun& run = grid.runs[0];
    CHECK(plot_of_run(run, "loss", "Loss").title == "Loss");
    CHECK(plot_of_run(run, "loss", "Loss").series[0].rows.size() == 3);
    CHECK_THROWS_WITH_AS(plot_of_run(run, "gain", ""), doctest::Contains("plot 'gain': the run has none"), InputError);
    CHECK(heatmap_of_run(run, "A", MatrixView::Mode::raw).values.rows == 3);
    CHECK_THROWS_WITH_AS(heatmap_of_run(run, "B", MatrixView::Mode::raw),
                         doctest::Contains("matrix 'B': the run has none"), InputError);
    const auto last = final_values(run.snapshot, run.history, "loss");
    REQUIRE(last.size() == 2);  // the third diverged
    CHECK(last[1][0] == run.history.column("loss", 1).back());
}

namespace {

// A finished run whose seeds have these numbers; NaN: diverged.
FinishedRun run_of(const std::vector<uint64_t>& numbers, const std::vector<double>& losses) {
    FinishedRun run{"", {}, MetricHistory({{"loss", "loss", ""}}, static_cast<int>(numbers.size()))};
    run.snapshot.settings = toy_settings({"seed=0"});
    for (size_t k = 0; k < numbers.size(); ++k) {
        run.snapshot.seeds.emplace_back();
        run.snapshot.seeds[k].seed = numbers[k];
        run.snapshot.seeds[k].failed = std::isnan(losses[k]);
        run.history.append({static_cast<int>(k), 0, {losses[k]}});
    }
    return run;
}

SeedRows last_losses(const FinishedRun& run) { return final_values(run, "loss"); }

}  // namespace

TEST_CASE("a seed's number is no place: runs numbered 5 and 7, or in the order 0, 1, 10, 2, keep their values") {
    CHECK(last_losses(run_of({5, 7}, {0.5, 0.7})) == SeedRows{{0.5}, {0.7}});
    const FinishedRun folders = run_of({0, 1, 10, 2}, {0.0, 0.1, 1.0, 0.2});
    CHECK(last_losses(folders) == SeedRows{{0.0}, {0.1}, {1.0}, {0.2}});
    CHECK(logged_values(folders, "loss") == last_losses(folders));
}

TEST_CASE("a seed that diverges in one panel shifts no other value, and a whole panel leaves a gap") {
    Series series{"loss", {}, {}, 0};
    for (const FinishedRun& run : {run_of({0, 1, 2}, {1.0, 2.0, 3.0}), run_of({3, 4, 5}, {4.0, kMissing, 6.0}),
                                   run_of({6, 7}, {kMissing, kMissing}), run_of({8, 9, 10}, {7.0, 8.0, 9.0})})
        add_point(series, static_cast<double>(series.x.size()), last_losses(run));
    REQUIRE(series.rows.size() == 3);
    for (const auto& row : series.rows) CHECK(row.size() == 4);
    CHECK(summarise(series.rows, 1).mean == 5.0);
    CHECK(summarise(series.rows, 2).count == 0);
    CHECK(summarise(series.rows, 3).mean == 8.0);
    const FinishedRun none = run_of({0, 1}, {kMissing, kMissing});
    const Measurement measured = bootstrapped(last_losses(none).size(), [](const Places&) { return 1.0; });
    CHECK(std::isnan(measured.value));
    CHECK(measured.n == 0);
    CHECK(std::isnan(final_summary(none, "loss").mean));
}

TEST_CASE("an unknown number is neither the largest nor forgotten") {
    CHECK(largest_of({1, 3, 2}) == 3);
    CHECK(least_of({2, 1, 3}) == 1);
    for (const auto& values :
         std::vector<std::vector<double>>{{kMissing, 1.0}, {1.0, kMissing}, {1.0, kMissing, 2.0}, {}}) {
        CHECK(std::isnan(largest_of(values)));
        CHECK(std::isnan(least_of(values)));
    }
}

TEST_CASE("a seed that threw is missing in snapshot and history alike") {
    const StudyGrid grid =
        run_studies(toy_info(), {{"", toy_settings({"num_steps=40", "seed=3", "throw_seed=0", "num_seeds=3"})}}, {});
    const FinishedRun& run = grid.runs[0];
    REQUIRE(run.snapshot.seeds.size() == 2);
    CHECK(run.history.num_seeds() == 2);
    CHECK(run.snapshot.seeds.front().seed == 4);
    CHECK_FALSE(std::isnan(final_values(run, "loss")[0][0]));
    CHECK(grid.failures.front().label == "seed 3");
}
