#include "core/base/linear_algebra.h"

#include <cmath>
#include <limits>

#include "core/base/eigen.h"
#include "core/base/rng.h"

namespace emergence {

using Eigen::MatrixXd;

// b with the type of a vector: for a matrix of one column Eigen sums in another order.
static Eigen::Map<const Eigen::VectorXd> column(const Vec& b) { return {b.data(), b.size()}; }
template <class Decomposition>
static Vec solved(const Decomposition& of, const Vec& b) {
    const Eigen::VectorXd x = of.solve(column(b));
    return mat_of(x);
}

Vec solve(const Mat& A, const Vec& b) { return solved(eigen(A).partialPivLu(), b); }

std::optional<Vec> solve_if_regular(const Mat& A, const Vec& b) {
    const Eigen::FullPivLU<MatrixXd> lu(eigen(A));
    if (!lu.isInvertible()) return std::nullopt;
    return solved(lu, b);
}

Vec solve_positive(const Mat& A, const Vec& b) { return solved(eigen(A).ldlt(), b); }

// A = Q R, or A' = Q R; then eigenvectors of [0 R; R' 0], whose eigenvalues are R's singular values and their negatives.
Vec least_norm_solution(const Mat& A, const Vec& b) {
    const bool wide = A.cols() > A.rows();
    const Eigen::HouseholderQR<MatrixXd> qr(wide ? MatrixXd(eigen(A).transpose()) : MatrixXd(eigen(A)));
    const Index most = qr.rows(), n = qr.cols();
    const Mat Q = mat_of(qr.householderQ() * MatrixXd::Identity(most, n));
    Mat both(2 * n, 2 * n);  // its lower half: R' below the diagonal blocks
    for (Index i = 0; i < n; ++i)
        for (Index j = i; j < n; ++j) both(n + j, i) = qr.matrixQR()(i, j);
    const Mat inverse = symmetric_pseudo_inverse(both);
    return wide ? Q * (inverse.block(0, n, n, n) * b) : inverse.block(n, 0, n, n) * (Q.transpose() * b);
}

void solve_lower_factor(Mat& A, Mat& B) {
    Eigen::Map<MatrixXd> factor = eigen(A), solved = eigen(B);
    const Eigen::LLT<Eigen::Ref<MatrixXd>> cholesky(factor);
    cholesky.matrixL().solveInPlace(solved);
}

void add_lower_product(const Mat& L, const Vec& x, Vec& sum) {
    Eigen::Map<Eigen::VectorXd> to(sum.data(), sum.size());
    to += eigen(L).triangularView<Eigen::Lower>() * column(x);
}

Mat orthogonal_factor(const Mat& A) {
    const Eigen::HouseholderQR<MatrixXd> qr(eigen(A));
    MatrixXd Q = qr.householderQ();
    for (Index j = 0; j < Q.cols(); ++j)
        if (qr.matrixQR()(j, j) < 0) Q.col(j) = -Q.col(j);
    return mat_of(Q);
}

Mat normal_matrix(Stream& stream, Index rows, Index columns, double deviation) {
    Mat matrix(rows, columns);
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < columns; ++j) matrix(i, j) = deviation * stream.normal();
    return matrix;
}

Mat inverse(const Mat& A) { return mat_of(MatrixXd(eigen(A)).inverse()); }

Vec symmetric_eigenvalues(const Mat& A) {
    return mat_of(Eigen::SelfAdjointEigenSolver<MatrixXd>(eigen(A), Eigen::EigenvaluesOnly).eigenvalues());
}

Mat symmetric_pseudo_inverse(const Mat& A) {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(eigen(A));
    const Mat vectors = mat_of(solver.eigenvectors());
    Vec values = mat_of(solver.eigenvalues());
    const double least =
        values.cwiseAbs().maxCoeff() * static_cast<double>(A.rows()) * std::numeric_limits<double>::epsilon();
    for (double& value : values) value = std::abs(value) > least ? 1.0 / value : 0.0;
    return vectors * values.asDiagonal() * vectors.transpose();
}

// |A^n|^(1/n) for n = 2^59, by squaring.
double spectral_radius(const Mat& A) {
    double logarithm = 0.0;
    Mat power = A;
    for (int k = 0; k < 60; ++k) {
        const double norm = power.norm();
        if (norm == 0.0 || !std::isfinite(norm)) return norm == 0.0 ? 0.0 : std::numeric_limits<double>::quiet_NaN();
        logarithm += std::ldexp(std::log(norm), -k);
        power /= norm;
        power = power * power;
    }
    return std::exp(logarithm);
}

// log |e^lambda|. e^A: by its series for A / 2^halvings.
double spectral_abscissa(const Mat& A) {
    const double norm = A.norm();
    if (!std::isfinite(norm)) return std::numeric_limits<double>::quiet_NaN();
    const int halvings = norm > 1.0 ? std::ilogb(norm) + 1 : 0;
    Mat term = Mat::Identity(A.rows(), A.cols()), exponential = term;
    for (int k = 1; k <= 20; ++k) {
        term = term * A * std::ldexp(1.0 / k, -halvings);
        exponential += term;
    }
    return std::ldexp(std::log(spectral_radius(exponential)), halvings);
}

}  // namespace emergence
