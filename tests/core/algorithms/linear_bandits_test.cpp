#include "core/algorithms/linear_bandits.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace emergence;

namespace {

// LinUCB as it is written down: V is d x d and inverted anew in every round.
struct NaiveLinUcb {
    Eigen::MatrixXd V;
    Eigen::VectorXd b;
    explicit NaiveLinUcb(Eigen::Index d) : V(Eigen::MatrixXd::Identity(d, d)), b(Eigen::VectorXd::Zero(d)) {}
    BanditChoice choose(const Eigen::MatrixXd& actions, double alpha) const {
        const Eigen::MatrixXd inverse = V.inverse();
        const Eigen::VectorXd w = inverse * b;
        BanditChoice best;
        for (int k = 0; k < static_cast<int>(actions.rows()); ++k) {
            const Eigen::VectorXd x = actions.row(k).transpose();
            const double score = x.dot(w) + alpha * std::sqrt(x.dot(inverse * x));
            if (k == 0 || score > best.optimistic) best = {k, score, x.dot(w)};
        }
        return best;
    }
    void observe(const Eigen::VectorXd& x, double reward) {
        V += x * x.transpose();
        b += reward * x;
    }
};

}  // namespace

TEST_CASE("LinUCB over the arms' Gram matrix is LinUCB over d x d") {
    for (const int arms : {5, 40}) {  // fewer and more than there are entries
        BanditTrajectory world;
        draw_bandit({.d = 12, .arms = arms}, 3, 1, world);
        LinUcb policy(1.0);
        policy.reset(world);
        NaiveLinUcb naive(12);
        Stream random = policy_stream(3, 1, 0);
        double apart = 0.0;
        for (int round = 0; round < world.rounds(); ++round) {
            const BanditChoice choice = policy.choose(round, random);
            const BanditChoice expected = naive.choose(world.actions, 1.0);
            REQUIRE(choice.arm == expected.arm);
            apart = std::max({apart, std::abs(choice.optimistic - expected.optimistic),
                              std::abs(choice.estimate - expected.estimate)});
            policy.observe(choice.arm, world.reward(round, choice.arm));
            naive.observe(world.actions.row(choice.arm).transpose(), world.reward(round, choice.arm));
        }
        CHECK(apart < 1e-10);
    }
}
