#include "core/optim/gradient_flow.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace emergence;

namespace {

// 1/2 sum of curvature_i x_i^2: x_i(t) = x_i(0) exp(-curvature_i t).
double bowl(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
    const Eigen::Vector3d curvature(100.0, 1.0, 0.1);
    gradient = curvature.cwiseProduct(x);
    return 0.5 * x.dot(gradient);
}

}  // namespace

TEST_CASE("gradient flow: a quadratic's exponentials, stiff ones too") {
    GradientFlow flow(Eigen::Vector3d(1, -2, 3), 1e-4);
    flow.advance(bowl, 0.0);
    CHECK(flow.loss() == doctest::Approx(0.5 * (100 + 4 + 0.9)));
    for (const double time : {0.01, 0.5, 5.0, 40.0}) {
        flow.advance(bowl, time);
        CHECK(flow.time() == time);
        CHECK(flow.x()(1) == doctest::Approx(-2 * std::exp(-time)).epsilon(1e-3));
        CHECK(flow.x()(2) == doctest::Approx(3 * std::exp(-0.1 * time)).epsilon(1e-3));
        // What is gone stays gone, against what still moves.
        CHECK(std::abs(flow.x()(0) - std::exp(-100 * time)) < 1e-3);
    }
}

TEST_CASE("gradient flow: far down a valley the rate is still right") {
    GradientFlow flow(Eigen::Vector3d(1, 1, 1), 1e-2);
    flow.advance(bowl, 100.0);
    const double before = flow.loss();
    flow.advance(bowl, 200.0);
    CHECK(std::log(before / flow.loss()) / 100.0 == doctest::Approx(0.2).epsilon(1e-3));
}

TEST_CASE("gradient flow: goes on from a state with the same bits, and rests where there is no gradient") {
    GradientFlow straight(Eigen::Vector3d(1, -2, 3), 1e-3), cut = straight;
    for (const double time : {1.0, 2.0, 3.0}) straight.advance(bowl, time);
    cut.advance(bowl, 1.0);
    GradientFlow resumed(Eigen::Vector3d::Zero(), 1e-3);
    resumed.restore(cut.x(), cut.time(), cut.next_step(), cut.failed());
    for (const double time : {2.0, 3.0}) resumed.advance(bowl, time);
    CHECK(resumed.x() == straight.x());
    CHECK(resumed.loss() == straight.loss());
    GradientFlow resting(Eigen::Vector3d::Zero(), 1e-3);
    resting.advance(bowl, 1000.0);
    CHECK(resting.time() == 1000.0);
    CHECK(resting.x() == Eigen::Vector3d::Zero());
    CHECK_FALSE(resting.failed());
}

TEST_CASE("gradient flow: a loss that ends is told, with the last good place kept") {
    // -log(1 - x): the flow of the upward slope reaches x = 1 at time 1/2, where the loss ends.
    const Objective cliff = [](const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
        gradient = Eigen::VectorXd::Constant(1, -1.0 / (1.0 - x(0)));
        return std::log(1.0 - x(0));
    };
    GradientFlow flow(Eigen::VectorXd::Zero(1), 1e-3);
    flow.advance(cliff, 0.4);
    CHECK(flow.x()(0) == doctest::Approx(1 - std::sqrt(0.2)).epsilon(1e-3));
    CHECK_FALSE(flow.failed());
    flow.advance(cliff, 2.0);
    CHECK(flow.failed());
    CHECK(flow.x().allFinite());
}
