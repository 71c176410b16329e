#pragma once
// Linear attention under any masks, one prompt per lane: the mask of TD(lambda), and two heads (Eqs. (14) and (18),
// Wang et al. 2025).
//
//     Z_{l+1} = Z_l + (1/n) sum_h P_hl Z_l M_h Z_l' Q_hl Z_l
//
// As in gram_network.h, but G_h = Z M_h Z' is not symmetric, and heads share the step:
//
//     H_h = G_h Q_h,  A = (1/n) sum_h P_h H_h,  T = I + A,  U_h = T G_h,  G_h,next = U_h T',  z_next = T z
//     Z_L[D, query] = z[D] + (1/n) sum_h p_h' G_h Q_h z           (last layer; p_h: last row of its P_h)
//
// and backwards, with N_h = dG_h,next:
//
//     dT = dz_next z' + sum_h (N_h T G_h' + N_h' U_h)
//     dH_h = (1/n) P_h' dT,  dP_h += (1/n) dT H_h',  dQ_h += G_h' dH_h,  dG_h = T' N_h T + dH_h Q_h',  dz = T' dz_next

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/models/lane_products.h"
#include "core/models/network_windows.h"

namespace emergence::EMERGENCE_LANES {

/// Sizes of a network.
struct MaskedSizes {
    int rows;    // D
    int layers;  // L >= 1
    int stored;  // 1 or L
    int heads;

    int matrix() const { return rows * rows; }
    /// The number of entries of all P and Q.
    int weights() const { return 2 * heads * stored * matrix(); }
};

/// Forward and backward passes of kLanes prompts. D: the number of rows if it is fixed at compile time, else 0.
template <class T, int D>
class MaskedNetwork {
    using L = Lanes<T>;

  public:
    explicit MaskedNetwork(const MaskedSizes& sizes) : s_(sizes), n_(sizes.rows), inv_n_(zero_lanes<T>()) {
        const int rows = s_.rows, matrix = s_.matrix(), heads = s_.heads, inner = s_.layers - 1;
        store_.resize(inner * (3 * heads + 1) * matrix + (inner + 1) * rows + (heads + 4) * matrix +
                      (2 * heads + 4) * rows);
        L* next = store_.data();
        const auto take = [&next](int count) { return std::exchange(next, next + count); };
        for (int l = 0; l <= inner; ++l) {
            Layer layer{};
            layer.z = take(rows);
            if (l < inner) {
                layer.H = take(heads * matrix);
                layer.A = take(matrix);
                layer.U = take(heads * matrix);
                layer.next = take(heads * matrix);
            }
            layers_.push_back(layer);
        }
        N_ = take(heads * matrix);
        for (L** one : {&dA_, &V_, &X_, &R_}) *one = take(matrix);
        y_ = take(heads * rows);
        t_ = take(heads * rows);
        for (L** one : {&dt_, &dy_, &dz_, &r_}) *one = take(rows);
    }

    /// weights: for each head all P, then all Q, stored x D x D each. They must outlive the last pass.
    void set_weights(const T* weights, T inverse_context_length) {
        weights_ = weights;
        inv_n_ = L::broadcast(inverse_context_length);
    }

    /// The size of the tape.
    size_t bytes() const { return store_.size() * sizeof(L); }

    /// Z_L[D, query] of each lane, which is minus the value. grams: heads x D x D; query: D. grams must outlive
    /// backward().
    L forward(const L* grams, const L* query) {
        forward_layers(grams, query);
        const Layer& last = layers_.back();
        L out = zero_lanes<T>();
        for (int h = 0; h < s_.heads; ++h) {
            L *y = y_ + h * n_, *t = t_ + h * n_;
            apply<T>(n_, Q(h, s_.layers - 1), last.z, zero, to(y));
            apply<T>(n_, lanes(gram(last, h)), y, zero, to(t));
            for (int i = 0; i < n_; ++i) out = fma(output_row(h, i), t[i], out);
        }
        return fma(out, inv_n_, last.z[n_ - 1]);
    }

