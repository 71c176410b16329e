#include "core/algorithms/policy_agent.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/matrices.h"

using namespace emergence;

TEST_CASE("random MDPs: probabilities, rewards, one stream an MDP") {
    const Mdp mdp = random_mdp(9, 4, 3, 7);
    CHECK(mdp.initial.sum() == doctest::Approx(1.0).epsilon(1e-14));
    CHECK(mdp.initial.minCoeff() > 0.0);
    REQUIRE(mdp.transition.rows() == 36);
    for (int row = 0; row < 36; ++row) CHECK(mdp.transition.row(row).sum() == doctest::Approx(1.0));
    CHECK(mdp.reward.cwiseAbs().maxCoeff() < 1.0);
    CHECK(mdp.transition == random_mdp(9, 4, 3, 7).transition);
    CHECK(mdp.transition != random_mdp(9, 4, 3, 8).transition);
    CHECK(mdp.transition != random_mdp(9, 4, 4, 7).transition);
}

TEST_CASE("Dirichlet(1): an entry of a simplex of nine has mean 1/9 and variance 8/810") {
    double sum = 0, squares = 0;
    int count = 0;
    for (uint32_t index = 0; index < 100; ++index) {
        const Mdp mdp = random_mdp(9, 4, 0, index);
        for (int row = 0; row < 36; ++row) {
            const double p = mdp.transition(row, row % 9);
            sum += p;
            squares += p * p;
            ++count;
        }
    }
    const double mean = sum / count;
    CHECK(mean == doctest::Approx(1.0 / 9).epsilon(0.05));
    CHECK(squares / count - mean * mean == doctest::Approx(8.0 / 810).epsilon(0.1));
}

TEST_CASE("values: the Bellman equations hold, and no policy beats the greedy one in Q*") {
    const double gamma = 0.5;
    const Mdp mdp = random_mdp(9, 4, 1, 0);
    const Mat best = optimal_action_values(mdp, gamma);
    Vec v(9);
    for (int s = 0; s < 9; ++s) v(s) = best.row(s).maxCoeff();
    CHECK((action_values(mdp, v, gamma) - best).cwiseAbs().maxCoeff() < 1e-12);
    const Vec of_greedy = policy_values(mdp, greedy_policy(best), gamma);
    CHECK((of_greedy - v).cwiseAbs().maxCoeff() < 1e-12);
    const Mat uniform = Mat::Constant(9, 4, 0.25);
    const Vec of_uniform = policy_values(mdp, uniform, gamma);
    CHECK((action_values(mdp, of_uniform, gamma).rowSums() / 4 - of_uniform).cwiseAbs().maxCoeff() < 1e-12);
    CHECK((of_greedy - of_uniform).minCoeff() > 0.0);
}

TEST_CASE("rows are sampled by their probabilities") {
    RowSampler sampler;
    sampler.reset(testing::matrix({{0.2, 0.3, 0.5}, {0.0, 1.0, 0.0}}));
    CHECK(sampler.draw(0, 0.1) == 0);
    CHECK(sampler.draw(0, 0.2) == 1);
    CHECK(sampler.draw(0, 0.49) == 1);
    CHECK(sampler.draw(0, 0.51) == 2);
    for (const double u : {1e-9, 0.5, 1 - 1e-9}) CHECK(sampler.draw(1, u) == 1);
    sampler.reset(Mat::Constant(2, 4, 0.25));  // an odd number of sums
    for (const double u : {1e-9, 0.25, 0.49, 0.5, 0.74, 0.75, 1 - 1e-9})
        CHECK(sampler.draw(1, u) == static_cast<int>(4 * u));
}
