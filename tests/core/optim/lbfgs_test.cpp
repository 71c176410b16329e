#include "core/optim/lbfgs.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace emergence;

namespace {

double rosenbrock(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
    double loss = 0;
    gradient.setZero(x.size());
    for (Eigen::Index i = 0; i + 1 < x.size(); ++i) {
        const double a = 1 - x(i), b = x(i + 1) - x(i) * x(i);
        loss += a * a + 100 * b * b;
        gradient(i) += -2 * a - 400 * x(i) * b;
        gradient(i + 1) += 200 * b;
    }
    return loss;
}

Eigen::VectorXd start() { return Eigen::VectorXd::Constant(6, -1.2); }

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
    CHECK((lbfgs.x() - Eigen::VectorXd::Ones(6)).norm() < 1e-7);
    CHECK(lbfgs.memory().size() <= 10);
}

TEST_CASE("goes on from a saved state with the same bits") {
    Lbfgs straight({}, start()), first({}, start());
    for (int k = 0; k < 25; ++k) straight.iterate(rosenbrock);
    for (int k = 0; k < 12; ++k) first.iterate(rosenbrock);
    Lbfgs second({}, Eigen::VectorXd::Zero(6));
    second.restore(first.x(), first.memory(), first.converged());
    for (int k = 12; k < 25; ++k) second.iterate(rosenbrock);
    CHECK(second.x() == straight.x());
    CHECK(second.loss() == straight.loss());
}

TEST_CASE("walks around places where the loss is not finite") {
    const Objective walled = [](const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
        gradient.setZero(1);
        if (x(0) >= 2) return std::numeric_limits<double>::infinity();
        gradient(0) = 2 * (x(0) - 1.9);
        return (x(0) - 1.9) * (x(0) - 1.9);
    };
    Lbfgs lbfgs({}, Eigen::VectorXd::Constant(1, -3.0));
    for (int k = 0; k < 30; ++k) lbfgs.iterate(walled);
    CHECK(lbfgs.x()(0) == doctest::Approx(1.9));
    CHECK_FALSE(lbfgs.diverged());
}

TEST_CASE("says when it cannot begin") {
    const Objective nowhere = [](const Eigen::VectorXd&, Eigen::VectorXd& gradient) {
        gradient.setZero(1);
        return std::nan("");
    };
    Lbfgs lbfgs({}, Eigen::VectorXd::Zero(1));
    lbfgs.iterate(nowhere);
    CHECK(lbfgs.diverged());
    CHECK(lbfgs.x()(0) == 0);
}
