#pragma once
// Small dense products. Every entry is sixteen lanes, one prompt per lane, or a scalar common to all lanes.
//
// An operand is a callable (row, column) -> Lanes; transposes and mixtures are other callables. Products run
// over register blocks. Each sum runs over k = 0, 1, ..., so the block size does not change the bits.

#include <cstddef>
#include <optional>
#include <type_traits>

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

/// A lane matrix in memory, row-major: entry (i, j) at data[i * size + j]. It is an operand, a start or a finish.
template <class T, int D>
struct LaneMatrix {
    Lanes<T>* data;
    Extent<D> size;
    EMERGENCE_INLINE Lanes<T>& operator()(int i, int j) const { return data[i * size + j]; }
    EMERGENCE_INLINE void operator()(int i, int j, const Lanes<T>& v) const { data[i * size + j] = v; }
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

/// multiply_rectangle() for the RI x RJ entries from (i0, j0).
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

/// multiply_rectangle() for RI rows from i0 and the columns from `first` on, each entry a sum over `inner`.
template <class T, int RI, int RJ, int D, class A, class B, class Start, class Finish>
EMERGENCE_INLINE void multiply_rows(int i0, int first, int columns, Extent<D> inner, const A& a, const B& b,
                                    const Start& start, const Finish& finish) {
    const int end = first + (columns - first) / RJ * RJ;
    for (int j = first; j < end; j += RJ) multiply_block<T, RI, RJ>(inner, i0, j, a, b, start, finish);
    for (int j = end; j < columns; ++j) multiply_block<T, RI, 1>(inner, i0, j, a, b, start, finish);
}

/// Calls finish(i, j, start(i, j) + sum_k a(i, k) b(k, j)) for rows x columns entries, each a sum over `inner`, in
/// register blocks of RI x RJ; with `Upper` at least for j >= i.
template <class T, int RI, int RJ, bool Upper = false, int D, class A, class B, class Start, class Finish>
EMERGENCE_INLINE void multiply_rectangle(int rows, int columns, Extent<D> inner, const A& a, const B& b,
                                         const Start& start, const Finish& finish) {
    const auto first_column = [](int i) { return Upper ? i - i % RJ : 0; };
    const int end = rows / RI * RI;
    for (int i = 0; i < end; i += RI) multiply_rows<T, RI, RJ>(i, first_column(i), columns, inner, a, b, start, finish);
    for (int i = end; i < rows; ++i) multiply_rows<T, 1, RJ>(i, first_column(i), columns, inner, a, b, start, finish);
}

/// multiply_rectangle() for square matrices.
template <class T, bool Upper = false, int D, class A, class B, class Start, class Finish>
EMERGENCE_INLINE void multiply(Extent<D> n, const A& a, const B& b, const Start& start, const Finish& finish) {
    multiply_rectangle<T, kBlockRows, kBlockColumns, Upper>(n, n, n, a, b, start, finish);
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

/// A start of apply() with these entries.
template <class T>
auto from(const Lanes<T>* source) {
    return [source](int i) { return source[i]; };
}
/// A finish of apply() that keeps the entries.
template <class T>
auto to(Lanes<T>* target) {
    return [target](int i, const Lanes<T>& v) { target[i] = v; };
}

/// sums[i] = sum_lanes() of entry i of all parts, `step` lanes apart, for i < count.
template <class T>
inline void sum_parts(const Lanes<T>* lanes, size_t step, size_t count, T* sums) {
    for (size_t i = 0; i < count; ++i) {
        Lanes<T> parts[kParts];
        for (int part = 0; part < kParts; ++part) parts[part] = lanes[static_cast<size_t>(part) * step + i];
        sums[i] = sum_abreast(parts);
    }
}

// Matrix products C = A B or C += A B, with the columns of B and C in lanes. Each entry of C is one chain of
// fused products in the order of the inner index, so its bits do not depend on the instruction set.

/// `count` rounded up to whole virtual lanes.
inline int padded(int count) { return (count + kVirtualLanes - 1) / kVirtualLanes * kVirtualLanes; }

/// A buffer of zeros that is split into parts.
template <class T>
class LaneArena {
  public:
    /// take_all() takes all parts. It is called twice: the first round counts, the second gets the pointers.
    template <class TakeAll>
    void lay_out(const TakeAll& take_all) {
        take_all();
        buffer_.emplace(used_);
        used_ = 0;
        take_all();
    }
    T* take(int rows, int columns = 1) {
        T* part = buffer_ ? buffer_->data() + used_ : nullptr;
        used_ += padded(rows * columns);
        return part;
    }
    void clear() const { buffer_->clear(); }

  private:
    std::optional<ScalarBuffer<T>> buffer_;
    size_t used_ = 0;
};

/// A: entry (r, k) at data[r * row_step + k * inner_step]; one of the two steps is 1.
template <class T>
struct ProductLeft {
    const T* data;
    std::ptrdiff_t row_step, inner_step;
};

/// C = A B, or C += A B if `add`. A: rows x inner; B: inner x columns, rows b_step apart; C: rows x columns,
/// rows c_step apart. columns: a multiple of kVirtualLanes.
template <class T>
inline void product(int rows, int columns, int inner, const ProductLeft<T>& a, const T* b, int b_step, T* c, int c_step,
                    bool add = false) {
    using L = Lanes<T>;
    constexpr int kRows = kLanes == kVirtualLanes ? 8 : 4;
    const auto panels = [=](const auto& left) {
        for (int j = 0; j < columns; j += 2 * kLanes) {
            const auto right = [=, at = b + j](int k, int v) { return at + k * std::ptrdiff_t{b_step} + v * kLanes; };
            const auto out = [=, at = c + j](int r, int v) { return at + r * std::ptrdiff_t{c_step} + v * kLanes; };
            const auto panel = [=](auto vectors) {
                multiply_rectangle<T, kRows, vectors()>(
                    rows, vectors, Extent<0>(inner), left, [=](int k, int v) { return L::load(right(k, v)); },
                    [=](int r, int v) { return add ? L::load(out(r, v)) : zero_lanes<T>(); },
                    [=](int r, int v, const L& sum) { sum.store(out(r, v)); });
            };
            if (columns - j < 2 * kLanes)
                panel(std::integral_constant<int, 1>{});
            else
                panel(std::integral_constant<int, 2>{});
        }
    };
    // One step is a constant in each: less address arithmetic.
    if (a.row_step == 1)
        panels([=](int r, int k) { return L::broadcast(a.data[r + k * a.inner_step]); });
    else
        panels([=](int r, int k) { return L::broadcast(a.data[r * a.row_step + k]); });
}

/// row_product() of `Vectors` registers.
template <class T, int Vectors>
inline void row_block(int inner, const T* x, const T* b, int b_step, T* y, bool add) {
    using L = Lanes<T>;
    L sum[Vectors];
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) sum[v] = add ? L::load(y + v * kLanes) : zero_lanes<T>();
    for (int k = 0; k < inner; ++k, b += b_step) {
        L right[Vectors];
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v) right[v] = L::load(b + v * kLanes);
        const L left = L::broadcast(x[k]);
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v) sum[v] = fma(left, right[v], sum[v]);
    }
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) sum[v].store(y + v * kLanes);
}
/// y = x' B, or y += x' B if `add`: product() for a single row. x: inner; y: columns.
template <class T>
inline void row_product(int columns, int inner, const T* x, const T* b, int b_step, T* y, bool add) {
    int j = 0;
    for (; j + 8 * kLanes <= columns; j += 8 * kLanes) row_block<T, 8>(inner, x, b + j, b_step, y + j, add);
    for (; j + 4 * kLanes <= columns; j += 4 * kLanes) row_block<T, 4>(inner, x, b + j, b_step, y + j, add);
    for (; j + 2 * kLanes <= columns; j += 2 * kLanes) row_block<T, 2>(inner, x, b + j, b_step, y + j, add);
    for (; j < columns; j += kLanes) row_block<T, 1>(inner, x, b + j, b_step, y + j, add);
}

/// out = in'. in: rows x columns, rows in_step apart; out: columns x rows, rows out_step apart.
template <class T>
inline void transpose(int rows, int columns, const T* in, int in_step, T* out, int out_step) {
    constexpr int kTile = 16;
    for (int r0 = 0; r0 < rows; r0 += kTile)
        for (int c0 = 0; c0 < columns; c0 += kTile) {
            const int r1 = r0 + kTile < rows ? r0 + kTile : rows;
            const int c1 = c0 + kTile < columns ? c0 + kTile : columns;
            for (int c = c0; c < c1; ++c)
                for (int r = r0; r < r1; ++r) out[c * out_step + r] = in[r * in_step + c];
        }
}

}  // namespace emergence::EMERGENCE_LANES
