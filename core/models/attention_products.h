#pragma once
// The products of the attention network in lanes: sums over D rows, over sources i, over columns j.

#include "core/models/lane_matrix.h"

namespace emergence::EMERGENCE_LANES {

/// Arrays of vectors are (n+1) x D, column after column; scores E are (n+1) x (n+1), row-major. D: the number of rows
/// if it is fixed at compile time, else 0.
template <class T, int D>
class AttentionProducts {
    using L = Lanes<T>;

  public:
    AttentionProducts(int rows, int columns) : rows_(rows), columns_(columns) {}

    /// Entry (j, k) of an array of vectors.
    LaneMatrix<T, D> lanes(L* data) const { return {data, rows_}; }

    /// out(j, k) = finish(j, k, start(j, k) + sum_c weight(k, c) in(j, c)) for columns j < count.
    template <class Weight, class Start, class Finish>
    EMERGENCE_INLINE void transform(const Weight& weight, const L* in, int count, const Start& start,
                                    const Finish& finish) const {
        const auto columns = lanes(const_cast<L*>(in));
        multiply_rectangle<T, kBlockRows, kBlockColumns>(
            count, rows_, Extent<D>(rows_), [&](int j, int c) { return columns(j, c); },
            [&](int c, int k) { return weight(k, c); }, start, finish);
    }
    /// finish(i, j, x_i' y_j) for i < count and all columns j.
    template <class Finish>
    EMERGENCE_INLINE void score(const L* x, const L* y, int count, const Finish& finish) const {
        const auto left = lanes(const_cast<L*>(x)), right = lanes(const_cast<L*>(y));
        multiply_rectangle<T, kScoreRows, kScoreColumns>(
            count, columns_, Extent<D>(rows_), [&](int i, int k) { return left(i, k); },
            [&](int k, int j) { return right(j, k); }, zero, finish);
    }
    /// out(j, k) = start(j, k) + sum_{i < count} x(i, k) E(i, j), for all columns j.
    template <class Start>
    EMERGENCE_INLINE void over_sources(const L* x, const L* E, int count, const Start& start, L* out) const {
        const auto vectors = lanes(const_cast<L*>(x)), result = lanes(out);
        multiply_rectangle<T, kSumRows, kSumColumns>(
            rows_, columns_, Extent<0>(count), [&](int k, int i) { return vectors(i, k); },
            [&](int i, int j) { return E[i * columns_ + j]; }, [&](int k, int j) { return start(j, k); },
            [&](int k, int j, const L& sum) { result(j, k) = sum; });
    }
    /// finish(i, k, sum_j y(j, k) E(i, j)) for i < count.
    template <class Finish>
    EMERGENCE_INLINE void over_columns(const L* y, const L* E, int count, const Finish& finish) const {
        const auto vectors = lanes(const_cast<L*>(y));
        multiply_rectangle<T, kSumRows, kSumColumns>(
            rows_, count, Extent<0>(columns_), [&](int k, int j) { return vectors(j, k); },
            [&](int j, int i) { return E[i * columns_ + j]; }, zero,
            [&](int k, int i, const L& sum) { finish(i, k, sum); });
    }
    /// sums(a, b) += sum_{j < count} x(j, a) y(j, b).
    EMERGENCE_INLINE void outer(const L* x, const L* y, int count, L* sums) const {
        const auto left = lanes(const_cast<L*>(x)), right = lanes(const_cast<L*>(y)), target = lanes(sums);
        multiply_rectangle<T, kBlockRows, kBlockColumns>(
            rows_, rows_, Extent<0>(count), [&](int a, int j) { return left(j, a); },
            [&](int j, int b) { return right(j, b); }, [&](int a, int b) { return target(a, b); },
            [&](int a, int b, const L& sum) { target(a, b) = sum; });
    }

  private:
    // Block sizes fill the registers, so that scores are read once from the outer cache.
#if defined(__AVX512F__)
    static constexpr int kScoreRows = 4, kScoreColumns = 4;
    static constexpr int kSumRows = D == 9 ? 9 : 4, kSumColumns = D == 9 ? 2 : 4;
#elif defined(__AVX2__)
    static constexpr int kScoreRows = 3, kScoreColumns = 3;
    static constexpr int kSumRows = D == 9 ? 9 : 3, kSumColumns = D == 9 ? 1 : 3;
#else
    static constexpr int kScoreRows = 1, kScoreColumns = 1, kSumRows = 1, kSumColumns = 1;
#endif

    static L zero(int, int) { return zero_lanes<T>(); }

    Extent<D> rows_;
    int columns_;
};

}  // namespace emergence::EMERGENCE_LANES
