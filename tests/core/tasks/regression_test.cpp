#include "core/tasks/regression.h"

#include <doctest/doctest.h>

#include "tests/support/differences.h"
#include "tests/support/matrices.h"

using namespace emergence;

namespace {
const Mat kIdentity5 = Mat::Identity(5, 5);
}

TEST_CASE("the paper's spectrum is its D squared") {
    CHECK(eigenvalues_of(Spectrum::paper, 5, 1) == Vec::of({1, 1, 0.25, 0.0625, 1}));
    CHECK(testing::close(eigenvalues_of(Spectrum::geometric, 3, 100), Vec::of({1, 0.1, 0.01})));
    CHECK(testing::close(eigenvalues_of(Spectrum::two_levels, 3, 4), Vec::of({1, 1, 0.25})));
    CHECK(eigenvalues_of(Spectrum::identity, 3, 4) == Vec::Constant(3, 1.0));
    CHECK(eigenvalues_of(Spectrum::geometric, 1, 9)(0) == 1.0);
}

TEST_CASE("rotations are orthogonal, differ with the seed and are the same for the same") {
    const Mat U = random_rotation(5, 7);
    CHECK((U * U.transpose() - kIdentity5).norm() < 1e-12);
    CHECK(U == random_rotation(5, 7));
    CHECK((U - random_rotation(5, 8)).norm() > 0.1);
}

TEST_CASE("rotations are uniform: entries have mean 0 and variance 1/d") {
    double sum = 0, square = 0;
    const int count = 4000;
    for (int k = 0; k < count; ++k) {
        const double entry = random_rotation(3, static_cast<uint64_t>(k))(0, 0);
        sum += entry;
        square += entry * entry;
    }
    CHECK(std::abs(sum / count) < 4 * std::sqrt(1.0 / 3 / count));
    CHECK(square / count == doctest::Approx(1.0 / 3).epsilon(0.06));
}

TEST_CASE("powers of Sigma multiply as numbers do") {
    const Covariance c{eigenvalues_of(Spectrum::paper, 5, 1), random_rotation(5, 1)};
    CHECK((c.power(0.5) * c.power(0.5) - c.matrix()).norm() < 1e-12);
    CHECK((c.power(-1) * c.matrix() - kIdentity5).norm() < 1e-10);
}

TEST_CASE("x and w* have the covariances that they should") {
    const Covariance c{eigenvalues_of(Spectrum::two_levels, 2, 9), random_rotation(2, 5)};
    Mat xx = Mat::Zero(2, 2), ww = xx, qq = xx;
    const int count = 20000;
    for (int k = 0; k < count; ++k) {
        const RegressionTask task =
            draw_regression_task(c, WeightPrior::inverse_covariance, 2, 11, static_cast<uint32_t>(k));
        xx += task.X * task.X.transpose() / 2;
        qq += task.query * task.query.transpose();
        ww += task.w_star * task.w_star.transpose();
    }
    CHECK((xx / count - c.matrix()).norm() < 0.03);
    CHECK((qq / count - c.matrix()).norm() < 0.04);
    CHECK((ww / count - c.power(-1)).norm() < 0.3);
}

TEST_CASE("draws do not depend on n and follow Sigma smoothly") {
    const Covariance c{eigenvalues_of(Spectrum::paper, 5, 1), random_rotation(5, 1)};
    const RegressionTask few = draw_regression_task(c, WeightPrior::identity, 3, 4, 17);
    const RegressionTask many = draw_regression_task(c, WeightPrior::identity, 9, 4, 17);
    CHECK(few.X == many.X.leftCols(3));
    CHECK(few.query == many.query);
    CHECK(few.w_star == many.w_star);
    // The same numbers behind it with another Sigma.
    const Covariance isotropic{Vec::Constant(5, 1.0), c.U};
    const RegressionTask plain = draw_regression_task(isotropic, WeightPrior::identity, 3, 4, 17);
    CHECK((c.power(0.5) * plain.X - few.X).norm() < 1e-12);
    CHECK(plain.w_star == few.w_star);
}

TEST_CASE("the loss's gradient is its derivative") {
    const Covariance c{eigenvalues_of(Spectrum::paper, 5, 1), random_rotation(5, 1)};
    const RegressionTask task = draw_regression_task(c, WeightPrior::identity, 8, 4, 2);
    Vec w = Vec::of({-1, -0.5, 0, 0.5, 1});
    const auto slopes = testing::slopes_by(w, [&] { return task.loss(w); });
    for (int i = 0; i < 5; ++i)
        CHECK(slopes[static_cast<size_t>(i)] == doctest::Approx(task.gradient(w)(i)).epsilon(1e-6));
    CHECK(task.gradient(task.w_star).norm() < 1e-14);
    CHECK(task.target() == doctest::Approx(task.w_star.dot(task.query)));
}
