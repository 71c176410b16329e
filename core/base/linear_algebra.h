#pragma once
// Linear systems and eigenvalues. Eigen's decompositions are compiled here only: a source that decomposes a matrix
// itself takes five to fifteen seconds longer to compile. A: n x n unless a comment says otherwise; b: n.

#include <optional>

#include "core/base/eigen.h"

namespace emergence {

/// The x with A x = b, for a regular A: LU with partial pivoting.
Eigen::VectorXd solve(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
/// The x with A x = b, or nullopt if A is singular to rounding: LU with full pivoting.
std::optional<Eigen::VectorXd> solve_if_regular(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
/// The x with A x = b, for a positive definite A, from its lower half: L D L'.
Eigen::VectorXd solve_positive(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
/// The x of least norm among those that minimise |A x - b|: complete orthogonal decomposition. A: m x n; b: m.
Eigen::VectorXd least_norm_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

/// The same for each column of B, n x k.
Eigen::MatrixXd solve_positive_columns(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
/// For a positive definite A = L L', from its lower half: A becomes L (its upper half stays), and B, n x k, L^-1 B.
void solve_lower_factor(Eigen::MatrixXd& A, Eigen::MatrixXd& B);
/// The orthogonal factor Q of A = Q R, for R with a positive diagonal: Householder.
Eigen::MatrixXd orthogonal_factor(const Eigen::MatrixXd& A);

/// The inverse of a regular A.
Eigen::MatrixXd inverse(const Eigen::MatrixXd& A);
/// The Moore-Penrose inverse: complete orthogonal decomposition. A: m x n; result: n x m.
Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& A);

/// The eigenvalues of any square A, unsorted.
Eigen::VectorXcd eigenvalues(const Eigen::MatrixXd& A);
/// The eigenvalues of a symmetric A, from its lower half, ascending.
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);

}  // namespace emergence
