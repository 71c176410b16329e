#pragma once
// Linear systems and eigenvalues. A: n x n unless a comment says otherwise; b: n.

#include <optional>

#include "core/base/matrix.h"

namespace emergence {

class Stream;  // base/rng.h

/// The x with A x = b, for a regular A: LU with partial pivoting.
Vec solve(const Mat& A, const Vec& b);
/// The x with A x = b, or nullopt if A is singular to rounding: LU with full pivoting.
std::optional<Vec> solve_if_regular(const Mat& A, const Vec& b);
/// The x with A x = b, for a positive definite A, from its lower half: L D L'.
Vec solve_positive(const Mat& A, const Vec& b);
/// The x of least norm among those that minimise |A x - b|. A: m x n; b: m.
Vec least_norm_solution(const Mat& A, const Vec& b);

/// For a positive definite A = L L', from its lower half: A becomes L (its upper half stays), and B, n x k, L^-1 B.
void solve_lower_factor(Mat& A, Mat& B);
/// sum += L x, where L is the lower half of a matrix.
void add_lower_product(const Mat& L, const Vec& x, Vec& sum);
/// The orthogonal factor Q of A = Q R, for R with a positive diagonal: Householder.
Mat orthogonal_factor(const Mat& A);

/// Entries from N(0, deviation^2), drawn row by row.
Mat normal_matrix(Stream& stream, Index rows, Index columns, double deviation);

Mat inverse(const Mat& A);

/// The eigenvalues of a symmetric A, from its lower half, ascending.
Vec symmetric_eigenvalues(const Mat& A);
/// The Moore-Penrose inverse of a symmetric A, from its lower half. Eigenvalues below n epsilon times the greatest count
/// as 0.
Mat symmetric_pseudo_inverse(const Mat& A);
/// The greatest modulus of an eigenvalue of any A; NaN if |A| is not finite.
double spectral_radius(const Mat& A);
/// The greatest real part of an eigenvalue; NaN likewise.
double spectral_abscissa(const Mat& A);

}  // namespace emergence
