#include "core/optim/least_squares.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace emergence::least_squares_test {
namespace {

// Rosenbrock's valley as least squares: r = (10 (y - x^2), 1 - x), 0 at (1, 1).
NormalEquations valley(const Eigen::VectorXd& at) {
    const Eigen::Vector2d r(10 * (at[1] - at[0] * at[0]), 1 - at[0]);
    Eigen::Matrix2d J;
    J << -20 * at[0], 10, -1, 0;
    return {r.squaredNorm(), J.transpose() * J, J.transpose() * r};
}

double valley_loss(const Eigen::VectorXd& at) { return valley(at).loss; }

}  // namespace

TEST_CASE("a curved valley is followed to its end, and every step goes down") {
    LeastSquares fit(Eigen::Vector2d(-1.2, 1.0));
    double before = valley_loss(fit.x());
    for (int step = 0; step < 60 && fit.step(valley, valley_loss); ++step) {
        CHECK(valley_loss(fit.x()) < before);
        before = valley_loss(fit.x());
    }
    CHECK(before < 1e-28);
    CHECK_FALSE(fit.step(valley, valley_loss));
    CHECK(fit.x()[0] == doctest::Approx(1.0));
}

TEST_CASE("a linear problem takes a few steps, a parameter that nothing depends on stays") {
    const auto linear = [](const Eigen::VectorXd& x) {
        NormalEquations at{(x[0] - 3) * (x[0] - 3), Eigen::MatrixXd::Zero(2, 2),
                           Eigen::Vector2d(x[0] - 3, 0)};
        at.curvature(0, 0) = 1;
        return at;
    };
    LeastSquares fit(Eigen::Vector2d(0.0, 7.0));
    for (int step = 0; step < 8; ++step)
        fit.step(linear, [&](const Eigen::VectorXd& x) { return linear(x).loss; });
    CHECK(fit.x()[0] == doctest::Approx(3.0).epsilon(1e-12));
    CHECK(fit.x()[1] == 7.0);
}

TEST_CASE("what is not finite moves nothing") {
    const auto broken = [](const Eigen::VectorXd& x) {
        return NormalEquations{std::numeric_limits<double>::quiet_NaN(), Eigen::MatrixXd::Identity(1, 1), x};
    };
    LeastSquares fit(Eigen::VectorXd::Constant(1, 2.0));
    CHECK_FALSE(fit.step(broken, [](const Eigen::VectorXd&) { return 0.0; }));
    CHECK(fit.x()[0] == 2.0);
}

TEST_CASE("going on from what was kept is going on") {
    LeastSquares whole(Eigen::Vector2d(-1.2, 1.0)), first = whole, second(Eigen::Vector2d(0.0, 0.0));
    for (int step = 0; step < 6; ++step) whole.step(valley, valley_loss);
    for (int step = 0; step < 3; ++step) first.step(valley, valley_loss);
    second.restore(first.x(), first.damping());
    for (int step = 0; step < 3; ++step) second.step(valley, valley_loss);
    CHECK(second.x() == whole.x());
    CHECK(second.damping() == whole.damping());
}

}  // namespace emergence::least_squares_test
