// Experiment basins: every cell is a training of experiment td.
#include "core/experiments/in_context_td/basins/basins.h"

#include <doctest/doctest.h>

#include "core/experiments/registry.h"
#include "core/lab/figures/claim_files.h"
#include "core/lab/figures/figure_results.h"
#include "tests/support/judged.h"
#include "tests/support/small_runs.h"

using namespace emergence;

namespace {

using emergence::testing::RunOf;

Settings basins_settings() {
    return emergence::testing::settings_with(
        "basins",
        {{"seeds", "2"}, {"num_gains", "3"}, {"num_mrps", "60"}, {"log_interval", "20"}, {"bank_size", "16"}});
}

}  // namespace

TEST_CASE("basins are told by the rule of emergence, P's corner and IWS") {
    CHECK(basin_of(true, 0.1, 0.9) == Basin::emerged);
    CHECK(basin_of(false, -0.4, 0.8) == Basin::second);
    CHECK(basin_of(false, 0.6, 0.8) == Basin::neither);
    CHECK(basin_of(false, 0.1, 0.6) == Basin::neither);
}

TEST_CASE("scales lie evenly on a log axis between both ends") {
    BasinsConfig config;
    const auto gains = gains_of(config);
    REQUIRE(gains.size() == 5);
    CHECK(gains[0] == doctest::Approx(0.01));
    CHECK(gains[2] == doctest::Approx(0.1));
    CHECK(gains[4] == doctest::Approx(1.0));
}

TEST_CASE("basins: a cell is the training of experiment td from that scale") {
    RunOf run("basins", basins_settings());
    run.advance_to(60);
    const Snapshot snapshot = run.snapshot();
    const Table iws = find_matrix(snapshot, "iws")->seeds[0];
    CHECK(iws.rows == 3);
    CHECK(iws.columns == 2);

    Settings td(find_experiment("td").fields);
    td.set("initial_gain", gains_of(BasinsConfig{})[2]);
    td.set("seeds", int64_t{2});
    td.set("log_interval", int64_t{20});
    td.set("bank_size", int64_t{16});
    RunOf same("td", td);
    double expected = -2.0;
    for (const MetricRow& row : same.advance_to(60))
        if (row.seed_index == 1 && row.step == 60)
            for (size_t i = 0; i < row.values.size(); ++i)
                if (same.study().metrics()[i].name == "implicit_weight_similarity") expected = row.values[i];
    CHECK(iws(1, 1) == expected);
}

TEST_CASE("basins: a training emerges with the pattern's tenth logged step in a row, since the first of these") {
    constexpr int64_t kInterval = 10, kLasting = 10;
    RunOf run(
        "basins",
        emergence::testing::settings_with(
            "basins",
            {{"seeds", "1"}, {"num_gains", "2"}, {"least_gain", "0.1"}, {"num_mrps", "2000"}, {"bank_size", "16"}}));
    const MetricHistory history = run.history_to(2000);
    const double since = find_matrix(run.snapshot(), "emerged_after")->seeds[0](0, 0);
    REQUIRE(since > 0);
    const auto& waiting = history.column("not_emerged_gain_0.1", 0);
    int64_t survived = 0;
    while (waiting[static_cast<size_t>(survived)] == 1) ++survived;
    CHECK(static_cast<double>(survived * kInterval) <= since + static_cast<double>((kLasting - 1) * kInterval));
    CHECK(survived >= kLasting - 1);
    for (size_t i = static_cast<size_t>(survived); i < waiting.size(); ++i) CHECK(waiting[i] == 0);
}

TEST_CASE("basins: the figure has outcomes, times and survival, and its claims are measured") {
    RunOf run("basins", basins_settings());
    const MetricHistory history = run.history_to(60);
    const MadeFigure made = figure_of_basins().draw(run.snapshot(), history);
    CHECK(std::get<HeatmapSpec>(made.figure.cells[0].content).values.columns == 2);
    CHECK(std::get<PlotSpec>(made.figure.cells[2].content).series.size() == 3);
    CHECK(measured_claims(testing::shipped_claims(), "basins", made).size() == 4);
}
