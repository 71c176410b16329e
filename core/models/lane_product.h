#pragma once
// Matrix products C = A B or C += A B, with the columns of B and C in lanes. Each entry of C is one chain of
// fused products in the order of the inner index, so its bits do not depend on the instruction set.

#include <cstddef>
#include <new>

#include "core/base/lanes.h"

namespace emergence::EMERGENCE_LANES {

/// `count` rounded up to whole virtual lanes.
inline int padded(int count) { return (count + kVirtualLanes - 1) / kVirtualLanes * kVirtualLanes; }

/// Zeros on the heap, aligned to a cache line, so that no load of lanes touches two lines.
template <class T>
class LaneBuffer {
  public:
    static constexpr std::align_val_t kLine{64};

    LaneBuffer() = default;
    explicit LaneBuffer(size_t size) : data_(static_cast<T*>(::operator new(size * sizeof(T), kLine))) {
        for (size_t i = 0; i < size; ++i) data_[i] = T(0);
    }
    LaneBuffer(LaneBuffer&& other) noexcept : data_(other.data_) { other.data_ = nullptr; }
    LaneBuffer& operator=(LaneBuffer&& other) noexcept {
        T* mine = data_;
        data_ = other.data_;
        other.data_ = mine;
        return *this;
    }
    LaneBuffer(const LaneBuffer&) = delete;
    LaneBuffer& operator=(const LaneBuffer&) = delete;
    ~LaneBuffer() {
        if (data_) ::operator delete(data_, kLine);
    }
    T* data() const { return data_; }

  private:
    T* data_ = nullptr;
};

/// Splits one buffer into parts. A first round of take() counts, place() allocates, a second round of take()
/// returns the pointers.
template <class T>
class LaneArena {
  public:
    T* take(size_t size) {
        T* part = base_ ? base_ + used_ : nullptr;
        used_ += (size + kVirtualLanes - 1) / kVirtualLanes * kVirtualLanes;
        return part;
    }
    void place(LaneBuffer<T>& buffer) {
        buffer = LaneBuffer<T>(used_);
        base_ = buffer.data();
        used_ = 0;
    }

  private:
    T* base_ = nullptr;
    size_t used_ = 0;
};

/// A: entry (r, k) at data[r * row_step + k * inner_step]; one of the two steps is 1.
template <class T>
struct ProductLeft {
    const T* data;
    int row_step, inner_step;
};

namespace detail {

// Rows x Vectors registers of C. RowsTogether fixes one step of A at compile time: less address arithmetic.
template <class T, int Rows, int Vectors, bool RowsTogether>
inline void product_block(int inner, const T* a, int step, const T* b, int b_step, T* c, int c_step, bool add) {
    using L = Lanes<T>;
    L sum[Rows][Vectors];
#pragma GCC unroll 16
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v) sum[r][v] = add ? L::load(c + r * c_step + v * kLanes) : zero_lanes<T>();
    for (int k = 0; k < inner; ++k) {
        L right[Vectors];
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v) right[v] = L::load(b + v * kLanes);
#pragma GCC unroll 16
        for (int r = 0; r < Rows; ++r) {
            const L left = L::broadcast(RowsTogether ? a[r] : a[r * step]);
#pragma GCC unroll 8
            for (int v = 0; v < Vectors; ++v) sum[r][v] = fma(left, right[v], sum[r][v]);
        }
        a += RowsTogether ? step : 1;
        b += b_step;
    }
#pragma GCC unroll 16
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v) sum[r][v].store(c + r * c_step + v * kLanes);
}

template <class T, int Vectors, bool RowsTogether>
inline void product_panel(int rows, int inner, const ProductLeft<T>& a, const T* b, int b_step, T* c, int c_step,
                          bool add) {
    constexpr int kRows = kLanes == kVirtualLanes ? 8 : 4;
    const int step = RowsTogether ? a.inner_step : a.row_step;
    int r = 0;
    for (; r + kRows <= rows; r += kRows)
        product_block<T, kRows, Vectors, RowsTogether>(inner, a.data + r * a.row_step, step, b, b_step, c + r * c_step,
                                                       c_step, add);
    for (; r < rows; ++r)
        product_block<T, 1, Vectors, RowsTogether>(inner, a.data + r * a.row_step, step, b, b_step, c + r * c_step,
                                                   c_step, add);
}

template <class T, bool RowsTogether>
inline void product_panels(int rows, int columns, int inner, const ProductLeft<T>& a, const T* b, int b_step, T* c,
                           int c_step, bool add) {
    int j = 0;
    for (; j + 2 * kLanes <= columns; j += 2 * kLanes)
        product_panel<T, 2, RowsTogether>(rows, inner, a, b + j, b_step, c + j, c_step, add);
    for (; j < columns; j += kLanes)
        product_panel<T, 1, RowsTogether>(rows, inner, a, b + j, b_step, c + j, c_step, add);
}

}  // namespace detail

/// C = A B, or C += A B if `add`. A: rows x inner; B: inner x columns, rows b_step apart; C: rows x columns,
/// rows c_step apart. columns: a multiple of kVirtualLanes.
template <class T>
inline void product(int rows, int columns, int inner, const ProductLeft<T>& a, const T* b, int b_step, T* c, int c_step,
                    bool add = false) {
    if (a.row_step == 1)
        detail::product_panels<T, true>(rows, columns, inner, a, b, b_step, c, c_step, add);
    else
        detail::product_panels<T, false>(rows, columns, inner, a, b, b_step, c, c_step, add);
}

/// y = x' B, or y += x' B if `add`: product() for a single row. x: inner; y: columns.
template <class T>
inline void row_product(int columns, int inner, const T* x, const T* b, int b_step, T* y, bool add) {
    constexpr int kWide = 8;
    int j = 0;
    for (; j + kWide * kLanes <= columns; j += kWide * kLanes)
        detail::product_block<T, 1, kWide, true>(inner, x, 1, b + j, b_step, y + j, 0, add);
    for (; j + 4 * kLanes <= columns; j += 4 * kLanes)
        detail::product_block<T, 1, 4, true>(inner, x, 1, b + j, b_step, y + j, 0, add);
    for (; j + 2 * kLanes <= columns; j += 2 * kLanes)
        detail::product_block<T, 1, 2, true>(inner, x, 1, b + j, b_step, y + j, 0, add);
    for (; j < columns; j += kLanes) detail::product_block<T, 1, 1, true>(inner, x, 1, b + j, b_step, y + j, 0, add);
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
