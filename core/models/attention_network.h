#pragma once
// The attention network with any activation, one prompt per lane (Appendix E, Wang et al. 2025).
//
//     Z_{l+1} = Z_l + (1/n) P_l Z_l M act(S_l),   S_l = Z_l' Q_l Z_l
//
// M removes the query's row, so the sources i are the n columns of the context. E stores the scores with
// act(S)_ij = c_i E_ij: c_i = 1 / sum_j E_ij for the row softmax, 1 for all others. Then
//
//     Y_i = (1/n) c_i P Z_i
//     Z_{l+1,j} = Z_j + sum_i Y_i E_ij
//
// and backwards, from dZ_{l+1}:
//
//     G_i = sum_j dZ_{l+1,j} E_ij
//     U_ij = Y_i' dZ_{l+1,j}
//     d(P Z_i) = (1/n) c_i G_i
//     dS_ij = E_ij (U_ij - c_i Y_i' G_i)     row softmax, since sum_j E_ij U_ij = Y_i' G_i
//     dS_ij = E_ij (U_ij - sum_k E_kj U_kj)  column softmax
//     dS_ij = act'(S_ij) U_ij                all others
//     d(Q Z_j) = sum_i Z_i dS_ij
//     dZ_i += sum_j Q Z_j dS_ij + P' d(P Z_i)
//     dZ_j += Q' d(Q Z_j)
//
// The value reads only Z_L[D, query]: of the last layer one row of P, and one column of S unless rows are
// normalised.

#include <cstddef>
#include <vector>

#include "core/models/network_parts.h"

namespace emergence::EMERGENCE_LANES {

/// The network itself. D: the number of rows if it is fixed at compile time, else 0.
template <class T, int D>
class AttentionNetwork {
    using L = Lanes<T>;
    using Layer = typename AttentionTape<T>::Layer;

  public:
    explicit AttentionNetwork(const NetworkShape& shape) : shape_(shape) {}

    using Tape = AttentionTape<T>;

    /// weights: all P, then all Q, stored x D x D each, row-major. They must outlive the last pass.
    void set_weights(const T* weights) {
        P_ = weights;
        Q_ = weights + shape_.stored * rows_ * rows_;
    }

    /// The value of each lane's prompt in the tape: minus Z_L[D, query], Eq. (4).
    L forward(Tape& tape) const {
        const int last = shape_.layers - 1;
        for (int l = 0; l < last; ++l) forward_layer(l, tape[l], tape[l + 1].Z);
        forward_scores(last, tape[last], one_column() ? n_ : 0);
        return zero_lanes<T>() - read_out(tape[last]);
    }

    /// Adds the gradient of the sum over lanes of by_value * value, once per forward() of the tape. gradient:
    /// laid out as the weights, or null; query_gradient: d entries, by the query's features, or null.
    void backward(Tape& tape, const L& by_value, L* gradient, L* query_gradient) {
        const int last = shape_.layers - 1;
        const bool whole = last > 0;
        backward_last(tape[last], zero_lanes<T>() - by_value, gradient, whole);
        for (int l = last - 1; l >= 0; --l) backward_layer(l, tape[l], gradient, l > 0);
        if (query_gradient)
            for (int k = 0; k < shape_.d; ++k) query_gradient[k] = dZ_[n_ * rows_ + k];
    }

  private:
    // Whether a column of act(S) depends on the same column of S only.
    bool one_column() const { return shape_.activation != Activation::softmax; }
    int offset(int layer) const { return shape_.stored == 1 ? 0 : layer * rows_ * rows_; }
    LaneMatrix<T, D> lanes(L* data) const { return {data, rows_}; }
    SharedMatrix<T, D> P(int layer) const { return {P_ + offset(layer), rows_}; }
    SharedMatrix<T, D> Q(int layer) const { return {Q_ + offset(layer), rows_}; }
    // The row of P that writes the output.
    L output_row(int k) const { return L::broadcast(P_[offset(shape_.layers - 1) + (rows_ - 1) * rows_ + k]); }
    static L zero(int, int) { return zero_lanes<T>(); }
    L* gradient_of_P(L* gradient, int layer) const { return gradient + offset(layer); }
    L* gradient_of_Q(L* gradient, int layer) const { return gradient + shape_.stored * rows_ * rows_ + offset(layer); }

    // 1/n c_i
    L source_scale(const Layer& layer, int i) const { return one_column() ? inv_n_ : inv_n_ * layer.c[i]; }

