#include "core/optim/descent.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/support/matrices.h"

using namespace emergence;

namespace {

double rosenbrock(const Vec& x, Vec& gradient) {
    double loss = 0;
    gradient = Vec(x.size());
    for (Index i = 0; i + 1 < x.size(); ++i) {
        const double a = 1 - x(i), b = x(i + 1) - x(i) * x(i);
        loss += a * a + 100 * b * b;
        gradient(i) += -2 * a - 400 * x(i) * b;
        gradient(i + 1) += 200 * b;
    }
    return loss;
}

Vec start() { return Vec::Constant(6, -1.2); }

}  // namespace

TEST_CASE("finds the minimum, never going up") {
    Lbfgs lbfgs({}, start());
    lbfgs.evaluate(rosenbrock);
    for (int k = 0; k < 200 && !lbfgs.converged(); ++k) {
        const double before = lbfgs.loss();
        lbfgs.iterate(rosenbrock);
        CHECK(lbfgs.loss() <= before);
    }
    CHECK(lbfgs.converged());
    CHECK((lbfgs.x() - Vec::Constant(6, 1.0)).norm() < 1e-7);
    CHECK(lbfgs.memory().cols() <= 20);
}

TEST_CASE("walks around places where the loss is not finite") {
    const Objective walled = [](const Vec& x, Vec& gradient) {
        gradient = Vec(1);
        if (x(0) >= 2) return std::numeric_limits<double>::infinity();
        gradient(0) = 2 * (x(0) - 1.9);
        return (x(0) - 1.9) * (x(0) - 1.9);
    };
    Lbfgs lbfgs({}, Vec::Constant(1, -3.0));
    for (int k = 0; k < 30; ++k) lbfgs.iterate(walled);
    CHECK(lbfgs.x()(0) == doctest::Approx(1.9));
    CHECK_FALSE(lbfgs.diverged());
}

TEST_CASE("says when it cannot begin") {
    const Objective nowhere = [](const Vec&, Vec& gradient) {
        gradient = Vec(1);
        return std::nan("");
    };
    Lbfgs lbfgs({}, Vec::Zero(1));
    lbfgs.iterate(nowhere);
    CHECK(lbfgs.diverged());
    CHECK(lbfgs.x()(0) == 0);
}

namespace {

// 1/2 sum of curvature_i x_i^2: x_i(t) = x_i(0) exp(-curvature_i t).
double bowl(const Vec& x, Vec& gradient) {
    gradient = Vec::of({100.0, 1.0, 0.1}).cwiseProduct(x);
    return 0.5 * x.dot(gradient);
}

}  // namespace

TEST_CASE("gradient flow: a quadratic's exponentials, stiff ones too") {
    GradientFlow flow(Vec::of({1, -2, 3}), 1e-4);
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
    GradientFlow flow(Vec::of({1, 1, 1}), 1e-2);
    flow.advance(bowl, 100.0);
    const double before = flow.loss();
    flow.advance(bowl, 200.0);
    CHECK(std::log(before / flow.loss()) / 100.0 == doctest::Approx(0.2).epsilon(1e-3));
}

TEST_CASE("gradient flow: rests where there is no gradient") {
    GradientFlow resting(Vec::Zero(3), 1e-3);
    resting.advance(bowl, 1000.0);
    CHECK(resting.time() == 1000.0);
    CHECK(resting.x() == Vec::Zero(3));
    CHECK_FALSE(resting.failed());
}

TEST_CASE("gradient flow: a loss that ends is told, with the last good place kept") {
    // -log(1 - x): the flow of the upward slope reaches x = 1 at time 1/2, where the loss ends.
    const Objective cliff = [](const Vec& x, Vec& gradient) {
        gradient = Vec::Constant(1, -1.0 / (1.0 - x(0)));
        return std::log(1.0 - x(0));
    };
    GradientFlow flow(Vec::Zero(1), 1e-3);
    flow.advance(cliff, 0.4);
    CHECK(flow.x()(0) == doctest::Approx(1 - std::sqrt(0.2)).epsilon(1e-3));
    CHECK_FALSE(flow.failed());
    flow.advance(cliff, 2.0);
    CHECK(flow.failed());
    CHECK(flow.x().allFinite());
}

namespace emergence::least_squares_test {
namespace {

// Rosenbrock's valley as least squares: r = (10 (y - x^2), 1 - x), 0 at (1, 1).
NormalEquations valley(const Vec& at) {
    const Vec r = Vec::of({10 * (at[1] - at[0] * at[0]), 1 - at[0]});
    const Mat J = testing::matrix({{-20 * at[0], 10}, {-1, 0}});
    return {r.squaredNorm(), J.transpose() * J, J.transpose() * r};
}

double valley_loss(const Vec& at) { return valley(at).loss; }

}  // namespace

TEST_CASE("a curved valley is followed to its end, and every step goes down") {
    LeastSquares fit{Vec::of({-1.2, 1.0})};
    double before = valley_loss(fit.x);
    for (int step = 0; step < 60 && fit.step(valley, valley_loss); ++step) {
        CHECK(valley_loss(fit.x) < before);
        before = valley_loss(fit.x);
    }
    CHECK(before < 1e-28);
    CHECK_FALSE(fit.step(valley, valley_loss));
    CHECK(fit.x[0] == doctest::Approx(1.0));
}

TEST_CASE("a linear problem takes a few steps, a parameter that nothing depends on stays") {
    const auto linear = [](const Vec& x) {
        NormalEquations at{(x[0] - 3) * (x[0] - 3), Mat::Zero(2, 2), Vec::of({x[0] - 3, 0})};
        at.curvature(0, 0) = 1;
        return at;
    };
    LeastSquares fit{Vec::of({0.0, 7.0})};
    for (int step = 0; step < 8; ++step) fit.step(linear, [&](const Vec& x) { return linear(x).loss; });
    CHECK(fit.x[0] == doctest::Approx(3.0).epsilon(1e-12));
    CHECK(fit.x[1] == 7.0);
}

TEST_CASE("what is not finite moves nothing") {
    const auto broken = [](const Vec& x) {
        return NormalEquations{std::numeric_limits<double>::quiet_NaN(), Mat::Identity(1, 1), x};
    };
    LeastSquares fit{Vec::Constant(1, 2.0)};
    CHECK_FALSE(fit.step(broken, [](const Vec&) { return 0.0; }));
    CHECK(fit.x[0] == 2.0);
}

}  // namespace emergence::least_squares_test