    /// Adds the gradient of the sum over lanes of out_gradient * Z_L[D, query] for the last forward(). gradient: laid
    /// out as the weights, lane by lane. Unless null, by_gram (heads x D x D) gets that by the G_h.
    void backward(const L& out_gradient, L* gradient, L* by_gram) {
        backward_last(out_gradient, gradient);
        for (int l = s_.layers - 2; l >= 0; --l) backward_layer(l, gradient, l > 0 || by_gram != nullptr);
        if (by_gram)
            for (int k = 0; k < s_.heads * s_.matrix(); ++k) by_gram[k] = N_[k];
    }

    /// r (D entries) with Z_L[D, query] = r' query for every query, in each lane. Not between forward() and backward().
    void read_out(const L* grams, L* r) {
        for (int i = 0; i < n_; ++i) r_[i] = zero_lanes<T>();
        forward_layers(grams, r_);
        const int last = s_.layers - 1;
        for (int i = 0; i < n_; ++i) r[i] = L::broadcast(i == n_ - 1 ? T(1) : T(0));
        for (int h = 0; h < s_.heads; ++h) {
            for (int i = 0; i < n_; ++i) dt_[i] = output_row(h, i);
            apply<T>(n_, transposed(lanes(gram(layers_.back(), h))), dt_, zero, to(dy_));
            apply<T>(n_, transposed(Q(h, last)), dy_, zero, [&](int i, L v) { r[i] = fma(v, inv_n_, r[i]); });
        }
        for (int l = last - 1; l >= 0; --l) {
            apply<T>(n_, transposed(lanes(layers_[l].A)), r, zero, to(dy_));
            for (int i = 0; i < n_; ++i) r[i] = r[i] + dy_[i];
        }
    }

  private:
    struct Layer {
        // The layer's input: G_h of all heads, and the query's column.
        const L* G;
        L* z;
        // The last layer does not use these.
        L *H, *A, *U, *next;
    };

    static L zero(int) { return zero_lanes<T>(); }
    static L zero2(int, int) { return zero_lanes<T>(); }
    LaneMatrix<T, D> lanes(const L* data) const { return {const_cast<L*>(data), n_}; }
    int offset(int head, int matrix, int layer) const {
        return ((2 * head + matrix) * s_.stored + (s_.stored == 1 ? 0 : layer)) * s_.matrix();
    }
    SharedMatrix<T, D> P(int head, int layer) const { return {weights_ + offset(head, 0, layer), n_}; }
    SharedMatrix<T, D> Q(int head, int layer) const { return {weights_ + offset(head, 1, layer), n_}; }
    const L* gram(const Layer& layer, int head) const { return layer.G + head * s_.matrix(); }
    L output_row(int head, int i) const {
        return L::broadcast(weights_[offset(head, 0, s_.layers - 1) + (n_ - 1) * n_ + i]);
    }

    void forward_layers(const L* grams, const L* query) {
        layers_.front().G = grams;
        for (int i = 0; i < n_; ++i) layers_.front().z[i] = query[i];
        for (int l = 0; l + 1 < s_.layers; ++l) {
            Layer &layer = layers_[l], &next = layers_[l + 1];
            const auto A = lanes(layer.A);
            for (int h = 0; h < s_.heads; ++h) {
                const auto H = lanes(layer.H + h * s_.matrix());
                multiply<T>(n_, lanes(gram(layer, h)), Q(h, l), zero2, [&](int i, int j, L v) { H(i, j) = v; });
                if (h == 0)
                    multiply<T>(n_, P(h, l), H, zero2, [&](int i, int j, L v) { A(i, j) = v * inv_n_; });
                else
                    multiply<T>(n_, P(h, l), H, zero2, [&](int i, int j, L v) { A(i, j) = fma(v, inv_n_, A(i, j)); });
            }
            for (int h = 0; h < s_.heads; ++h) {
                const auto G = lanes(gram(layer, h)), U = lanes(layer.U + h * s_.matrix()),
                           G_next = lanes(layer.next + h * s_.matrix());
                multiply<T>(n_, A, G, G, [&](int i, int j, L v) { U(i, j) = v; });
                multiply<T>(n_, U, transposed(A), U, [&](int i, int j, L v) { G_next(i, j) = v; });
            }
            next.G = layer.next;
            apply<T>(
                n_, A, layer.z, [&](int i) { return layer.z[i]; }, to(next.z));
        }
    }