    // ---- products: sums over D rows, over sources i, over columns j. Arrays of vectors are (n+1) x D, column after
    // column; scores E are (n+1) x (n+1), row-major.

    // out(j, k) = finish(j, k, start(j, k) + sum_c weight(k, c) in(j, c)) for columns j < count.
    template <class Weight, class Start, class Finish>
    EMERGENCE_INLINE void transform(const Weight& weight, const L* in, int count, const Start& start,
                                    const Finish& finish) const {
        const auto columns = lanes(const_cast<L*>(in));
        multiply_rectangle<T, kBlockRows, kBlockColumns>(
            count, rows_, Extent<D>(rows_), columns, [&](int c, int k) { return weight(k, c); }, start, finish);
    }
    // finish(i, j, x_i' y_j) for i < count and columns j < columns.
    template <class Finish>
    EMERGENCE_INLINE void score(const L* x, const L* y, int count, int columns, const Finish& finish) const {
        const auto left = lanes(const_cast<L*>(x)), right = lanes(const_cast<L*>(y));
        multiply_rectangle<T, kScoreRows, kScoreColumns>(
            count, columns, Extent<D>(rows_), left, [&](int k, int j) { return right(j, k); }, zero, finish);
    }
    // out(j, k) = start(j, k) + sum_{i < count} x(i, k) E(i, j), for columns j < columns.
    template <class Start>
    EMERGENCE_INLINE void over_sources(const L* x, const L* E, int count, int columns, const Start& start,
                                       L* out) const {
        const auto vectors = lanes(const_cast<L*>(x)), result = lanes(out);
        multiply_rectangle<T, kSumRows, kSumColumns>(
            rows_, columns, Extent<0>(count), [&](int k, int i) { return vectors(i, k); },
            [&](int i, int j) { return E[i * columns_ + j]; }, [&](int k, int j) { return start(j, k); },
            [&](int k, int j, const L& sum) { result(j, k) = sum; });
    }
    // finish(i, k, sum_j y(j, k) E(i, j)) for i < count.
    template <class Finish>
    EMERGENCE_INLINE void over_columns(const L* y, const L* E, int count, const Finish& finish) const {
        const auto vectors = lanes(const_cast<L*>(y));
        multiply_rectangle<T, kSumRows, kSumColumns>(
            rows_, count, Extent<0>(columns_), [&](int k, int j) { return vectors(j, k); },
            [&](int j, int i) { return E[i * columns_ + j]; }, zero,
            [&](int k, int i, const L& sum) { finish(i, k, sum); });
    }
    // sums(a, b) += sum_{j < count} x(j, a) y(j, b).
    EMERGENCE_INLINE void outer(const L* x, const L* y, int count, L* sums) const {
        const auto left = lanes(const_cast<L*>(x)), right = lanes(const_cast<L*>(y)), target = lanes(sums);
        multiply_rectangle<T, kBlockRows, kBlockColumns>(
            rows_, rows_, Extent<0>(count), [&](int a, int j) { return left(j, a); }, right, target, target);
    }

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

    // The scores of the columns from `first` on: of all, or of the query's alone.
    void forward_scores(int l, const Layer& layer, int first) const {
        const int columns = columns_ - first;
        L *E = layer.E + first, *QZ = layer.QZ + first * rows_;
        transform(Q(l), layer.Z + first * rows_, columns, zero, lanes(QZ));
        score(layer.Z, QZ, sources_, columns, [&](int i, int j, const L& s) { E[i * columns_ + j] = s; });
        if (shape_.activation == Activation::softmax)
            for (int i = 0; i < n_; ++i) layer.c[i] = exponentials(E + i * columns_, columns_, 1);
        else if (shape_.activation == Activation::softmax_columns || first > 0)
            for (int j = 0; j < columns; ++j) activate(shape_.activation, E + j, sources_, columns_);
        else
            activate(shape_.activation, E, n_ * columns_, 1);
    }

    // ---- layers whose columns are all needed

    void forward_layer(int l, const Layer& layer, L* Z_next) const {
        forward_scores(l, layer, 0);
        const auto Y = lanes(layer.Y);
        transform(P(l), layer.Z, n_, zero, [&](int i, int k, const L& v) { Y(i, k) = v * source_scale(layer, i); });
        over_sources(layer.Y, layer.E, n_, columns_, lanes(layer.Z), Z_next);
    }

