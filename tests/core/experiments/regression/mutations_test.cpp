// Wrong networks and wrong laws, judged by the claims that should catch them: the table of "Claims with power" in the
// handbook.
#include <doctest/doctest.h>

#include <memory>

#include "core/algorithms/context_algorithms.h"
#include "core/experiments/regression/regression_study.h"
#include "tests/support/judged.h"

TEST_SUITE_BEGIN("release");

namespace emergence::regression_mutations_test {
namespace {

using testing::caught;
using testing::judged;
using testing::judged_as;
using testing::Names;

}  // namespace

TEST_CASE("the regression paper's figures catch untrained networks") {
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

TEST_CASE("Lemma 8, GD++ and the speed-up catch the wrong algorithms of their controls") {
    CHECK(judged_as("regression-lemma-8", "regression-lemma-8-rotated") == Verdict::fails);
    CHECK(judged_as("regression-gd-plus-plus", "regression-gd-plus-plus-shrink") == Verdict::fails);
    CHECK(judged_as("regression-faster", "regression-faster-isotropic") == Verdict::fails);
}

TEST_CASE("the best scalars' claims catch the local minimum in which the second step is the largest") {
    CHECK(judged("regression-best-steps", {5.47 / 7.10}) == Verdict::fails);
    CHECK(judged("regression-best-starts", {0.0373 / 0.0517}) == Verdict::fails);
}

TEST_CASE("Theorem 1's claim catches preconditioners that forget the sampling") {
    RegressionConfig config;
    config.layers = 1;
    config.prior = WeightPrior::identity;
    config.n = 20;
    const Covariance covariance = covariance_of(config, 0);
    const RegressionWorld world(config);
    const auto verdict = [&](const Eigen::VectorXd& diagonal) {
        InContextWeights weights(config.d, 1);
        weights.set_layer(0, -covariance.U.transpose() * diagonal.asDiagonal() * covariance.U,
                          Eigen::MatrixXd::Zero(config.d, config.d));
        const auto loss = make_in_context_loss<double>(weights.shape());
        return judged("regression-theorem-1",
                      {measure_weights(config, world, covariance, weights, *loss).closed_form_error});
    };
    const Eigen::VectorXd& lambda = covariance.eigenvalues;
    CHECK(verdict(one_layer_preconditioner(lambda, WeightPrior::identity, config.n)) == Verdict::agrees);
    CHECK(verdict(lambda.cwiseInverse()) == Verdict::fails);            // infinitely many pairs
    CHECK(verdict(Eigen::VectorXd::Ones(config.d)) == Verdict::fails);  // plain gradient descent
    CHECK(verdict(one_layer_preconditioner(lambda, WeightPrior::identity, 2 * config.n)) == Verdict::fails);
}

}  // namespace emergence::regression_mutations_test

TEST_SUITE_END();
