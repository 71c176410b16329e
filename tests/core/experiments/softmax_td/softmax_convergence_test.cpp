// Experiment softmax-convergence: errors fall to their floor, and longer contexts have a lower one.
#include "core/experiments/softmax_td/softmax_convergence.h"

#include <doctest/doctest.h>

#include "tests/support/small_runs.h"

using namespace emergence;

namespace {

using emergence::testing::RunOf;

Settings small_convergence() {
    return emergence::testing::settings_with(
        "softmax-convergence",
        {{"seeds", "4"}, {"num_states", "5"}, {"gamma", "0.5"}, {"longest", "100000"}, {"num_layers", "60"}});
}

}  // namespace

TEST_CASE("softmax-convergence: the error falls to the fixed point's, lower for longer contexts") {
    RunOf run("softmax-convergence", small_convergence());
    const auto rows = run.advance_to(60);
    const Snapshot snapshot = run.snapshot();
    const Series& floors = snapshot.plots[0].series[0];
    for (const MetricRow& row : rows)
        if (row.step == 60)
            for (size_t i = 0; i < 4; ++i)
                CHECK(row.values[i] ==
                      doctest::Approx(floors.rows[static_cast<size_t>(row.seed_index)][i]).epsilon(1e-6));
    CHECK(floors.name == "C > 0");  // all four: gamma is small
    CHECK(snapshot.scalars[1].value == 4);
    CHECK(snapshot.scalars[2].name == "floor_slope");
    CHECK(snapshot.scalars[2].value < -0.3);
    CHECK(summarise(floors.rows, 3).mean < 0.5 * summarise(floors.rows, 0).mean);
    CHECK(snapshot.scalars[0].value > 0);
}

TEST_CASE("softmax-convergence: chains without a margin are drawn apart") {
    Settings settings = small_convergence();
    settings.set("gamma", 0.9);
    settings.set("sharpness", 0.0);  // every source weighs the same: no kernel is less diagonal
    RunOf run("softmax-convergence", settings);
    run.advance_to(1);
    const Snapshot snapshot = run.snapshot();
    REQUIRE(snapshot.plots[0].series.size() == 2);
    CHECK(snapshot.plots[0].series[0].name == "C \u2264 0");
    CHECK(snapshot.scalars.size() == 2);  // and no slope is claimed
    CHECK(snapshot.scalars[1].value == 0);
}
