#include "core/base/linear_algebra.h"

#include "core/base/rng.h"

EMERGENCE_PRODUCT_KERNELS(template)

namespace emergence {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd solve(const MatrixXd& A, const VectorXd& b) { return A.partialPivLu().solve(b); }

std::optional<VectorXd> solve_if_regular(const MatrixXd& A, const VectorXd& b) {
    const Eigen::FullPivLU<MatrixXd> lu(A);
    if (!lu.isInvertible()) return std::nullopt;
    return lu.solve(b);
}

VectorXd solve_positive(const MatrixXd& A, const VectorXd& b) { return A.ldlt().solve(b); }

VectorXd least_norm_solution(const MatrixXd& A, const VectorXd& b) {
    return A.completeOrthogonalDecomposition().solve(b);
}

MatrixXd solve_positive_columns(const MatrixXd& A, const MatrixXd& B) { return A.ldlt().solve(B); }

void solve_lower_factor(MatrixXd& A, MatrixXd& B) {
    const Eigen::LLT<Eigen::Ref<MatrixXd>> cholesky(A);
    cholesky.matrixL().solveInPlace(B);
}

MatrixXd orthogonal_factor(const MatrixXd& A) {
    const Eigen::HouseholderQR<MatrixXd> qr(A);
    MatrixXd Q = qr.householderQ();
    for (Eigen::Index j = 0; j < Q.cols(); ++j)
        if (qr.matrixQR()(j, j) < 0) Q.col(j) = -Q.col(j);
    return Q;
}

MatrixXd normal_matrix(Stream& stream, Eigen::Index rows, Eigen::Index columns, double deviation) {
    MatrixXd matrix(rows, columns);
    for (double& entry : matrix.reshaped<Eigen::RowMajor>()) entry = deviation * stream.normal();
    return matrix;
}

MatrixXd inverse(const MatrixXd& A) { return A.inverse(); }

MatrixXd pseudo_inverse(const MatrixXd& A) { return A.completeOrthogonalDecomposition().pseudoInverse(); }

Eigen::VectorXcd eigenvalues(const MatrixXd& A) { return A.eigenvalues(); }

VectorXd symmetric_eigenvalues(const MatrixXd& A) { return A.selfadjointView<Eigen::Lower>().eigenvalues(); }

}  // namespace emergence
