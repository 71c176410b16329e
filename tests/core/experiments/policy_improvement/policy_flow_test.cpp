// Experiment policy-flow through its public face, and what it measures of Theorem 3.2.
#include "core/experiments/policy_improvement/policy_flow.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/experiments/registry.h"
#include "core/lab/figures/claims.h"
#include "core/lab/figures/figures.h"
#include "tests/support/judged.h"
#include "tests/support/small_runs.h"

using namespace emergence;

namespace {

using emergence::testing::RunOf;

Settings small_flow(const char* start = "off_manifold") {
    return emergence::testing::settings_with("policy-flow", {{"num_states", "3"},
                                                             {"d", "2"},
                                                             {"n", "8"},
                                                             {"windows", "80"},
                                                             {"start", start},
                                                             {"seeds", "3"},
                                                             {"num_steps", "60"},
                                                             {"interval", "1000"}});
}

}  // namespace

TEST_CASE("policy flow: the loss never rises, the balance stays, and the rate is theory's in the end") {
    RunOf run("policy-flow", small_flow());
    const auto rows = run.advance_to(60);
    for (size_t i = 0; i < 3; ++i) {
        double loss = std::numeric_limits<double>::infinity();
        double balance = 0;
        for (const MetricRow& row : rows) {
            if (row.seed_index != static_cast<int>(i)) continue;
            CHECK(row.values[1] < loss);
            loss = row.values[1];
            if (row.step == 0) {
                balance = row.values[5];
                CHECK(row.values[2] <= 0.5 + 1e-12);
            }
            CHECK(row.values[5] == doctest::Approx(balance).epsilon(1e-2));
        }
    }
    const Snapshot snapshot = run.snapshot();
    for (const SeedStatus& seed : snapshot.seeds) CHECK(seed.emerged);
    CHECK(snapshot.scalars[0].value == doctest::Approx(snapshot.scalars[1].value).epsilon(0.3));
    CHECK(snapshot.scalars[2].value < 0.01);
    CHECK(snapshot.plots[0].series[0].x.back() == 60000.0);
    // Where it ends is known at the start.
    const Series &scale = snapshot.plots[2].series[0], &kept = snapshot.plots[2].series[1];
    for (size_t k = 0; k < 3; ++k) CHECK(scale.rows[k].back() == doctest::Approx(kept.rows[k][0]).epsilon(1e-2));
    CHECK(find_matrix(snapshot, "P")->seeds[0].rows == 3 * 2 + 2);
}

TEST_CASE("policy flow: a solver ten times as exact goes the same way") {
    PolicyFlowConfig config;
    config.windows = 80;
    const FlowWorld world(config);
    Stream stream(1, Purpose::testing);
    const Eigen::VectorXd start = flat_blocks(off_manifold(world.population().target(), 0.5, 0.5, stream));
    GradientFlow coarse(start, 1e-2), fine(start, 1e-4);
    coarse.advance(world.population().objective(), 8000.0);
    fine.advance(world.population().objective(), 8000.0);
    CHECK(std::log(coarse.loss() / fine.loss()) == doctest::Approx(0.0).epsilon(0.02));
}

TEST_CASE("policy flow: its figure measures what is claimed of it, its claims agree" * doctest::test_suite("release")) {
    const ExperimentInfo& info = find_experiment("policy-flow");
    Settings settings = small_flow();
    settings.set("num_steps", int64_t{5});
    settings.set("seeds", int64_t{2});
    const MadeFigure made = info.figures.at(0).build(info, settings, {});
    CHECK(made.failures.empty());
    CHECK(measured_claims(testing::shipped_claims(), "policy-flow", made).size() == 3);
    for (const Claim& claim : testing::shipped_claims())
        if (claim.figure.empty() && claim.name.starts_with("policy-theorem-3.2")) {
            CAPTURE(claim.name);
            const Measurement measured = claim.measure();
            CAPTURE(measured.value);
            CHECK(verdict_of(claim, measured) == Verdict::agrees);
        }
}
