// Experiment regression through its public face: the registry, a run, snapshots, figures. Wrong networks and wrong
// laws, judged by the claims that should catch them: the table of "Claims with power" in the handbook.
#include <doctest/doctest.h>

#include <utility>

#include "core/algorithms/context_algorithms.h"
#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/experiments/regression/regression.h"
#include "core/lab/figures/claims.h"
#include "core/lab/figures/figures.h"
#include "tests/support/judged.h"
#include "tests/support/small_runs.h"

using namespace emergence;

namespace {

using namespace emergence::testing;

Settings small_regression(const std::string& restriction) {
    Settings settings(find_experiment("regression").fields);
    settings.set("restriction", restriction);
    testing::change(settings,
                    "num_layers=2, seeds=2, num_prompts=600, bank_size=500, "
                    "num_iterations=12, n=10");
    return settings;
}

}  // namespace

TEST_CASE("regression: theory's whitened matrices are -I, and seeds have their own Sigma") {
    RunOf run("regression", small_regression("13"));
    const Snapshot snapshot = run.snapshot();
    std::vector<std::string> names;
    for (const NamedMatrix& matrix : snapshot.matrices) names.push_back(matrix.name);
    CHECK(names == std::vector<std::string>{"A0 whitened", "A1 whitened", "B0", "A0", "A1"});
    CHECK((*snapshot.matrices[0].target)(2, 2) == -1);
    CHECK(snapshot.weights.at("P").shape == std::vector<size_t>{2, 2, 6, 6});
    CHECK(snapshot.weights.at("Sigma").shape == std::vector<size_t>{2, 5, 5});
    CHECK(as_doubles(snapshot.weights.at("Sigma"))[0] != as_doubles(snapshot.weights.at("Sigma"))[25]);
}

TEST_CASE("regression: predicting nothing errs as w* does, and all algorithms start there") {
    RunOf run("regression", small_regression("9"));
    run.advance_to(0);
    const Snapshot snapshot = run.snapshot();
    const PlotSpec& race = required_plot(snapshot, "race");
    for (size_t s = 0; s < 4; ++s) CHECK(race.series[s].rows[0][0] == doctest::Approx(race.series[0].rows[0][0]));
    CHECK(race.series[0].rows[0][0] == doctest::Approx(5.0).epsilon(0.2));  // E <w*, x>^2 = d
    for (size_t s = 1; s < 4; ++s) CHECK(race.series[s].rows[0][2] < race.series[s].rows[0][0]);
    // Preconditioned with Sigma^-1 beats plain gradient descent where Sigma is ill-conditioned.
    CHECK(race.series[2].rows[0][2] < race.series[1].rows[0][2]);
}

TEST_CASE("regression: the trimmed loss is the held-out one without its largest errors") {
    RegressionConfig config;
    config.layers = 2;
    const auto losses = [&](int prompts) {
        config.bank_size = prompts;
        const RegressionWorld world(config);
        InContextWeights weights(config.d, 2);
        const Mat step = -0.2 * Mat::Identity(config.d, config.d);
        for (int l = 0; l < 2; ++l) weights.set_layer(l, step, 0.1 * step);
        const auto loss = make_in_context_loss<double>(weights.shape());
        return std::pair(world.trimmed_loss(*loss, weights), world.held_out_loss(*loss, weights));
    };
    const auto [all, few] = losses(900);  // a thousandth of these is less than one
    CHECK(all == doctest::Approx(few).epsilon(1e-12));
    const auto [trimmed, whole] = losses(4000);
    CHECK(trimmed < whole);
    CHECK(trimmed > 0.5 * whole);
}

TEST_CASE("regression: one layer emerges as Theorem 1's closed form") {
    Settings settings = small_regression("9");
    testing::change(settings,
                    "num_layers=1, prior=identity, num_prompts=40000, num_iterations=40, "
                    "log_interval=40");
    RunOf run("regression", settings);
    run.advance_to(40);
    for (const SeedStatus& seed : run.snapshot().seeds) CHECK(seed.emerged);
}

