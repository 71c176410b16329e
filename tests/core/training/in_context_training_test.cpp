#include "core/training/in_context_training.h"

#include <doctest/doctest.h>

#include "core/algorithms/context_algorithms.h"
#include "core/measures/emergence.h"
#include "tests/support/matrices.h"
#include "tests/support/one_layer_loss.h"

using namespace emergence;

namespace {

Covariance rotated_paper_covariance(uint64_t seed) {
    return {eigenvalues_of(Spectrum::paper, 5, 1), random_rotation(5, seed)};
}

InContextTrainingOptions small_regression_training(Restriction restriction) {
    InContextTrainingOptions options;
    options.restriction = restriction;
    options.layers = 2;
    options.prompts = 300;
    options.minibatch = 40;
    return options;
}

}  // namespace

TEST_CASE("what a restriction leaves free") {
    for (const Restriction restriction : {Restriction::steps, Restriction::moved_points}) {
        InContextTraining training(small_regression_training(restriction), rotated_paper_covariance(1), 1);
        for (int k = 0; k < 8; ++k) training.step();
        const InContextWeights weights = training.weights();
        for (int l = 0; l < 2; ++l) {
            const Mat P = weights.P(l), Q = weights.Q(l);
            CHECK(P(5, 5) == 1);
            CHECK(Q.topLeftCorner(5, 5) == Q.topLeftCorner(5, 5).transpose());
            CHECK(Q.row(5).norm() + Q.col(5).norm() + P.row(5).head(5).norm() + P.col(5).head(5).norm() == 0);
            const bool moves = restriction == Restriction::moved_points && l == 0;
            CHECK((P.topLeftCorner(5, 5).norm() > 0) == moves);
        }
        CHECK((weights.flat - training.initial_weights().flat).norm() > 0.1);
    }
}

TEST_CASE("the projected gradient is the derivative along what is free") {
    const GramSample<double> sample =
        draw_gram_sample<double>(rotated_paper_covariance(1), WeightPrior::inverse_covariance, 6, 30, 4);
    InContextWeights weights = random_weights(Restriction::moved_points, 5, 3, 0.3, 2);
    const auto loss = make_in_context_loss<double>(weights.shape());
    Vec gradient, unused;
    loss_of(*loss, sample.view(), weights.flat, gradient);
    project(Restriction::moved_points, 5, 3, gradient);
    for (uint64_t k = 0; k < 5; ++k) {
        // Differences of two such weights: p_i cancels, the rest is a direction that is free.
        const Vec direction = random_weights(Restriction::moved_points, 5, 3, 1, 10 + k).flat -
                              random_weights(Restriction::moved_points, 5, 3, 1, 20 + k).flat;
        const double h = 1e-6;
        const double difference = (loss_of(*loss, sample.view(), weights.flat + h * direction, unused) -
                                   loss_of(*loss, sample.view(), weights.flat - h * direction, unused)) /
                                  (2 * h);
        CHECK(difference == doctest::Approx(gradient.dot(direction)).epsilon(1e-6));
    }
}

TEST_CASE("Sigma's own metric changes the path and not the loss") {
    InContextTrainingOptions options = small_regression_training(Restriction::moved_points);
    InContextTraining plain(options, rotated_paper_covariance(2), 1);
    options.whitened = true;
    InContextTraining whitened(options, rotated_paper_covariance(2), 1);
    CHECK((plain.weights().flat - whitened.weights().flat).norm() < 1e-12);
    CHECK(plain.progress().loss == doctest::Approx(whitened.progress().loss).epsilon(1e-5));
    plain.step();
    whitened.step();
    CHECK((plain.weights().flat - whitened.weights().flat).norm() > 1e-3);
    const Mat A = whitened.weights().A(0);
    CHECK(testing::close(A, A.transpose()));
}

TEST_CASE("turned weights predict the same of turned points") {
    const Covariance c = rotated_paper_covariance(3);
    const InContextWeights weights = random_weights(Restriction::none, 5, 3, 0.3, 2);
    const Covariance in_own_axes{c.eigenvalues, Mat::Identity(5, 5)};
    const auto loss = make_in_context_loss<double>(weights.shape());
    // The same task in the coordinates of Sigma's eigenvectors, x~ = U x.
    std::vector<double> here(1), there(1);
    const RegressionTask task = draw_regression_task(c, WeightPrior::identity, 9, 1, 0);
    RegressionTask turned = task;
    turned.X = c.U * task.X;
    turned.query = c.U * task.query;
    turned.w_star = c.U * task.w_star;
    for (const auto& [t, w, out] :
         {std::tuple{&task, weights, &here}, {&turned, weights.in_coordinates(c.U), &there}}) {
        GramSample<double> sample(6, 1);
        sample.set(0, regression_prompt(*t), t->target());
        loss->predict(sample.view(), w.P(), w.Q(), out->data());
    }
    CHECK(here[0] == doctest::Approx(there[0]).epsilon(1e-10));
    CHECK((draw_regression_task(in_own_axes, WeightPrior::identity, 9, 1, 0).X - turned.X).norm() < 1e-12);
}

TEST_CASE("one layer comes to Theorem 1's preconditioner") {
    InContextTrainingOptions options;
    options.layers = 1;
    options.prior = WeightPrior::identity;
    options.prompts = 40000;
    const Covariance c = rotated_paper_covariance(5);
    InContextTraining training(options, c, 5);
    for (int k = 0; k < 60 && !training.converged(); ++k) training.step();
    const Mat closed =
        -c.U.transpose() * one_layer_preconditioner(c.eigenvalues, options.prior, options.n).asDiagonal() * c.U;
    CHECK(error_after_scaling(training.weights().A(0), closed) < 0.04);
    // Not only up to scale: under (9) the scale is the step.
    CHECK((training.weights().A(0) - closed).norm() < 0.05 * closed.norm());
}

TEST_CASE("families: gradient descent's best step, and scalars for every layer") {
    const Covariance isotropic{Vec::Constant(3, 1.0), Mat::Identity(3, 3)};
    const GramSample<double> sample = draw_gram_sample<double>(isotropic, WeightPrior::identity, 12, 4000, 3);
    const Mat I = Mat::Identity(3, 3);
    const FamilyMinimum one = minimise(shared_scalars(I, 1, false), sample.view());
    CHECK(one.theta(0) == doctest::Approx(12.0 / (12 + 1 + 3)).epsilon(0.03));
    CHECK(one.loss == doctest::Approx(testing::one_layer_loss(isotropic, WeightPrior::identity, 12, -one.theta(0) * I))
                          .epsilon(0.15));
    const double shared = minimise(shared_scalars(I, 3, false), sample.view()).loss;
    const double own = minimise(layer_scalars(I, 3, false), sample.view()).loss;
    const double plus_plus = minimise(shared_scalars(I, 3, true), sample.view()).loss;
    const double moved = minimise(layer_scalars(I, 3, true), sample.view()).loss;
    CHECK(own < shared);
    CHECK(plus_plus < shared);
    CHECK(moved < own);
    CHECK(moved < plus_plus);
}
