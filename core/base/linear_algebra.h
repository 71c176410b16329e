#pragma once
// Linear systems and eigenvalues, and the only include of Eigen: keep it out of headers that the window includes.
// Eigen's decompositions are compiled in linear_algebra.cpp only: a source that decomposes a matrix itself takes five
// to fifteen seconds longer to compile. A: n x n unless a comment says otherwise; b: n.

#include <Eigen/Dense>
#include <optional>

namespace emergence {

class Stream;  // base/rng.h

/// Row-major, as in files and flat weight vectors; Eigen's own matrices are column-major.
using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

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

/// Entries from N(0, deviation^2), drawn row by row.
Eigen::MatrixXd normal_matrix(Stream& stream, Eigen::Index rows, Eigen::Index columns, double deviation);

Eigen::MatrixXd inverse(const Eigen::MatrixXd& A);
/// The Moore-Penrose inverse: complete orthogonal decomposition. A: m x n; result: n x m.
Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& A);

/// The eigenvalues of any square A, unsorted.
Eigen::VectorXcd eigenvalues(const Eigen::MatrixXd& A);
/// The eigenvalues of a symmetric A, from its lower half, ascending.
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);

}  // namespace emergence

// linear_algebra.cpp compiles the product kernels for doubles once; otherwise they cost a second in each source that
// multiplies matrices. A source that renames Eigen's namespace (for its own instruction set) compiles them itself.
#ifndef Eigen
// clang-format off
#define EMERGENCE_PRODUCT_KERNELS(declare)                                                                            \
    declare struct Eigen::internal::gebp_kernel<double, double, Eigen::Index,                                         \
        Eigen::internal::blas_data_mapper<double, Eigen::Index, Eigen::ColMajor>,                                     \
        Eigen::internal::gebp_traits<double, double>::mr, Eigen::internal::gebp_traits<double, double>::nr>;          \
    EMERGENCE_PACKING(declare, Eigen::ColMajor)                                                                       \
    EMERGENCE_PACKING(declare, Eigen::RowMajor)                                                                       \
    EMERGENCE_MATRIX_TIMES_VECTOR(declare, Eigen::ColMajor, Eigen::RowMajor)                                          \
    EMERGENCE_MATRIX_TIMES_VECTOR(declare, Eigen::RowMajor, Eigen::ColMajor)                                          \
    EMERGENCE_MATRIX_TIMES_VECTOR(declare, Eigen::RowMajor, Eigen::RowMajor)
#define EMERGENCE_PACKING(declare, order)                                                                             \
    declare struct Eigen::internal::gemm_pack_lhs<double, Eigen::Index,                                               \
        Eigen::internal::const_blas_data_mapper<double, Eigen::Index, order>,                                         \
        Eigen::internal::gebp_traits<double, double>::mr, Eigen::internal::gebp_traits<double, double>::LhsProgress,  \
        Eigen::internal::gebp_traits<double, double>::LhsPacket4Packing, order>;                                      \
    declare struct Eigen::internal::gemm_pack_rhs<double, Eigen::Index,                                               \
        Eigen::internal::const_blas_data_mapper<double, Eigen::Index, order>,                                         \
        Eigen::internal::gebp_traits<double, double>::nr, order>;
#define EMERGENCE_MATRIX_TIMES_VECTOR(declare, of_matrix, of_vector)                                                  \
    declare struct Eigen::internal::general_matrix_vector_product<Eigen::Index, double,                               \
        Eigen::internal::const_blas_data_mapper<double, Eigen::Index, of_matrix>, of_matrix, false, double,           \
        Eigen::internal::const_blas_data_mapper<double, Eigen::Index, of_vector>, false>;
// clang-format on
EMERGENCE_PRODUCT_KERNELS(extern template)
#endif
