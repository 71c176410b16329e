// Experiment softmax-construction: errors fall with the context, both forms equal the algorithm, live fields
// choose what is shown.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/small_runs.h"

using namespace emergence;

namespace {

using namespace emergence::testing;

Settings small_construction() {
    return emergence::testing::settings_with(
        "softmax-construction",
        {{"seeds", "2"}, {"num_states", "5"}, {"d", "8"}, {"n", "12"}, {"num_layers", "6"}, {"num_chains", "6"}});
}

}  // namespace

TEST_CASE("softmax-construction: errors fall with the context, and nothing but rounding lies between forms") {
    RunOf run("softmax-construction", small_construction());
    CHECK(run.snapshot().scalars.empty());  // no chain yet
    run.advance_to(6);
    const Snapshot snapshot = run.snapshot();
    const PlotSpec& errors = snapshot.plots[0];
    REQUIRE(errors.series[0].rows.size() == 2 * 6);
    CHECK(errors.row_word == "chain");
    CHECK(summarise(errors.series[0].rows, 8).mean < summarise(errors.series[0].rows, 0).mean);
    for (const Series& kernel : snapshot.plots[1].series) {
        REQUIRE(kernel.rows.size() == 2 * 6);
        for (const auto& row : kernel.rows) CHECK(*std::max_element(row.begin(), row.end()) < 1e-12);
    }
    CHECK(snapshot.scalars[0].value < 1e-12);
}

TEST_CASE("softmax-construction: what is shown is chosen live: the kernel, the weights, or the chain") {
    RunOf run("softmax-construction", small_construction());
    run.advance_to(2);
    Settings changed = small_construction();
    for (const auto& [show, matrix] : {std::pair("prompt", "A"), {"weights", "P"}, {"chain", "transition"}}) {
        changed.set_from_text("show", show);
        run.set_live(changed);
        CHECK(run.snapshot().matrices.front().name == matrix);
    }
}

// ---- Experiment softmax-convergence: errors fall to their floor, and longer contexts have a lower one

namespace {

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