    // out = z[D] + (1/n) sum_h p_h' t_h,  t_h = G_h y_h,  y_h = Q_h z
    void backward_last(const L& out_gradient, L* gradient) {
        const Layer& layer = layers_.back();
        const int last = s_.layers - 1;
        const L g = out_gradient * inv_n_;
        for (int i = 0; i < n_; ++i) dz_[i] = i == n_ - 1 ? out_gradient : zero_lanes<T>();
        for (int h = 0; h < s_.heads; ++h) {
            L* dp = gradient + offset(h, 0, last) + (n_ - 1) * n_;
            const L *y = y_ + h * n_, *t = t_ + h * n_;
            for (int i = 0; i < n_; ++i) {
                dt_[i] = g * output_row(h, i);
                dp[i] = fma(g, t[i], dp[i]);
            }
            apply<T>(n_, transposed(lanes(gram(layer, h))), dt_, zero, to(dy_));
            const auto N = lanes(N_ + h * s_.matrix()), dQ = lanes(gradient + offset(h, 1, last));
            for (int i = 0; i < n_; ++i)
                for (int j = 0; j < n_; ++j) {
                    N(i, j) = dt_[i] * y[j];
                    dQ(i, j) = fma(dy_[i], layer.z[j], dQ(i, j));
                }
            apply<T>(n_, transposed(Q(h, last)), dy_, zero, [&](int i, L v) { dz_[i] = dz_[i] + v; });
        }
    }

    void backward_layer(int l, L* gradient, bool by_gram) {
        const Layer& layer = layers_[l];
        const auto A = lanes(layer.A), dA = lanes(dA_), V = lanes(V_), X = lanes(X_), R = lanes(R_);
        for (int i = 0; i < n_; ++i)
            for (int j = 0; j < n_; ++j) dA(i, j) = dz_[i] * layer.z[j];
        for (int h = 0; h < s_.heads; ++h) {
            const auto G = transposed(lanes(gram(layer, h)));
            const auto N = lanes(N_ + h * s_.matrix()), U = lanes(layer.U + h * s_.matrix());
            multiply<T>(n_, A, G, G, V);
            multiply<T>(n_, N, V, dA, dA);
            multiply<T>(n_, transposed(N), U, dA, dA);
        }
        for (int k = 0; k < s_.matrix(); ++k) dA_[k] = dA_[k] * inv_n_;
        for (int h = 0; h < s_.heads; ++h) {
            const auto N = lanes(N_ + h * s_.matrix()), H = lanes(layer.H + h * s_.matrix());
            const auto dP = lanes(gradient + offset(h, 0, l)), dQ = lanes(gradient + offset(h, 1, l));
            multiply<T>(n_, transposed(P(h, l)), dA, zero2, R);
            multiply<T>(n_, dA, transposed(H), dP, dP);
            multiply<T>(n_, transposed(lanes(gram(layer, h))), R, dQ, dQ);
            if (!by_gram) continue;
            multiply<T>(n_, N, A, N, X);
            multiply<T>(n_, transposed(A), X, X, N);
            multiply<T>(n_, R, transposed(Q(h, l)), N, N);
        }
        for (int i = 0; i < n_; ++i) dy_[i] = dz_[i];
        apply<T>(
            n_, transposed(A), dy_, [&](int i) { return dy_[i]; }, to(dz_));
    }

