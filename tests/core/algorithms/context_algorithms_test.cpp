#include "core/algorithms/context_algorithms.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/linear_algebra.h"
#include "core/base/rng.h"
#include "core/tasks/task.h"
#include "tests/support/matrices.h"
#include "tests/support/one_layer_loss.h"

using namespace emergence;

namespace {

// d = 1, two transitions: phi = 1, 2; gamma phi' = 1, 0.5; R = 1, 3.
Transitions by_hand() { return {testing::matrix({{1.0, 2.0}}), testing::matrix({{1.0, 0.5}}), Vec::of({1.0, 3.0})}; }
const std::vector<Mat> kHalf = {Mat::Constant(1, 1, 0.5)};

}  // namespace

TEST_CASE("batch TD takes the steps worked out by hand") {
    const auto w = batch_td(by_hand(), kHalf, 2);
    REQUIRE(w.size() == 3);
    CHECK(w[0][0] == 0.0);
    // (1/2) 0.5 (1 * 1 + 3 * 2)
    CHECK(w[1][0] == doctest::Approx(1.75));
    // TD errors 1 and 3 + 1.75 (0.5 - 2) = 0.375: 1.75 + 0.25 (1 + 0.75)
    CHECK(w[2][0] == doctest::Approx(2.1875));
}

TEST_CASE("residual gradient steps along phi - gamma phi'") {
    const auto w = batch_iterates(by_hand(), residual_gradient_update(by_hand()), kHalf, 1);
    CHECK(w[1][0] == doctest::Approx(0.25 * (1.0 * 0.0 + 3.0 * 1.5)));
}

TEST_CASE("TD(lambda) steps along its trace, and is TD(0) at decay 0") {
    const auto w = batch_iterates(by_hand(), td_lambda_update(by_hand(), 0.5), kHalf, 1);
    CHECK(w[1][0] == doctest::Approx(0.25 * (1.0 * 1.0 + 3.0 * 2.5)));
    CHECK(batch_iterates(by_hand(), td_lambda_update(by_hand(), 0.0), kHalf, 3) == batch_td(by_hand(), kHalf, 3));
}

TEST_CASE("average-reward TD takes the running mean off each reward") {
    const auto w = batch_iterates(by_hand(), average_reward_update(by_hand()), kHalf, 1);
    CHECK(w[1][0] == doctest::Approx(0.25 * (0.0 * 1.0 + 1.0 * 2.0)));  // 1 - 1 and 3 - 2
}

TEST_CASE("one preconditioner serves all steps, or each has its own") {
    const std::vector<Mat> two = {kHalf[0], 2.0 * kHalf[0]};
    const auto w = batch_td(by_hand(), two, 2);
    CHECK(w[2][0] == doctest::Approx(1.75 + 0.5 * 1.75));
    CHECK_THROWS(batch_td(by_hand(), two, 3));
}

TEST_CASE("the linear system says what a step does and where the steps come to rest") {
    const BatchUpdate update = td_lambda_update(by_hand(), 0.5);
    const BatchSystem system = batch_system(by_hand(), update);
    // (1/2) (1 (1 - 1) + 2.5 (2 - 0.5)) and (1/2) (1 * 1 + 3 * 2.5)
    CHECK(system.A(0, 0) == doctest::Approx(1.875));
    CHECK(system.b[0] == doctest::Approx(4.25));
    const auto w = batch_iterates(by_hand(), update, kHalf, 200);
    CHECK(w[1][0] == doctest::Approx(0.5 * system.b[0]));
    CHECK(w.back()[0] == doctest::Approx(system.b[0] / system.A(0, 0)));
}

// Weighted softmax TD: its two forms are one, tabular TD is a special case, the margin is a contraction.

namespace {

struct Walk {
    Mrp mrp;
    std::vector<int> states;
    Mat counts;
    StateSequence sequence;
    explicit Walk(int n) {
        draw_mrp({.num_states = 5, .d = 3, .representable = true}, 4, 0, mrp);
        StateSampler sampler;
        sampler.reset(mrp);
        Stream stream(4, Purpose::testing);
        counts = Mat::Zero(5, 5);
        sequence = {Mat(3, n + 1), Vec(n)};
        int state = sampler.first(stream.uniform());
        for (int k = 0; k <= n; ++k) {
            states.push_back(state);
            sequence.features.col(k) = mrp.features.col(state);
            if (k < n) sequence.rewards[k] = mrp.reward[state];
            const int next = sampler.next(state, stream.uniform());
            if (k < n) counts(state, next) += 1;
            state = next;
        }
    }
};

}  // namespace

TEST_CASE("the recursion over transitions and Eq. (25) over states are one") {
    const Walk walk(40);
    const Mat scores = walk.mrp.features.transpose() * walk.mrp.features;
    const auto similarity = [](const Vec& a, const Vec& b) { return std::exp(a.dot(b)); };
    const auto v = weighted_softmax_td(walk.sequence, similarity, true, 0.9, 0.8, 12);
    const SoftmaxTdOperators operators = softmax_td_operators(walk.counts, scores);
    Vec by_state = Vec::Zero(5);
    for (size_t l = 0; l < v.size(); ++l) {
        for (size_t k = 0; k < walk.states.size(); ++k)
            CHECK(v[l][static_cast<Index>(k)] == doctest::Approx(by_state[walk.states[k]]).epsilon(1e-12));
        by_state = softmax_td_step(operators, walk.mrp.reward, by_state, 0.9, 0.8);
    }
}

