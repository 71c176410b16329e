#pragma once
// The linear-attention transformer in its Gram form, one prompt per lane.
//
//     Z_{l+1} = Z_l + (1/n) P_l Z_l M Z_l' Q_l Z_l                               Eq. (3), Wang et al. 2025
//
// Put, for any mask M,
//
//     G_l = Z_l M Z_l'  (D x D),   A_l = (1/n) P_l G_l Q_l,   T_l = I + A_l
//
// Then the cost of a layer does not depend on the context length:
//
//     Z_{l+1} = T_l Z_l,   G_{l+1} = T_l G_l T_l'
//
// The value reads only Z_L[D, query], so the last two layers need products with vectors only:
//
//     a = Q z,  b = G a,  z1 = z + (1/n) P b            (layer L-2; z, G, P, Q are that layer's)
//     y = Qn z1,  p = last row of Pn                    (layer L-1; Pn, Qn are its weights)
//     t = G P' y,   y1 = y + (1/n) Q' t                 = T' y
//     tx = G P' p,  x1 = p + (1/n) Q' tx                = T' p
//     Z_L[D, query] = z1[D] + (1/n) x1' G y1            since p' G_{L-1} y = p' T G T' y
//
// Layers 0 .. L-3 are matrix layers:
//
//     H = G Q,   A = (1/n) P H,   U = G + A G = T G,   G_next = U + U A' = T G T'

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "core/base/lanes.h"
#include "core/models/network_windows.h"

namespace emergence::EMERGENCE_LANES {

/// Sizes of a network.
struct GramSizes {
    int rows;    // D
    int layers;  // L >= 1
    int stored;  // 1 or L; one stored layer is used by all
    int heads = 1;

    int matrix() const { return rows * rows; }
    /// The number of entries of all P of a head.
    int of_head() const { return stored * matrix(); }
    int weights() const { return 2 * heads * of_head(); }
    int offset(int layer) const { return stored == 1 ? 0 : layer * matrix(); }
};

/// Forward and backward passes of kLanes prompts.
template <class T>
class GramNetwork {
    using L = Lanes<T>;

  public:
    virtual ~GramNetwork() = default;

    /// Sets P and Q of the first head, stored x D x D each, and 1/n of the prompts to come. Those of the second head
    /// are 2 of_head() entries further on. All must outlive the last pass.
    virtual void set_weights(const T* P, const T* Q, T inverse_context_length) = 0;

    /// The size of the tape.
    virtual size_t bytes() const = 0;

    /// Z_L[D, query] of each lane, which is minus the value. grams: heads x D x D; query: D. grams must outlive
    /// backward().
    virtual L forward(const L* grams, const L* query) = 0;

    /// Adds the gradient of the sum over lanes of out_gradient * Z_L[D, query] for the last forward() to `sums`,
    /// gradient_size() lanes. Unless null, by_gram (heads x D x D) gets that by the grams; for masked networks only.
    virtual void backward(const L& out_gradient, L* sums, L* by_gram = nullptr) = 0;
    virtual size_t gradient_size() const = 0;

    /// Overwrites P and Q, laid out as the weights, with the sums over the virtual lanes. parts: kParts x
    /// gradient_size().
    virtual void finish_gradient(const L* parts, T* P, T* Q) const = 0;

    /// r (D entries) with Z_L[D, query] = r' query for every query, in each lane. The first d entries of -r are
    /// the implicit weight of the network's value function. It overwrites the tape, so do not call it between
    /// forward() and backward().
    virtual void read_out(const L* grams, L* r) = 0;
};

/// The network for symmetric grams (gram_network_kernels.cpp), since the only mask removes the query: one head.
template <class T>
std::unique_ptr<GramNetwork<T>> make_gram_network(const GramSizes& sizes);
/// The network for any grams (masked_network_kernels.cpp).
template <class T>
std::unique_ptr<GramNetwork<T>> make_masked_network(const GramSizes& sizes);

// Flat weights as a Gram network reads them, and gradients back.
//
// Two heads are joined by W = [W_1 W_2], D x 2D (Eq. (16), Wang et al. 2025):
//
//     W [P_1 G_1 Q_1; P_2 G_2 Q_2] = sum_h (W_h P_h) G_h Q_h
//
// so that W_h P_h takes the place of P_h. The paper's W reads the reward row of the first head and the memory row of
// the second, and writes to the memory row.

/// Converts weights and gradients of one shape.
template <class T>
class GramWeights {
  public:
    explicit GramWeights(const NetworkShape& shape)
        : shape_(shape), sizes_{shape.rows(), shape.layers, shape.stored, shape.heads()} {
        if (!joins()) return;
        joined_.resize(sizes_.weights());
        W_.resize(2 * sizes_.matrix());
        const int D = sizes_.rows;
        W_[(D - 1) * 2 * D + D - 2] = W_[2 * D * D - 1] = T(1);
    }

    const GramSizes& sizes() const { return sizes_; }

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
    GramSizes sizes_;
    std::vector<T> joined_, W_;
};

}  // namespace emergence::EMERGENCE_LANES
