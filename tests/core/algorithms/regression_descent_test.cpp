#include "core/algorithms/regression_descent.h"

#include <doctest/doctest.h>

#include "core/base/linear_algebra.h"
#include "tests/support/one_layer_loss.h"

using namespace emergence;

namespace {
Covariance paper_covariance() { return {eigenvalues_of(Spectrum::paper, 5, 1), random_rotation(5, 2)}; }
RegressionTask some_task(int n = 12) {
    return draw_regression_task(paper_covariance(), WeightPrior::identity, n, 9, 4);
}
}  // namespace

TEST_CASE("gradient descent with small steps goes down and comes to w*") {
    const RegressionTask task = some_task();
    const auto iterates =
        preconditioned_descent(task, std::vector<Eigen::MatrixXd>(4000, -0.3 * Eigen::MatrixXd::Identity(5, 5)));
    for (size_t l = 1; l < 100; ++l) CHECK(task.loss(iterates[l]) < task.loss(iterates[l - 1]));
    CHECK((iterates.back() - task.w_star).norm() < 1e-6);
}

TEST_CASE("one step with the inverse Hessian is Newton's") {
    const RegressionTask task = some_task();
    const Eigen::MatrixXd hessian = task.X * task.X.transpose() / 12;
    CHECK((preconditioned_descent(task, {-inverse(hessian)}).back() - task.w_star).norm() < 1e-9);
}

TEST_CASE("GD++ without its move is gradient descent, with it it predicts as the moved data say") {
    const RegressionTask task = some_task();
    const auto plain = gd_plus_plus(task, 0.4, 0.0, 3);
    const auto descent =
        preconditioned_descent(task, std::vector<Eigen::MatrixXd>(3, -0.4 * Eigen::MatrixXd::Identity(5, 5)));
    for (size_t l = 0; l <= 3; ++l) CHECK((plain[l] - descent[l]).norm() < 1e-12);

    // Column by column: the query is moved as every x is, and takes part in no sum.
    Eigen::MatrixXd X = task.X;
    Eigen::VectorXd query = task.query, left = task.y();
    double predicted = 0;
    const auto moved = gd_plus_plus(task, 0.4, 0.2, 3);
    for (size_t l = 0; l < 3; ++l) {
        CHECK(moved[l].dot(task.query) == doctest::Approx(predicted));
        const Eigen::VectorXd step = 0.4 * (X * left) / 12;
        predicted += step.dot(query);
        left -= X.transpose() * step;
        const Eigen::MatrixXd S = X * X.transpose() / 12;
        query -= 0.2 * S * query;
        X -= 0.2 * S * X;
    }
    CHECK(moved[3].dot(task.query) == doctest::Approx(predicted));
}

TEST_CASE("ridge solves its equations, and without a penalty finds w*") {
    const RegressionTask task = some_task();
    const Eigen::VectorXd w = ridge(task, 0.3);
    CHECK((task.gradient(w) + 0.3 * w).norm() < 1e-12);
    CHECK((ridge(task, 0) - task.w_star).norm() < 1e-9);
    const RegressionTask short_one = some_task(3);
    CHECK((short_one.X.transpose() * ridge(short_one, 0) - short_one.y()).norm() < 1e-10);
    CHECK(ridge(short_one, 0).norm() < short_one.w_star.norm());
}

TEST_CASE("Theorem 1's preconditioner is the least of the exact loss, and the loss that of many prompts") {
    for (const WeightPrior prior : {WeightPrior::identity, WeightPrior::inverse_covariance})
        for (const int n : {2, 20}) {
            const Covariance c = paper_covariance();
            const Eigen::MatrixXd best =
                -c.U.transpose() * one_layer_preconditioner(c.eigenvalues, prior, n).asDiagonal() * c.U;
            const double least = testing::one_layer_loss(c, prior, n, best);
            for (int i = 0; i < 5; ++i)
                for (int j = 0; j <= i; ++j)
                    for (const double h : {-1e-2, 1e-2}) {
                        Eigen::MatrixXd A = best;
                        A(i, j) += h;
                        if (i != j) A(j, i) += h;
                        CHECK(testing::one_layer_loss(c, prior, n, A) > least);
                    }
            double sum = 0;
            const int count = 20000;
            for (int k = 0; k < count; ++k) {
                const RegressionTask task = draw_regression_task(c, prior, n, 21, static_cast<uint32_t>(k));
                const double error = preconditioned_descent(task, {best}).back().dot(task.query) - task.target();
                sum += error * error / count;
            }
            CHECK(sum == doctest::Approx(least).epsilon(0.06));
        }
}

TEST_CASE("with many samples Theorem 1's preconditioner is Sigma's inverse, with few a multiple of I") {
    const Eigen::VectorXd values = eigenvalues_of(Spectrum::geometric, 4, 10);
    const Eigen::VectorXd many = one_layer_preconditioner(values, WeightPrior::identity, 1000000);
    CHECK((many.cwiseProduct(values) - Eigen::VectorXd::Ones(4)).norm() < 1e-4);
    Eigen::VectorXd isotropic = one_layer_preconditioner(Eigen::VectorXd::Ones(5), WeightPrior::identity, 20);
    CHECK(isotropic(0) == doctest::Approx(1 / (19.0 / 20 + 7.0 / 20)));
}