TEST_CASE("with a sharp kernel it is tabular TD: the values solve the transitions as they were seen") {
    const Walk walk(200);
    const Mat sharp = 200.0 * Mat::Identity(5, 5);
    const SoftmaxTdOperators operators = softmax_td_operators(walk.counts, sharp);
    CHECK((operators.M - Mat::Identity(5, 5)).norm() < 1e-12);
    Mat seen = walk.counts;
    for (int s = 0; s < 5; ++s) seen.row(s) /= seen.row(s).sum();
    const Vec exact = solve(Mat::Identity(5, 5) - 0.9 * seen, walk.mrp.reward);
    Vec v = Vec::Zero(5);
    for (int l = 0; l < 500; ++l) v = softmax_td_step(operators, walk.mrp.reward, v, 0.9, 1.0);
    CHECK((v - exact).norm() < 1e-9);
}

TEST_CASE("a state that was never left is no source") {
    Mat counts = Mat::Zero(3, 3);
    counts(0, 1) = 2;
    counts(1, 0) = 1;
    const SoftmaxTdOperators operators = softmax_td_operators(counts, Mat::Zero(3, 3));
    CHECK(operators.M(2, 0) == doctest::Approx(2.0 / 3));
    CHECK(operators.M(2, 2) == 0.0);
    CHECK(operators.P(2, 1) == doctest::Approx(2.0 / 3));
}

TEST_CASE("a positive margin contracts by 1 - C in the largest norm") {
    const Walk walk(400);
    const Mat scores = 6.0 * Mat::Identity(5, 5);
    const SoftmaxTdOperators operators = softmax_td_operators(walk.counts, scores);
    const double margin = diagonality_margin(operators.M, 0.5);
    REQUIRE(margin > 0);
    const Mat map = Mat::Identity(5, 5) - operators.M + 0.5 * operators.P;
    CHECK(map.cwiseAbs().rowSums().maxCoeff() <= 1 - margin + 1e-12);
    CHECK(diagonality_margin(Mat::Identity(4, 4), 0.9) == doctest::Approx(0.1));
}

namespace {
Covariance paper_covariance() { return {eigenvalues_of(Spectrum::paper, 5, 1), random_rotation(5, 2)}; }
RegressionTask some_task(int n = 12) {
    return draw_regression_task(paper_covariance(), WeightPrior::identity, n, 9, 4);
}
}  // namespace

TEST_CASE("gradient descent with small steps goes down and comes to w*") {
    const RegressionTask task = some_task();
    const auto iterates = preconditioned_descent(task, std::vector<Mat>(4000, -0.3 * Mat::Identity(5, 5)));
    for (size_t l = 1; l < 100; ++l) CHECK(task.loss(iterates[l]) < task.loss(iterates[l - 1]));
    CHECK((iterates.back() - task.w_star).norm() < 1e-6);
}

TEST_CASE("one step with the inverse Hessian is Newton's") {
    const RegressionTask task = some_task();
    const Mat hessian = task.X * task.X.transpose() / 12;
    CHECK((preconditioned_descent(task, {-inverse(hessian)}).back() - task.w_star).norm() < 1e-9);
}

TEST_CASE("GD++ without its move is gradient descent, with it it predicts as the moved data say") {
    const RegressionTask task = some_task();
    const auto plain = gd_plus_plus(task, 0.4, 0.0, 3);
    const auto descent = preconditioned_descent(task, std::vector<Mat>(3, -0.4 * Mat::Identity(5, 5)));
    for (size_t l = 0; l <= 3; ++l) CHECK((plain[l] - descent[l]).norm() < 1e-12);

    // Column by column: the query is moved as every x is, and takes part in no sum.
    Mat X = task.X;
    Vec query = task.query, left = task.y();
    double predicted = 0;
    const auto moved = gd_plus_plus(task, 0.4, 0.2, 3);
    for (size_t l = 0; l < 3; ++l) {
        CHECK(moved[l].dot(task.query) == doctest::Approx(predicted));
        const Vec step = 0.4 * (X * left) / 12;
        predicted += step.dot(query);
        left -= X.transpose() * step;
        const Mat S = X * X.transpose() / 12;
        query -= 0.2 * S * query;
        X -= 0.2 * S * X;
    }
    CHECK(moved[3].dot(task.query) == doctest::Approx(predicted));
}

TEST_CASE("ridge solves its equations, and without a penalty finds w*") {
    const RegressionTask task = some_task();
    const Vec w = ridge(task, 0.3);
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
            const Mat best = -c.U.transpose() * one_layer_preconditioner(c.eigenvalues, prior, n).asDiagonal() * c.U;
            const double least = testing::one_layer_loss(c, prior, n, best);
            for (int i = 0; i < 5; ++i)
                for (int j = 0; j <= i; ++j)
                    for (const double h : {-1e-2, 1e-2}) {
                        Mat A = best;
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
    const Vec values = eigenvalues_of(Spectrum::geometric, 4, 10);
    const Vec many = one_layer_preconditioner(values, WeightPrior::identity, 1000000);
    CHECK((many.cwiseProduct(values) - Vec::Constant(4, 1.0)).norm() < 1e-4);
    Vec isotropic = one_layer_preconditioner(Vec::Constant(5, 1.0), WeightPrior::identity, 20);
    CHECK(isotropic(0) == doctest::Approx(1 / (19.0 / 20 + 7.0 / 20)));
}
