// Experiment policy-flow through its public face, and what it measures of Theorem 3.2; wrong networks and wrong laws,
// judged by the claims that should catch them: the table of "Claims with power" in the handbook.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/statistics.h"
#include "core/experiments/policy_improvement/policy_improvement.h"
#include "core/experiments/registry.h"
#include "core/lab/figures/claims.h"
#include "core/lab/figures/figures.h"
#include "core/measures/improvement_measures.h"
#include "tests/support/judged.h"
#include "tests/support/small_runs.h"

using namespace emergence;

namespace {

using namespace emergence::testing;

Settings small_flow(const char* start = "off_manifold") {
    Settings settings = emergence::testing::settings_of(
        "policy-flow", "num_states=3, d=2, n=8, windows=80, seeds=3, num_steps=60, interval=1000");
    settings.set("start", std::string(start));
    return settings;
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
    const Vec start = flat_blocks(off_manifold(world.population().target(), 0.5, 0.5, stream));
    GradientFlow coarse(start, 1e-2), fine(start, 1e-4);
    coarse.advance(world.population().objective(), 8000.0);
    fine.advance(world.population().objective(), 8000.0);
    CHECK(std::log(coarse.loss() / fine.loss()) == doctest::Approx(0.0).epsilon(0.02));
}

TEST_CASE("policy flow: its figure measures what is claimed of it, its claims agree" * doctest::test_suite("release")) {
    const ExperimentInfo& info = find_experiment("policy-flow");
    Settings settings = small_flow();
    testing::change(settings, "num_steps=5, seeds=2");
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

TEST_CASE("the distance to the manifold catches wrong updates of SARSA" * doctest::test_suite("release")) {
    const ImprovementShape shape{{Improvement::sarsa, 9, 4, 36, 0}, 20};
    const EffectiveBlocks right = constructed_blocks(shape, 0.2, 0.8);
    const auto verdict = [&](EffectiveBlocks blocks) {
        return judged("policy-2-sarsa", {fit_manifold(blocks, right).relative});
    };
    CHECK(verdict(rescaled(right, -2.0)) == Verdict::agrees);
    const auto next_scaled = [&](double by) {
        EffectiveBlocks blocks = right;
        blocks.P12.block(shape.sizes.d, 0, shape.sizes.d, blocks.P12.cols()) *= by;
        return blocks;
    };
    CHECK(verdict(next_scaled(1.01)) == Verdict::fails);             // the discount 1 % off
    CHECK(verdict(next_scaled(0.0)) == Verdict::fails);              // no bootstrapping
    CHECK(verdict(next_scaled(-1.0)) == Verdict::fails);             // bootstrapping with the wrong sign
    CHECK(verdict({0.5 * right.P12, right.V21}) == Verdict::fails);  // half the step
    EffectiveBlocks turned = right;
    turned.V21 = -turned.V21;
    CHECK(verdict(turned) == Verdict::fails);  // away from the target
}

TEST_CASE("Figure 3's claims of SARSA in closed loop catch wrong updates" * doctest::test_suite("release")) {
    ClosedLoopOptions options;
    options.shape = {{Improvement::sarsa, 9, 4, 36, 0}, 20};
    options.mdps = 30;
    options.updates = 1000;
    options.every = 50;
    options.rollouts = 0;
    const ClosedLoop loop(options);
    const EffectiveBlocks right = constructed_blocks(options.shape, 0.2, 0.8);
    const auto levels = [](const std::vector<double>& values) {
        std::vector<std::vector<double>> rows;
        for (const double value : values) rows.push_back({value, value});
        return rows;
    };
    const auto caught = [&](const EffectiveBlocks& blocks) {
        const std::vector<float> weights = weights_of<float>(options.shape, blocks);
        FinishedRun run{"SARSA", {}, {}};
        run.snapshot.seeds.emplace_back();
        PlotSpec& plot = run.snapshot.plots.emplace_back();
        plot.id = "closed_loop";
        plot.row_word = "MDP";
        plot.series = {{"oracle", {0, 1000}, levels(loop.oracle())},
                       {"random", {0, 1000}, levels(loop.random())},
                       {"SARSA", loop.measured_at(), loop.teacher()},
                       {"transformer", loop.measured_at(), loop.transformer(weights.data())}};
        Names names;
        for (const MeasuredClaim& one :
             measured_claims(emergence::testing::shipped_claims(), "policy-3", {.runs = {run}}))
            if (one.name.starts_with("policy-3-sarsa") && judged(one.name, one.measurement) != Verdict::agrees)
                names.insert(one.name.substr(9));
        return names;
    };
    CHECK_FALSE(caught(right).contains("sarsa"));
    CHECK_FALSE(caught(right).contains("sarsa-horizon"));
    EffectiveBlocks turned = right, still = right;
    turned.V21 = -turned.V21;
    still.V21.setZero();
    // Away from the target; nothing written, as an untrained network; half the step.
    for (const EffectiveBlocks& wrong : {turned, still, EffectiveBlocks{0.5 * right.P12, right.V21}}) {
        const Names names = caught(wrong);
        CHECK(names.contains("sarsa"));
        CHECK(names.contains("sarsa-horizon"));
    }
    CHECK(caught(still).contains("sarsa-gain"));
    CHECK(caught(turned).contains("sarsa-gain"));
    CHECK(caught(still).contains("sarsa-rapid"));
    CHECK(caught({0.05 * right.P12, right.V21}).contains("sarsa-rapid"));
}

TEST_CASE("Figure 4's claims of the loss tell an exponential fall from slower ones" * doctest::test_suite("release")) {
    std::vector<double> mdps;
    for (int i = 0; i <= 100; ++i) mdps.push_back(100.0 * i);
    const auto verdict = [&](double (*log_loss)(double)) {
        std::vector<double> logs;
        for (const double at : mdps) logs.push_back(log_loss(at));
        return judged("policy-4-sarsa-exponential", {fit_line(mdps, logs).correlation});
    };
    CHECK(verdict([](double at) { return -at / 400; }) == Verdict::agrees);
    CHECK(verdict([](double at) { return -std::log(1 + at); }) == Verdict::fails);          // as 1 / t
    CHECK(verdict([](double at) { return -std::min(at, 500.0) / 20; }) == Verdict::fails);  // a plateau
    CHECK(judged("policy-4-sarsa", {1e-4}) == Verdict::fails);                              // where 1 / t ends
    CHECK(judged("policy-4-sarsa-constant", {1.0}) == Verdict::fails);  // the rate's decay changes nothing
}

TEST_CASE("the claims about MDPs outside training catch what learns nothing, or stays where it is" *
          doctest::test_suite("release")) {
    CHECK(judged("policy-held-out", {1.0}) == Verdict::fails);
    CHECK(caught("policy-flow", "policy-flow", {{"num_steps", "1"}}) == Names{"near", "random"});
}

TEST_CASE("the claims on Theorem 3.2's distance catch the loss's rate, and a direction that no window shows" *
          doctest::test_suite("release")) {
    CHECK(judged("policy-theorem-3.2-distance-rate", {1.0}) == Verdict::fails);  // twice the curvature
    CHECK(judged("policy-flow-actor-critic", {0.5}) == Verdict::fails);          // half of it
    CHECK(judged("policy-flow-actor-critic-curvature", {1e-16}) == Verdict::fails);
    for (const char* algorithm : {"sarsa", "actor-critic"}) {
        const std::string claim = std::string("policy-seeds-") + algorithm;
        CHECK(judged(claim, {0.01}) == Verdict::fails);            // a seed whose discount is 1 % off
        CHECK(judged(claim + "-loss", {1e-3}) == Verdict::fails);  // a seed on a plateau
        CHECK(judged(claim + "-loop", {1.0}) == Verdict::fails);   // a seed that writes nothing
    }
    CHECK(judged("policy-assumption-1", {1e-17}) == Verdict::fails);
    CHECK(judged("policy-assumption-1-cancelling", {1.0}) == Verdict::fails);  // the manifold's own direction
}

TEST_CASE("the claim on gradient flow's rate catches one without its factor 2" * doctest::test_suite("release")) {
    const double wrong = 0.5;  // of twice the least curvature
    CHECK(judged("policy-theorem-3.2", {std::abs(wrong - 1)}) == Verdict::fails);
    CHECK(judged("policy-theorem-3.2", {std::abs(1 / wrong - 1)}) == Verdict::fails);
}
