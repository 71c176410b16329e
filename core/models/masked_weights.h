#pragma once
// Flat weights of a masked network as masked_network.h reads them, and gradients back.
//
// Two heads are joined by W = [W_1 W_2], D x 2D (Eq. (16), Wang et al. 2025):
//
//     W [P_1 G_1 Q_1; P_2 G_2 Q_2] = sum_h (W_h P_h) G_h Q_h
//
// so that W_h P_h takes the place of P_h. The paper's W reads the reward row of the first head and the memory row of the
// second, and writes to the memory row.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/models/masked_network.h"
#include "core/models/network_shape.h"

namespace emergence::EMERGENCE_LANES {

/// Of one shape.
template <class T>
class MaskedWeights {
  public:
    explicit MaskedWeights(const NetworkShape& shape)
        : shape_(shape), sizes_{shape.rows(), shape.layers, shape.stored, shape.heads()} {
        if (!joins()) return;
        joined_.resize(sizes_.weights());
        W_.resize(static_cast<size_t>(2 * sizes_.matrix()));
        const int D = sizes_.rows;
        W_[place((D - 1) * 2 * D + D - 2)] = W_[place((D - 1) * 2 * D + 2 * D - 1)] = T(1);
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
    /// Of the mask.
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
                    if (shape_.learns_W) by_weights[place_of_W() + place(i * 2 * D + h * D + j)] = by_W;
                }
        }
    }

  private:
    static size_t place(int i) { return static_cast<size_t>(i); }
    bool joins() const { return sizes_.heads == 2; }
    // In the flat weights: P_1, Q_1, P_2, Q_2, W, or P_1, Q_12, P_2, W.
    int place_of_Q(int head) const { return (shape_.shares_Q ? 1 : 2 * head + 1) * sizes_.matrix(); }
    size_t place_of_W() const { return place(shape_.matrices() * sizes_.matrix()); }
    // Entry (i, j) of W_h.
    T W(const T* weights, int h, int i, int j) const {
        const size_t at = place(i * 2 * sizes_.rows + h * sizes_.rows + j);
        return shape_.learns_W ? weights[place_of_W() + at] : W_[at];
    }

    NetworkShape shape_;
    MaskedSizes sizes_;
    std::vector<T> joined_, W_;
};

}  // namespace emergence::EMERGENCE_LANES
