#include "core/tasks/mrp.h"

#include <doctest/doctest.h>

using namespace emergence;

namespace {

Mrp chain(const Eigen::MatrixXd& transition, const Eigen::VectorXd& initial) {
    Mrp mrp;
    mrp.transition = transition;
    mrp.initial = initial;
    mrp.reward = Eigen::VectorXd::Ones(initial.size());
    mrp.features = Eigen::MatrixXd::Identity(initial.size(), initial.size());
    return mrp;
}

}  // namespace

TEST_CASE("errors of a chain that returns to every state are weighed by its stationary distribution, bit for bit") {
    Eigen::Matrix3d p;
    p << 0.1, 0.9, 0, 0, 0.5, 0.5, 1, 0, 0;
    const Mrp mrp = chain(p, Eigen::Vector3d(1, 0, 0));
    CHECK(transient_states(mrp).empty());
    CHECK(error_weights(mrp, stationary_distribution(mrp)) == stationary_distribution(mrp));
}

TEST_CASE("errors of an episode that ends are weighed by the visits before its end") {
    // From a or b; a stays with 1/2, goes to b with 1/4, ends with 1/4; b ends.
    Eigen::Matrix3d p;
    p << 0.5, 0.25, 0.25, 0, 0, 1, 0, 0, 1;
    const Mrp mrp = chain(p, Eigen::Vector3d(0.5, 0.5, 0));
    CHECK(transient_states(mrp) == std::vector<int>{0, 1});
    // Visits: a 1, b 1/2 + 1/4.
    const Eigen::VectorXd weights = error_weights(mrp, stationary_distribution(mrp));
    CHECK(weights.isApprox(Eigen::Vector3d(4.0 / 7, 3.0 / 7, 0)));
    // It ends in a loop of two states.
    Eigen::Matrix4d loop;
    loop << 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0;
    Mrp long_end = chain(loop, Eigen::Vector4d(1, 0, 0, 0));
    // Its states pay: their values are what a prediction may miss.
    CHECK(error_weights(long_end, stationary_distribution(long_end)).isApprox(Eigen::Vector4d(0, 0, 0.5, 0.5)));
    long_end.reward.tail(2).setZero();
    CHECK(transient_states(long_end) == std::vector<int>{0, 1});
    CHECK(error_weights(long_end, stationary_distribution(long_end)).isApprox(Eigen::Vector4d(0.5, 0.5, 0, 0)));
    // It begins where it stays.
    const Mrp within = chain(loop, Eigen::Vector4d(0, 0, 1, 0));
    CHECK(error_weights(within, stationary_distribution(within)).isApprox(Eigen::Vector4d(0, 0, 0.5, 0.5)));
}
