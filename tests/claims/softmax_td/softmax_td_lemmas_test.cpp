// The gradient of Lemma 10 by finite differences, and the expected update of Eq. (33) in the layers.
#include "tests/claims/softmax_td/softmax_td_lemmas.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/measures/softmax_td_difference.h"

using namespace emergence;

namespace {

constexpr double kGammaOfLemma = 0.8;

// The value after some layers at parameters: reward, next value, current value, scores by columns.
Eigen::VectorXd value_at(const Eigen::VectorXd& at, const Eigen::MatrixXd& counts, const Eigen::VectorXd& reward,
                         int layers) {
    const Eigen::Index m = counts.rows();
    const SoftmaxTdOperators of = softmax_td_operators(counts, at.tail(m * m).reshaped(m, m));
    Eigen::VectorXd v = Eigen::VectorXd::Zero(m);
    for (int l = 0; l < layers; ++l)
        v = (v + at[0] * (of.M * reward) + at[1] * kGammaOfLemma * (of.P * v) + at[2] * (of.M * v)).eval();
    return v;
}

}  // namespace

TEST_CASE("the gradient by the theorem's parameters is that of finite differences") {
    const LemmaChain chain({.num_states = 4, .gamma = kGammaOfLemma, .sharpness = 1.5}, 2);
    const Eigen::MatrixXd counts = chain.counts(300, 0);
    const auto found = chain.gradients(counts, 6);
    Eigen::VectorXd at(3 + 16);
    at << 1, 1, -1, chain.scores().reshaped();
    CHECK((found.values.back() - value_at(at, counts, chain.mrp().reward, 6)).norm() < 1e-12);
    for (Eigen::Index i = 0; i < at.size(); ++i) {
        Eigen::VectorXd above = at, below = at;
        above[i] += 1e-5;
        below[i] -= 1e-5;
        const Eigen::VectorXd slope =
            (value_at(above, counts, chain.mrp().reward, 6) - value_at(below, counts, chain.mrp().reward, 6)) / 2e-5;
        CHECK((found.by_layer.back().col(i) - slope).norm() < 1e-8);
    }
}

TEST_CASE("the population's transitions have its margin and no bias") {
    const LemmaChain chain({.sharpness = 12.0}, 0);
    const Deviations found = chain.deviations(chain.population_counts());
    CHECK(found.margin == doctest::Approx(chain.margin()));
    CHECK(found.bias < 1e-12);
    CHECK(found.kernel < 1e-12);
}

TEST_CASE("independent states have no eigenvalue left, lazy ones a large one") {
    const LemmaChain chain({}, 1), lazy({.laziness = 0.9}, 1);
    CHECK(chain.frequency_bound(100, 0.05, false) == doctest::Approx(std::sqrt(std::log(400.0) / 200)));
    CHECK(lazy.frequency_bound(100, 0.05) > 3 * chain.frequency_bound(100, 0.05));
}
