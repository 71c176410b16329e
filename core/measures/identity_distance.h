#pragma once
// How far matrices are from multiples of the identity, and from being diagonal in a common basis.

#include <vector>

#include "core/base/eigen.h"

namespace emergence {

/// Dist(M, I) = min_a |M - a I|_F / |M|_F, Section 5.3 of Ahn et al. 2023, at a = tr(M)/d: 0 for a multiple
/// of the identity, at most 1. 1 for M = 0.
double identity_distance(const Eigen::MatrixXd& M);

/// min_a |a M - target|_F / |target|_F: the relative error after the best scale. 1 for M = 0.
double error_after_scaling(const Eigen::MatrixXd& M, const Eigen::MatrixXd& target);

/// Symmetric matrices in the basis in which they are as nearly diagonal as can be, all in the same.
struct JointDiagonalisation {
    Eigen::MatrixXd basis;                  // V, orthogonal: columns are the basis
    std::vector<Eigen::MatrixXd> matrices;  // V' M V
    /// The share of sum |V'MV|_F^2 that stands off the diagonals, 0 .. 1.
    double off_diagonal_mass = 0;
};
/// By Jacobi rotations (Cardoso and Souloumiac 1996). `matrices`: of one size, symmetric; at least one.
JointDiagonalisation diagonalise_jointly(std::vector<Eigen::MatrixXd> matrices);

}  // namespace emergence
