#pragma once
// Linear systems and eigenvalues. Every decomposition of Eigen's is compiled once, in linear_algebra.cpp: a
// source that decomposes a matrix itself takes five to fifteen seconds longer to compile.

#include <optional>

#include "core/base/eigen.h"

namespace emergence {

/// x with A x = b, for a regular A: LU with partial pivoting.
Eigen::VectorXd solve(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
/// The same, or nothing where A is singular to rounding: LU with full pivoting.
std::optional<Eigen::VectorXd> solve_if_regular(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
/// The same for a positive definite A, from its lower half: L D L'.
Eigen::VectorXd solve_positive(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
/// The x of least norm among those for which |A x - b| is least: complete orthogonal decomposition.
Eigen::VectorXd least_norm_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

/// The inverse of a regular A.
Eigen::MatrixXd inverse(const Eigen::MatrixXd& A);
/// Moore and Penrose's inverse: complete orthogonal decomposition.
Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& A);

/// The eigenvalues of any square A, in no order.
Eigen::VectorXcd eigenvalues(const Eigen::MatrixXd& A);
/// The eigenvalues of a symmetric A, from its lower half, ascending.
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);
/// The singular values, descending.
Eigen::VectorXd singular_values(const Eigen::MatrixXd& A);

}  // namespace emergence
