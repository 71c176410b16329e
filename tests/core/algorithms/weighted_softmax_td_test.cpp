// Weighted softmax TD: its two forms are one, tabular TD is a special case, the margin is a contraction.
#include "core/algorithms/weighted_softmax_td.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/linear_algebra.h"
#include "core/base/rng.h"
#include "core/tasks/task.h"

using namespace emergence;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

struct Walk {
    Mrp mrp;
    std::vector<int> states;
    MatrixXd counts;
    StateSequence sequence;
    explicit Walk(int n) {
        draw_mrp({.num_states = 5, .d = 3, .representable = true}, 4, 0, mrp);
        StateSampler sampler;
        sampler.reset(mrp);
        Stream stream(4, Purpose::testing);
        counts = MatrixXd::Zero(5, 5);
        sequence = {MatrixXd(3, n + 1), VectorXd(n)};
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
    const MatrixXd scores = walk.mrp.features.transpose() * walk.mrp.features;
    const auto similarity = [](const VectorXd& a, const VectorXd& b) { return std::exp(a.dot(b)); };
    const auto v = weighted_softmax_td(walk.sequence, similarity, true, 0.9, 0.8, 12);
    const SoftmaxTdOperators operators = softmax_td_operators(walk.counts, scores);
    VectorXd by_state = VectorXd::Zero(5);
    for (size_t l = 0; l < v.size(); ++l) {
        for (size_t k = 0; k < walk.states.size(); ++k)
            CHECK(v[l][static_cast<Eigen::Index>(k)] == doctest::Approx(by_state[walk.states[k]]).epsilon(1e-12));
        by_state = softmax_td_step(operators, walk.mrp.reward, by_state, 0.9, 0.8);
    }
}

TEST_CASE("with a sharp kernel it is tabular TD: the values solve the transitions as they were seen") {
    const Walk walk(200);
    const MatrixXd sharp = 200.0 * MatrixXd::Identity(5, 5);
    const SoftmaxTdOperators operators = softmax_td_operators(walk.counts, sharp);
    CHECK((operators.M - MatrixXd::Identity(5, 5)).norm() < 1e-12);
    MatrixXd seen = walk.counts;
    for (int s = 0; s < 5; ++s) seen.row(s) /= seen.row(s).sum();
    const VectorXd exact = solve(MatrixXd::Identity(5, 5) - 0.9 * seen, walk.mrp.reward);
    VectorXd v = VectorXd::Zero(5);
    for (int l = 0; l < 500; ++l) v = softmax_td_step(operators, walk.mrp.reward, v, 0.9, 1.0);
    CHECK((v - exact).norm() < 1e-9);
}

TEST_CASE("a state that was never left is no source") {
    MatrixXd counts = MatrixXd::Zero(3, 3);
    counts(0, 1) = 2;
    counts(1, 0) = 1;
    const SoftmaxTdOperators operators = softmax_td_operators(counts, MatrixXd::Zero(3, 3));
    CHECK(operators.M(2, 0) == doctest::Approx(2.0 / 3));
    CHECK(operators.M(2, 2) == 0.0);
    CHECK(operators.P(2, 1) == doctest::Approx(2.0 / 3));
}

TEST_CASE("a positive margin contracts by 1 - C in the largest norm") {
    const Walk walk(400);
    const MatrixXd scores = 6.0 * MatrixXd::Identity(5, 5);
    const SoftmaxTdOperators operators = softmax_td_operators(walk.counts, scores);
    const double margin = diagonality_margin(operators.M, 0.5);
    REQUIRE(margin > 0);
    const MatrixXd map = MatrixXd::Identity(5, 5) - operators.M + 0.5 * operators.P;
    CHECK(map.cwiseAbs().rowwise().sum().maxCoeff() <= 1 - margin + 1e-12);
    CHECK(diagonality_margin(MatrixXd::Identity(4, 4), 0.9) == doctest::Approx(0.1));
}
