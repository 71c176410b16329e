#pragma once
// Small dense products. Every entry is sixteen lanes, one prompt per lane, or a scalar common to all lanes.
//
// An operand is a callable (row, column) -> Lanes; transposes and mixtures are other callables. Products run
// over register blocks. Each sum runs over k = 0, 1, ..., so the block size does not change the bits.

#include "core/base/lanes.h"

namespace emergence::EMERGENCE_LANES {

#if defined(__AVX512F__) || defined(__AVX2__)
constexpr int kBlockRows = 3, kBlockColumns = 3;  // nine sums hide the latency of two FMA units
#else
constexpr int kBlockRows = 1, kBlockColumns = 1;  // the portable form: quick to compile, slow to run
#endif

#define EMERGENCE_INLINE inline __attribute__((always_inline))

/// The size of a square matrix: D if it is fixed at compile time; for D = 0 a number at run time.
template <int D>
struct Extent {
    explicit constexpr Extent(int) {}
    constexpr operator int() const { return D; }
};
template <>
struct Extent<0> {
    int rows;
    explicit constexpr Extent(int r) : rows(r) {}
    constexpr operator int() const { return rows; }
};

/// A lane matrix in memory, row-major: entry (i, j) at data[i * size + j].
template <class T, int D>
struct LaneMatrix {
    Lanes<T>* data;
    Extent<D> size;
    EMERGENCE_INLINE Lanes<T>& operator()(int i, int j) const { return data[i * size + j]; }
};

/// A matrix of scalars common to all lanes, row-major.
template <class T, int D>
struct SharedMatrix {
    const T* data;
    Extent<D> size;
    EMERGENCE_INLINE Lanes<T> operator()(int i, int j) const { return Lanes<T>::broadcast(data[i * size + j]); }
};

/// The transpose of an operand.
template <class Matrix>
struct Transposed {
    Matrix matrix;
    EMERGENCE_INLINE auto operator()(int i, int j) const { return Lanes(matrix(j, i)); }
};
template <class Matrix>
EMERGENCE_INLINE Transposed<Matrix> transposed(const Matrix& matrix) {
    return {matrix};
}

/// multiply() for the RI x RJ entries from (i0, j0).
template <class T, int RI, int RJ, int D, class A, class B, class Start, class Finish>
EMERGENCE_INLINE void multiply_block(Extent<D> n, int i0, int j0, const A& a, const B& b, const Start& start,
                                     const Finish& finish) {
    Lanes<T> sum[RI][RJ];
#pragma GCC unroll 16
    for (int i = 0; i < RI; ++i)
#pragma GCC unroll 16
        for (int j = 0; j < RJ; ++j) sum[i][j] = start(i0 + i, j0 + j);
    for (int k = 0; k < n; ++k) {
        Lanes<T> column[RJ];
#pragma GCC unroll 16
        for (int j = 0; j < RJ; ++j) column[j] = b(k, j0 + j);
#pragma GCC unroll 16
        for (int i = 0; i < RI; ++i) {
            const Lanes<T> row = a(i0 + i, k);
#pragma GCC unroll 16
            for (int j = 0; j < RJ; ++j) sum[i][j] = fma(row, column[j], sum[i][j]);
        }
    }
#pragma GCC unroll 16
    for (int i = 0; i < RI; ++i)
#pragma GCC unroll 16
        for (int j = 0; j < RJ; ++j) finish(i0 + i, j0 + j, sum[i][j]);
}

/// multiply() for RI rows from i0.
template <class T, int RI, int D, class A, class B, class Start, class Finish>
EMERGENCE_INLINE void multiply_rows(Extent<D> n, int i0, int first_column, const A& a, const B& b, const Start& start,
                                    const Finish& finish) {
    const int end = first_column + (n - first_column) / kBlockColumns * kBlockColumns;
    for (int j = first_column; j < end; j += kBlockColumns)
        multiply_block<T, RI, kBlockColumns>(n, i0, j, a, b, start, finish);
    for (int j = end; j < n; ++j) multiply_block<T, RI, 1>(n, i0, j, a, b, start, finish);
}

/// Calls finish(i, j, start(i, j) + sum_k a(i, k) b(k, j)) for every entry; with `Upper` at least for j >= i.
template <class T, bool Upper = false, int D, class A, class B, class Start, class Finish>
EMERGENCE_INLINE void multiply(Extent<D> n, const A& a, const B& b, const Start& start, const Finish& finish) {
    const auto first_column = [](int i) { return Upper ? i - i % kBlockColumns : 0; };
    const int end = n / kBlockRows * kBlockRows;
    for (int i = 0; i < end; i += kBlockRows) multiply_rows<T, kBlockRows>(n, i, first_column(i), a, b, start, finish);
    for (int i = end; i < n; ++i) multiply_rows<T, 1>(n, i, first_column(i), a, b, start, finish);
}

/// multiply() for rows x columns entries, each a sum over `inner`, in register blocks of RI x RJ.
template <class T, int RI, int RJ, int D, class A, class B, class Start, class Finish>
EMERGENCE_INLINE void multiply_rectangle(int rows, int columns, Extent<D> inner, const A& a, const B& b,
                                         const Start& start, const Finish& finish) {
    const int rows_end = rows / RI * RI, columns_end = columns / RJ * RJ;
    for (int i = 0; i < rows_end; i += RI) {
        for (int j = 0; j < columns_end; j += RJ) multiply_block<T, RI, RJ>(inner, i, j, a, b, start, finish);
        for (int j = columns_end; j < columns; ++j) multiply_block<T, RI, 1>(inner, i, j, a, b, start, finish);
    }
    for (int i = rows_end; i < rows; ++i) {
        for (int j = 0; j < columns_end; j += RJ) multiply_block<T, 1, RJ>(inner, i, j, a, b, start, finish);
        for (int j = columns_end; j < columns; ++j) multiply_block<T, 1, 1>(inner, i, j, a, b, start, finish);
    }
}

/// Calls finish(i, start(i) + sum_k a(i, k) x_k) for every row, four rows at a time.
template <class T, int D, class A, class Start, class Finish>
EMERGENCE_INLINE void apply(Extent<D> n, const A& a, const Lanes<T>* x, const Start& start, const Finish& finish) {
    const int end = n / 4 * 4;
    for (int i = 0; i < end; i += 4) {
        Lanes<T> y0 = start(i), y1 = start(i + 1), y2 = start(i + 2), y3 = start(i + 3);
        for (int k = 0; k < n; ++k) {
            const Lanes<T> xk = x[k];
            y0 = fma(a(i, k), xk, y0);
            y1 = fma(a(i + 1, k), xk, y1);
            y2 = fma(a(i + 2, k), xk, y2);
            y3 = fma(a(i + 3, k), xk, y3);
        }
        finish(i, y0);
        finish(i + 1, y1);
        finish(i + 2, y2);
        finish(i + 3, y3);
    }
    for (int i = end; i < n; ++i) {
        Lanes<T> y = start(i);
        for (int k = 0; k < n; ++k) y = fma(a(i, k), x[k], y);
        finish(i, y);
    }
}

}  // namespace emergence::EMERGENCE_LANES