    MaskedSizes s_;
    Extent<D> n_;
    L inv_n_;
    const T* weights_ = nullptr;
    std::vector<L> store_;
    std::vector<Layer> layers_;
    L *N_, *dA_, *V_, *X_, *R_;
    L *y_, *t_, *dt_, *dy_, *dz_, *r_;
};

// Flat weights of a masked network as masked_network.h reads them, and gradients back.
//
// Two heads are joined by W = [W_1 W_2], D x 2D (Eq. (16), Wang et al. 2025):
//
//     W [P_1 G_1 Q_1; P_2 G_2 Q_2] = sum_h (W_h P_h) G_h Q_h
//
// so that W_h P_h takes the place of P_h. The paper's W reads the reward row of the first head and the memory row of
// the second, and writes to the memory row.

/// Converts weights and gradients of one shape.
template <class T>
class MaskedWeights {
  public:
    explicit MaskedWeights(const NetworkShape& shape)
        : shape_(shape), sizes_{shape.rows(), shape.layers, shape.stored, shape.heads()} {
        if (!joins()) return;
        joined_.resize(sizes_.weights());
        W_.resize(2 * sizes_.matrix());
        const int D = sizes_.rows;
        W_[(D - 1) * 2 * D + D - 2] = W_[2 * D * D - 1] = T(1);
    }

    const MaskedSizes& sizes() const { return sizes_; }

    /// The weights for the network, which live as long as `weights` and until the next call.
    const T* joined(const T* weights) {
        if (!joins()) return weights;
        const int D = sizes_.rows, size = sizes_.matrix();
        for (int h = 0; h < 2; ++h) {
            const T *P = weights + 2 * h * size, *Q = weights + place_of_Q(h);
            T* product = joined_.data() + 2 * h * size;
            std::copy(Q, Q + size, product + size);
            for (int i = 0; i < D; ++i)
                for (int j = 0; j < D; ++j) {
                    T sum = T(0);
                    for (int k = 0; k < D; ++k) sum += W(weights, h, i, k) * P[k * D + j];
                    product[i * D + j] = sum;
                }
        }
        return joined_.data();
    }
    /// The lambda of the mask.
    T lambda(const T* weights) const {
        return shape_.learns_lambda ? weights[shape_.num_weights() - 1] : static_cast<T>(shape_.mask_lambda);
    }

    /// Writes the gradient by all weights, from that by what joined() gave and that by lambda.
    void gradient(const T* weights, const T* by_joined, T by_lambda, T* by_weights) const {
        if (!joins()) std::copy(by_joined, by_joined + sizes_.weights(), by_weights);
        if (shape_.learns_lambda) by_weights[shape_.num_weights() - 1] = by_lambda;
        if (!joins()) return;
        const int D = sizes_.rows, size = sizes_.matrix();
        for (int h = 0; h < 2; ++h) {
            const T *P = weights + 2 * h * size, *by_product = by_joined + 2 * h * size;
            T *by_P = by_weights + 2 * h * size, *by_Q = by_weights + place_of_Q(h);
            const bool adds = h == 1 && shape_.shares_Q;
            for (int k = 0; k < size; ++k) by_Q[k] = adds ? by_Q[k] + by_product[size + k] : by_product[size + k];
            for (int i = 0; i < D; ++i)
                for (int j = 0; j < D; ++j) {
                    T sum = T(0), by_W = T(0);
                    for (int k = 0; k < D; ++k) {
                        sum += W(weights, h, k, i) * by_product[k * D + j];
                        by_W += by_product[i * D + k] * P[j * D + k];
                    }
                    by_P[i * D + j] = sum;
                    if (shape_.learns_W) by_weights[place_of_W() + i * 2 * D + h * D + j] = by_W;
                }
        }
    }

  private:
    bool joins() const { return sizes_.heads == 2; }
    // The flat weights are P_1, Q_1, P_2, Q_2, W, or with a shared Q: P_1, Q_12, P_2, W.
    int place_of_Q(int head) const { return (shape_.shares_Q ? 1 : 2 * head + 1) * sizes_.matrix(); }
    int place_of_W() const { return shape_.matrices() * sizes_.matrix(); }
    // Entry (i, j) of W_h.
    T W(const T* weights, int h, int i, int j) const {
        const int at = i * 2 * sizes_.rows + h * sizes_.rows + j;
        return shape_.learns_W ? weights[place_of_W() + at] : W_[at];
    }

    NetworkShape shape_;
    MaskedSizes sizes_;
    std::vector<T> joined_, W_;
};

}  // namespace emergence::EMERGENCE_LANES
