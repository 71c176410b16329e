#pragma once
// Distances of matrices from multiples of the identity, and from a common diagonal form.

#include <vector>

#include "core/base/linear_algebra.h"

namespace emergence {

/// Dist(M, I) = min_a |M - a I|_F / |M|_F, Section 5.3, Ahn et al. 2023; the minimum is at a = tr(M)/d. Ranges from 0
/// (a multiple of the identity) to 1; 1 for M = 0. M: d x d.
double identity_distance(const Eigen::MatrixXd& M);

/// The relative error after the best scaling, min_a |a M - target|_F / |target|_F; 1 for M = 0.
double error_after_scaling(const Eigen::MatrixXd& M, const Eigen::MatrixXd& target);

/// The p with which a preconditioner M is nearest to a multiple of Sigma^-p: 0 for I, 1 for Sigma^-1. By least squares
/// between the logarithms of M's diagonal and of the eigenvalues; NaN if the diagonal has two signs or the eigenvalues
/// are equal. M is in the basis in which Sigma is diagonal.
double preconditioner_power(const Eigen::MatrixXd& M, const Eigen::VectorXd& eigenvalues);

/// Symmetric matrices in the common basis that makes them most nearly diagonal.
struct JointDiagonalisation {
    // V, orthogonal, with the basis as columns.
    Eigen::MatrixXd basis;
    // V' M V
    std::vector<Eigen::MatrixXd> matrices;
    // The off-diagonal share of sum |V'MV|_F^2, 0 .. 1.
    double off_diagonal_mass = 0;
};
/// Joint diagonalisation by Jacobi rotations (Cardoso and Souloumiac 1996). matrices: at least one, symmetric, of equal
/// size.
JointDiagonalisation diagonalise_jointly(std::vector<Eigen::MatrixXd> matrices);

}  // namespace emergence