    // dZ_ holds the gradient by the layer's output and receives that by its input: of all columns if `whole`,
    // else of the query's.
    void backward_layer(int l, const Layer& layer, L* gradient, bool whole) {
        const auto dPZ = lanes(dPZ_), dZ = lanes(dZ_);
        over_columns(dZ_, layer.E, n_, dPZ);
        if (shape_.activation == Activation::softmax) source_means(layer);
        backward_activation(layer);
        backward_scores(l, layer, gradient, whole, 0);
        if (!gradient && !whole) return;
        for (int i = 0; i < n_; ++i)
            for (int k = 0; k < rows_; ++k) dPZ(i, k) = dPZ(i, k) * source_scale(layer, i);
        if (gradient) outer(dPZ_, layer.Z, n_, gradient_of_P(gradient, l));
        if (whole) transform(transposed(P(l)), dPZ_, n_, dZ, dZ);
    }

    // r_i = c_i Y_i' G_i
    void source_means(const Layer& layer) const {
        for (int i = 0; i < n_; ++i) {
            L mean = zero_lanes<T>();
            for (int k = i * rows_; k < (i + 1) * rows_; ++k) mean = fma(layer.Y[k], dPZ_[k], mean);
            r_[i] = mean * layer.c[i];
        }
    }

    // Calls replace(derivative) for an activation that acts entry by entry: act'(s) u from a = act(s). Each has a type
    // of its own, to be inlined.
    template <class Replace>
    void with_derivative(const Replace& replace) const {
        if (shape_.activation == Activation::relu)
            return replace([](const L& a, const L& u) { return where_positive(a, u, zero_lanes<T>()); });
        if (shape_.activation == Activation::elu)
            return replace([](const L& a, const L& u) { return where_positive(a, u, fma(u, a, u)); });
        if (shape_.activation == Activation::tanh)
            return replace([](const L& a, const L& u) { return fma(a * u, zero_lanes<T>() - a, u); });
        replace([](const L&, const L& u) { return u; });
    }
    // E becomes dS:  dS_ij = act'(S_ij) U_ij,  U_ij = Y_i' dZ_j.
    void backward_activation(const Layer& layer) const {
        if (shape_.activation == Activation::softmax_columns) return backward_columns(layer);
        const auto replace = [&](const auto& by_score) {
            score(layer.Y, dZ_, n_, columns_, [&](int i, int j, const L& u) {
                L& e = layer.E[i * columns_ + j];
                e = by_score(i, e, u);
            });
        };
        if (shape_.activation == Activation::softmax)
            return replace([&](int i, const L& e, const L& u) { return e * (u - r_[i]); });
        with_derivative(
            [&](const auto& derivative) { replace([&](int, const L& e, const L& u) { return derivative(e, u); }); });
    }
    // dS_ij = A_ij (U_ij - r_j) with r_j = sum_i A_ij U_ij, where U is 0 in the query's row.
    void backward_columns(const Layer& layer) const {
        L* E = layer.E;
        for (int j = 0; j < columns_; ++j) r_[j] = zero_lanes<T>();
        score(layer.Y, dZ_, n_, columns_,
              [&](int i, int j, const L& u) { r_[j] = fma(E[i * columns_ + j], u, r_[j]); });
        score(layer.Y, dZ_, n_, columns_, [&](int i, int j, const L& u) {
            L& e = E[i * columns_ + j];
            e = e * (u - r_[j]);
        });
        for (int j = 0; j < columns_; ++j) {
            L& e = E[n_ * columns_ + j];
            e = zero_lanes<T>() - e * r_[j];
        }
    }

    // S = Z' (Q Z). From dS in E's columns from `first` on: the gradient of Q, and the scores' part of dZ_.
    void backward_scores(int l, const Layer& layer, L* gradient, bool whole, int first) {
        const L* dS = layer.E;
        const auto dZ = lanes(dZ_);
        over_sources(layer.Z, dS + first, sources_, columns_ - first, zero, dQZ_ + first * rows_);
        if (gradient)
            outer(dQZ_ + first * rows_, layer.Z + first * rows_, columns_ - first, gradient_of_Q(gradient, l));
        const bool all = whole && first == 0;
        if (all) over_columns(layer.QZ, dS, sources_, [&](int i, int k, const L& sum) { dZ(i, k) = dZ(i, k) + sum; });
        for (int i = all ? sources_ : whole ? 0 : n_; i < sources_; ++i)
            for (int k = 0; k < rows_; ++k) {
                L sum = dZ(i, k);
                for (int j = first; j < columns_; ++j) sum = fma(layer.QZ[j * rows_ + k], dS[i * columns_ + j], sum);
                dZ(i, k) = sum;
            }
        const int from = all ? 0 : n_;
        const auto to = lanes(dZ_ + from * rows_);
        transform(transposed(Q(l)), dQZ_ + from * rows_, columns_ - from, to, to);
    }

