#include "core/base/linear_algebra.h"

#include <doctest/doctest.h>

#include "core/base/statistics.h"

using namespace emergence;

namespace {

const Eigen::MatrixXd kRegular = (Eigen::Matrix3d() << 2, 1, 0, 1, 3, -1, 0, -1, 4).finished();
const Eigen::VectorXd kAny = Eigen::Vector3d(1, -2, 3);

}  // namespace

TEST_CASE("what is solved, inverted or decomposed satisfies its equation") {
    CHECK((kRegular * solve(kRegular, kAny) - kAny).norm() < 1e-14);
    CHECK((kRegular * solve_positive(kRegular, kAny) - kAny).norm() < 1e-14);
    CHECK((kRegular * inverse(kRegular)).isIdentity(1e-14));
    CHECK(symmetric_eigenvalues(kRegular).sum() == doctest::Approx(9));
    CHECK(symmetric_eigenvalues(kRegular).prod() == doctest::Approx(kRegular.determinant()));
    const Eigen::Matrix2d turn = (Eigen::Matrix2d() << 0, -1, 1, 0).finished();
    CHECK(std::abs(eigenvalues(turn)(0)) == doctest::Approx(1));
    CHECK(eigenvalues(turn).real().norm() < 1e-14);  // i and -i
}

TEST_CASE("a singular matrix has no solution, a least-norm one, and Moore and Penrose's inverse") {
    const Eigen::MatrixXd A = (Eigen::MatrixXd(2, 3) << 1, 2, 3, 2, 4, 6).finished();
    CHECK_FALSE(solve_if_regular(A.leftCols(2), Eigen::Vector2d(1, 2)).has_value());
    CHECK(solve_if_regular(kRegular, kAny)->isApprox(solve(kRegular, kAny)));
    const Eigen::VectorXd x = least_norm_solution(A, Eigen::Vector2d(1, 2));
    CHECK(x.isApprox(Eigen::Vector3d(1, 2, 3) / 14));
    const Eigen::MatrixXd inverse_of = pseudo_inverse(A);
    CHECK((A * inverse_of * A).isApprox(A));
    CHECK((inverse_of * A * inverse_of).isApprox(inverse_of));
    CHECK((A * inverse_of).isApprox((A * inverse_of).transpose()));
}

TEST_CASE("a mean of nothing is not known") {
    CHECK(mean_of({1, 2, 6}) == 3);
    CHECK(std::isnan(mean_of({})));
}
