#pragma once
// What the weights themselves say (Appendix D.1.1, Wang et al. 2025), and when they count as emerged.

#include <array>
#include <vector>

#include "core/base/array.h"
#include "core/base/matrix.h"

namespace emergence {

/// The size of each block of P or Q, divided by the largest entry. Rows and columns are phi, gamma phi', R and, with
/// two heads, the memory. The size of a square block is |mean of its diagonal|, that of other blocks the mean |entry|.
using BlockSizes = std::array<std::array<double, 4>, 4>;

/// Entries of P and Q (D x D, D = 2d+1) times the sign of P[-1,-1], without scaling.
struct ElementWise {
    // The sign of P[-1,-1] as trained.
    double sign = 1;
    // P[-1,-1]
    double p_corner = 0;
    // Mean |P| outside the corner.
    double p_others = 0;
    // tr Q[:d,:d] and tr Q[:d,d:2d]
    double q_trace_upper_left = 0, q_trace_upper_right = 0;
    // tr Q[d:2d,:d] and tr Q[d:2d,d:2d]: of use for residual gradient alone.
    double q_trace_lower_left = 0, q_trace_lower_right = 0;
    // Mean |Q| outside both upper traces. The authors' code subtracts signed traces instead.
    double q_others = 0;
    // max |P| and max |Q|
    double p_largest = 0, q_largest = 0;
    BlockSizes p_blocks{}, q_blocks{};
};
ElementWise element_wise(const Table& P, const Table& Q);

/// From this size on, a block counts although theory says zero. Among 192 trained networks with TD's entries, those
/// with a third diagonal had at least 0.36 there; most others had at most 0.28 in every such block.
inline constexpr double kVisibleBlock = 0.3;

/// What a layer lacks of our criterion: P[-1,-1] is the largest |P|, with Q scaled to max |Q| = 1
///
///     tr Q[:d,:d] < -d/2,   and tr Q[:d,d:2d] > d/4 if num_layers > 1
///
/// and all other blocks of P and Q that the layer reads, which theory says are zero, are smaller than kVisibleBlock. By
/// Corollary 1 of Wang et al. 2025 a single layer needs no bootstrapping block; it reads P's last row and Q's first d
/// columns alone. `residual`: of residual gradient, Corollary 2 of Wang et al. 2025, which needs also
///
///     tr Q[d:2d,:d] > d/4,   and tr Q[d:2d,d:2d] < -d/4 if num_layers > 1
std::vector<Lack> lacks_to_emerge(const ElementWise& elements, int d, int num_layers, bool residual = false);

/// The entries of one of two heads, P and Q (D x D, D = 2d+2), times the sign of what it reads: of P's row of rewards
/// (`reward_head`) or of memory, the only one that the paper's W reads, the corner is its entry at the same place, and
/// P's largest entry is that row's.
ElementWise head_elements(const Table& P, const Table& Q, bool reward_head);
/// The same rule for average reward, Theorem 3 of Wang et al. 2025, of both heads and that row of P. A single layer has
/// no memory yet to read, so the second head is free, and the first needs no bootstrapping block.
std::vector<Lack> lacks_to_emerge_heads(const ElementWise& reward, const ElementWise& memory, int d, int num_layers);

/// The two emergence scores of the softmax paper, Appendix F.4, from a layer's P and Q, and the entries that they are
/// made of. The available text lacks the formulas. Ours follow its words, with epsilon = 1e-8 and the standard deviation
/// of a population.
struct SoftmaxEmergence {
    // (a, b, c) = P[D, d+1], P[D, d+2], P[D, d+3].
    double reward, bootstrap, current;
    // Mean absolute value of P[D, 1..d], 0 in theory.
    double others;
    // Mean of the diagonal of Q's feature block.
    double q_mean;
    // Mean absolute value of that block off its diagonal.
    double q_others;
    // 1{a > 0} 1{b > 0} 1{c < 0} min(|a|, |b|, |c|) / (max(|a|, |b|, |c|) + epsilon)
    double v_emergence;
    // With q the diagonal of Q's feature block, independent of Q's sign:
    //
    //     (share of absolute mass on the diagonal, each column divided by its l1 norm)
    //         / (1 + std(q) / (|mean(q)| + epsilon))
    double a_emergence;

    /// Whether each entry has the sign of the theory.
    bool reward_lamp() const { return reward > 0; }
    bool bootstrap_lamp() const { return bootstrap > 0; }
    bool current_lamp() const { return current < 0; }
    bool positive_lamp() const { return q_mean > 0; }
};
/// weights: P, then Q, each D x D row-major with D = d+3.
SoftmaxEmergence softmax_emergence(const float* weights, int d);

/// Dist(M, I) = min_a |M - a I|_F / |M|_F, Section 5.3, Ahn et al. 2023; the minimum is at a = tr(M)/d. Ranges from 0
/// (a multiple of the identity) to 1; 1 for M = 0. M: d x d.
double identity_distance(const Mat& M);

/// The relative error after the best scaling, min_a |a M - target|_F / |target|_F; 1 for M = 0.
double error_after_scaling(const Mat& M, const Mat& target);

/// The p with which a preconditioner M is nearest to a multiple of Sigma^-p: 0 for I, 1 for Sigma^-1. By least squares
/// between the logarithms of M's diagonal and of the eigenvalues; NaN if the diagonal has two signs or the eigenvalues
/// are equal. M is in the basis in which Sigma is diagonal.
double preconditioner_power(const Mat& M, const Vec& eigenvalues);

/// Symmetric matrices in the common basis that makes them most nearly diagonal.
struct JointDiagonalisation {
    // V, orthogonal, with the basis as columns.
    Mat basis;
    // V' M V
    std::vector<Mat> matrices;
    // The off-diagonal share of sum |V'MV|_F^2, 0 .. 1.
    double off_diagonal_mass = 0;
};
/// Joint diagonalisation by Jacobi rotations (Cardoso and Souloumiac 1996). matrices: at least one, symmetric, of equal
/// size.
JointDiagonalisation diagonalise_jointly(std::vector<Mat> matrices);

}  // namespace emergence