    // ---- the last layer

    // Z[D, query] + sum_i y_i E_i,query. y_i = (1/n) c_i p' Z_i, with p the last row of P, stays in Y's first entries.
    L read_out(const Layer& layer) const {
        L out = layer.Z[columns_ * rows_ - 1];
        for (int i = 0; i < n_; ++i) {
            L y = zero_lanes<T>();
            for (int k = 0; k < rows_; ++k) y = fma(output_row(k), layer.Z[i * rows_ + k], y);
            layer.Y[i] = y * source_scale(layer, i);
            out = fma(layer.Y[i], layer.E[i * columns_ + n_], out);
        }
        return out;
    }
    // From d(p' Z_i) in dPZ_: the gradient of P's last row and, if `whole`, dZ_.
    void backward_sources(const Layer& layer, L* gradient, bool whole) {
        if (gradient) {
            L* dp = gradient_of_P(gradient, shape_.layers - 1) + (rows_ - 1) * rows_;
            for (int i = 0; i < n_; ++i)
                for (int k = 0; k < rows_; ++k) dp[k] = fma(dPZ_[i], layer.Z[i * rows_ + k], dp[k]);
        }
        if (!whole) return;
        for (int i = 0; i < n_; ++i)
            for (int k = 0; k < rows_; ++k) {
                L& dz = dZ_[i * rows_ + k];
                dz = fma(output_row(k), dPZ_[i], dz);
            }
    }
    void backward_last(const Layer& layer, const L& out_gradient, L* gradient, bool whole) {
        for (int k = 0; k < columns_ * rows_; ++k) dZ_[k] = zero_lanes<T>();
        dZ_[columns_ * rows_ - 1] = out_gradient;
        for (int i = 0; i < n_; ++i) dPZ_[i] = source_scale(layer, i) * layer.E[i * columns_ + n_] * out_gradient;
        if (one_column())
            backward_last_column(layer, out_gradient);
        else
            backward_last_rows(layer, out_gradient);
        backward_scores(shape_.layers - 1, layer, gradient, whole, one_column() ? n_ : 0);
        backward_sources(layer, gradient, whole);
    }
    // E becomes dS. dA is 0 outside the query's column:
    //
    //     dS_ij = E_ij (u_i [j = query] - c_i u_i E_i,query),   u_i = y_i out_gradient
    void backward_last_rows(const Layer& layer, const L& out_gradient) const {
        for (int i = 0; i < n_; ++i) {
            L* E = layer.E + i * columns_;
            const L u = layer.Y[i] * out_gradient, at_query = E[n_];
            const L others = zero_lanes<T>() - u * layer.c[i] * at_query;
            for (int j = 0; j < n_; ++j) E[j] = E[j] * others;
            E[n_] = at_query * (u + others);
        }
    }
    // The query's column of E becomes dS.
    void backward_last_column(const Layer& layer, const L& out_gradient) const {
        const auto e = [&](int i) -> L& { return layer.E[i * columns_ + n_]; };
        const auto u = [&](int i) { return layer.Y[i] * out_gradient; };
        if (shape_.activation != Activation::softmax_columns)
            return with_derivative([&](const auto& derivative) {
                for (int i = 0; i < n_; ++i) e(i) = derivative(e(i), u(i));
            });
        L mean = zero_lanes<T>();
        for (int i = 0; i < n_; ++i) mean = fma(e(i), u(i), mean);
        for (int i = 0; i < n_; ++i) e(i) = e(i) * (u(i) - mean);
        e(n_) = zero_lanes<T>() - e(n_) * mean;
    }

    NetworkShape shape_;
    Extent<D> rows_ = Extent<D>(shape_.rows());
    int n_ = shape_.context_length, columns_ = shape_.columns();
    int sources_ = shape_.activation == Activation::softmax_columns ? columns_ : n_;
    L inv_n_ = L::broadcast(T(1) / static_cast<T>(n_));
    const T *P_ = nullptr, *Q_ = nullptr;
    std::vector<L> store_ = std::vector<L>((3 * rows_ + 1) * columns_);
    L *dZ_ = store_.data(), *dQZ_ = dZ_ + rows_ * columns_, *dPZ_ = dQZ_ + rows_ * columns_;  // (n+1) x D each
    L* r_ = dPZ_ + rows_ * columns_;                                                          // n+1
};

}  // namespace emergence::EMERGENCE_LANES
