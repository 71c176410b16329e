#pragma once
// What attention_network.h is made of: activations, products and the tape of a forward pass, in lanes.

#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/lanes.h"
#include "core/models/lane_matrix.h"
#include "core/models/network_shape.h"

namespace emergence::EMERGENCE_LANES {

/// s becomes exp(s - max s). Returns the inverse of its sum.
template <class T>
Lanes<T> exponentials(Lanes<T>* s, int count, int step) {
    using L = Lanes<T>;
    L most = s[0];
    for (int i = 1; i < count; ++i) most = max(most, s[i * step]);
    L sum = zero_lanes<T>();
    for (int i = 0; i < count; ++i) {
        s[i * step] = exp(s[i * step] - most);
        sum = sum + s[i * step];
    }
    return L::broadcast(T(1)) / sum;
}
/// s becomes act(s), for `count` entries `step` apart.
template <class T>
void activate(Activation activation, Lanes<T>* s, int count, int step) {
    using L = Lanes<T>;
    const L none = zero_lanes<T>();  // first argument of max and min, so that NaN stays NaN
    switch (activation) {
        case Activation::relu:
            for (int i = 0; i < count; ++i) s[i * step] = max(none, s[i * step]);
            break;
        case Activation::elu:
            for (int i = 0; i < count; ++i)
                s[i * step] = where_positive(s[i * step], s[i * step], expm1(min(none, s[i * step])));
            break;
        case Activation::tanh:
            for (int i = 0; i < count; ++i) s[i * step] = tanh(s[i * step]);
            break;
        case Activation::softmax_columns: {
            const L inverse = exponentials(s, count, step);
            for (int i = 0; i < count; ++i) s[i * step] = s[i * step] * inverse;
            break;
        }
        default:
            break;
    }
}
/// act'(s) u from a = act(s), for activations that act on each entry alone.
template <class T>
Lanes<T> through_relu(const Lanes<T>& a, const Lanes<T>& u) {
    return where_positive(a, u, zero_lanes<T>());
}
template <class T>
Lanes<T> through_elu(const Lanes<T>& a, const Lanes<T>& u) {
    return where_positive(a, u, fma(u, a, u));
}
template <class T>
Lanes<T> through_tanh(const Lanes<T>& a, const Lanes<T>& u) {
    return fma(a * u, zero_lanes<T>() - a, u);
}

/// The products of the network: sums over D rows, over sources i, over columns j. Arrays of vectors are (n+1) x D, column
/// after column; scores E are (n+1) x (n+1), row-major. D: the number of rows if it is fixed at compile time, else 0.
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
    static constexpr int kScoreRows = 6, kScoreColumns = 3;
    static constexpr int kSumRows = D == 9 ? 9 : 4, kSumColumns = D == 9 ? 3 : 4;
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

/// Everything that the backward pass needs from a forward pass of kLanes prompts.
template <class T>
class AttentionTape {
    using L = Lanes<T>;

  public:
    struct Layer {
        // (n+1) x D each, column after column.
        L *Z, *QZ, *Y;
        // (n+1) x (n+1), row-major; the backward pass replaces it by dS.
        L* E;
        // n+1
        L* c;
    };

    explicit AttentionTape(const NetworkShape& shape) {
        const auto vectors = static_cast<size_t>(shape.rows() * shape.columns());
        const auto scores = static_cast<size_t>(shape.columns() * shape.columns());
        const auto layers = static_cast<size_t>(shape.layers);
        store_.resize(layers * (3 * vectors + scores + static_cast<size_t>(shape.columns())));
        L* next = store_.data();
        const auto take = [&next](size_t count) { return std::exchange(next, next + count); };
        for (size_t l = 0; l < layers; ++l)
            layers_.push_back({take(vectors), take(vectors), take(vectors), take(scores),
                               take(static_cast<size_t>(shape.columns()))});
    }

    AttentionTape(AttentionTape&&) = default;  // not copied: layers point into the store

    /// The prompt; fill it before forward(). Entry (k, j) of Z_0 is prompt()[j * D + k].
    L* prompt() { return layers_[0].Z; }
    const Layer& operator[](int layer) const { return layers_[layer]; }

  private:
    std::vector<L> store_;
    std::vector<Layer> layers_;
};

}  // namespace emergence::EMERGENCE_LANES
