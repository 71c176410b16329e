#include "core/base/linear_algebra.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/base/eigen.h"
#include "core/base/rng.h"
#include "core/base/statistics.h"

using namespace emergence;

namespace {

const Mat kRegular = Mat(ConstMatView::by_rows(std::vector<double>{2, 1, 0, 1, 3, -1, 0, -1, 4}.data(), 3, 3));
const Vec kAny = Vec::of({1, -2, 3});

// Of rank `rank`.
Mat some_matrix(Index rows, Index cols, Index rank) {
    Stream stream(7, Purpose::features);
    return normal_matrix(stream, rows, rank, 1) * normal_matrix(stream, rank, cols, 1);
}

}  // namespace

TEST_CASE("what is solved, inverted or decomposed satisfies its equation") {
    CHECK((kRegular * solve(kRegular, kAny) - kAny).norm() < 1e-14);
    CHECK((kRegular * *solve_if_regular(kRegular, kAny) - kAny).norm() < 1e-14);
    CHECK((kRegular * solve_positive(kRegular, kAny) - kAny).norm() < 1e-14);
    CHECK((kRegular * inverse(kRegular) - Mat::Identity(3, 3)).norm() < 1e-14);
    const Vec values = symmetric_eigenvalues(kRegular);
    CHECK(values.sum() == doctest::Approx(9));
    CHECK(values[0] * values[1] * values[2] == doctest::Approx(18));
    const Mat Q = orthogonal_factor(kRegular);
    CHECK((Q * Q.transpose() - Mat::Identity(3, 3)).norm() < 1e-14);
    Mat L = kRegular, B = Mat::Identity(3, 3);
    solve_lower_factor(L, B);
    Vec sum = kAny;
    add_lower_product(L, B * kAny, sum);
    CHECK((sum - 2 * kAny).norm() < 1e-14);
}

TEST_CASE("a least-norm solution is that of a complete orthogonal decomposition, for any rank") {
    for (const auto& [rows, cols, rank] :
         {std::array{7, 4, 4}, {4, 7, 4}, {5, 5, 5}, {9, 4, 2}, {3, 8, 1}, {4, 4, 0}}) {
        const Mat A = some_matrix(rows, cols, rank), b = some_matrix(rows, 1, 1);
        const Mat wanted = mat_of(eigen(A).completeOrthogonalDecomposition().solve(eigen(b)));
        CHECK((least_norm_solution(A, b) - wanted).norm() <= 1e-12 * wanted.norm());
        if (rows == cols) CHECK(solve_if_regular(A, b).has_value() == (rank == rows));
        const Mat symmetric = A * A.transpose();
        const Mat inverse = mat_of(eigen(symmetric).completeOrthogonalDecomposition().pseudoInverse());
        CHECK((symmetric_pseudo_inverse(symmetric) - inverse).norm() <= 1e-10 * inverse.norm());
    }
}

TEST_CASE("an eigenvalue's greatest modulus and real part are those of a general decomposition") {
    for (int n = 1; n < 9; ++n)
        for (const double scale : {1e-3, 1.0, 30.0}) {
            const Mat A = scale * some_matrix(n, n, n);
            const Eigen::VectorXcd values = eigen(A).eigenvalues();
            CHECK(spectral_radius(A) == doctest::Approx(values.cwiseAbs().maxCoeff()).epsilon(1e-12));
            CHECK(std::abs(spectral_abscissa(A) - values.real().maxCoeff()) < 1e-12 * A.norm());
        }
    const Mat turn = ConstMatView::by_rows(std::vector<double>{0, -1, 1, 0}.data(), 2, 2);  // i and -i
    CHECK(spectral_radius(turn) == doctest::Approx(1));
    CHECK(std::abs(spectral_abscissa(turn)) < 1e-14);
    CHECK(spectral_radius(Mat(3, 3)) == 0);
    CHECK(std::isnan(spectral_radius(Mat::Constant(2, 2, std::numeric_limits<double>::infinity()))));
    CHECK(std::isnan(spectral_abscissa(Mat::Constant(2, 2, std::nan("")))));
}

TEST_CASE("a mean of nothing is not known") {
    CHECK(mean_of({1, 2, 6}) == 3);
    CHECK(std::isnan(mean_of({})));
}