TEST_CASE("regression: the distance from the closed form is measured with and without a change of scale") {
    RegressionConfig config;
    config.layers = 1;
    config.prior = WeightPrior::identity;
    const Covariance covariance = covariance_of(config, 0);
    const RegressionWorld world(config);
    const Vec diagonal = one_layer_preconditioner(covariance.eigenvalues, config.prior, config.n);
    InContextWeights weights(config.d, 1);
    weights.set_layer(0, -1.3 * covariance.U.transpose() * diagonal.asDiagonal() * covariance.U,
                      Mat::Zero(config.d, config.d));
    const auto loss = make_in_context_loss<double>(weights.shape());
    const RegressionMeasures measured = measure_weights(config, world, covariance, weights, *loss);
    CHECK(measured.closed_form_error < 1e-12);
    CHECK(measured.closed_form_unscaled == doctest::Approx(0.3));
}

TEST_CASE("the regression paper's figures catch untrained networks" * doctest::test_suite("release")) {
    const auto untrained = [](const char* figure, const char* restriction) {
        return caught("regression", figure,
                      {{"num_layers", "3"},
                       {"restriction", restriction},
                       {"spectrum", "paper"},
                       {"prior", "sigma_inverse"},
                       {"num_prompts", "500"},
                       {"num_iterations", "0"},
                       {"seeds", "3"}});
    };
    CHECK(untrained("regression-1", "9") == Names{"whitened", "loss", "almost-0"});
    CHECK(untrained("regression-2", "9") == Names{"all"});
    CHECK(untrained("regression-3", "13") == Names{"whitened", "moves", "loss"});
    CHECK(untrained("regression-4", "13") == Names{"steps"});
}

TEST_CASE("Lemma 8, GD++ and the speed-up catch the wrong algorithms of their controls" *
          doctest::test_suite("release")) {
    CHECK(judged_as("regression-lemma-8", "regression-lemma-8-rotated") == Verdict::fails);
    CHECK(judged_as("regression-gd-plus-plus", "regression-gd-plus-plus-shrink") == Verdict::fails);
    CHECK(judged_as("regression-faster", "regression-faster-isotropic") == Verdict::fails);
}

TEST_CASE("the best scalars' claims catch the local minimum in which the second step is the largest" *
          doctest::test_suite("release")) {
    CHECK(judged("regression-best-steps", {5.47 / 7.10}) == Verdict::fails);
    CHECK(judged("regression-best-starts", {0.0373 / 0.0517}) == Verdict::fails);
}

TEST_CASE("Theorem 1's claim catches preconditioners that forget the sampling" * doctest::test_suite("release")) {
    RegressionConfig config;
    config.layers = 1;
    config.prior = WeightPrior::identity;
    config.n = 20;
    const Covariance covariance = covariance_of(config, 0);
    const RegressionWorld world(config);
    const auto verdict = [&](const Vec& diagonal) {
        InContextWeights weights(config.d, 1);
        weights.set_layer(0, -covariance.U.transpose() * diagonal.asDiagonal() * covariance.U,
                          Mat::Zero(config.d, config.d));
        const auto loss = make_in_context_loss<double>(weights.shape());
        return judged("regression-theorem-1",
                      {measure_weights(config, world, covariance, weights, *loss).closed_form_error});
    };
    const Vec& lambda = covariance.eigenvalues;
    CHECK(verdict(one_layer_preconditioner(lambda, WeightPrior::identity, config.n)) == Verdict::agrees);
    CHECK(verdict(lambda.cwiseInverse()) == Verdict::fails);         // infinitely many pairs
    CHECK(verdict(Vec::Constant(config.d, 1.0)) == Verdict::fails);  // plain gradient descent
    CHECK(verdict(one_layer_preconditioner(lambda, WeightPrior::identity, 2 * config.n)) == Verdict::fails);
}
