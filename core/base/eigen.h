#pragma once
// Eigen itself, for naive forms of networks, for floats and for LBFGS++. Everything else uses core/base/matrix.h, which
// compiles quickly.

#include <Eigen/Dense>

#include "core/base/matrix.h"

namespace emergence {

/// Row-major, as in files and flat weight vectors; Eigen's own matrices are column-major.
using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

#ifndef Eigen  // not where a source renames Eigen's namespace
/// The same entries as an Eigen matrix, which refers to them.
inline Eigen::Map<const Eigen::MatrixXd> eigen(const Mat& a) { return {a.data(), a.rows(), a.cols()}; }
inline Eigen::Map<Eigen::MatrixXd> eigen(Mat& a) { return {a.data(), a.rows(), a.cols()}; }
/// A copy of the entries of an Eigen expression, converted to double.
template <class Expression>
Mat mat_of(const Eigen::MatrixBase<Expression>& a) {
    Mat result(a.rows(), a.cols());
    eigen(result) = a.template cast<double>();
    return result;
}
#endif

}  // namespace emergence

// matrix.cpp compiles the product kernels for doubles once; otherwise they cost a second in each source that
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
