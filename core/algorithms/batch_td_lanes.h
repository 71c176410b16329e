#pragma once
// Batch TD with C_l = alpha I, Eq. (8), Wang et al. 2025, and its derivative by alpha, one prompt per lane.
//
//     w_{l+1} = w_l + (alpha/n) (g + K w_l),                          w_0 = 0
//     u_{l+1} = u_l + (1/n) (g + K w_l) + (alpha/n) K u_l,            u_l = dw_l/dalpha
//     g = sum_j R_{j+1} phi_j,   K = sum_j phi_j (gamma phi_{j+1} - phi_j)'
//
// g and K are blocks of the prompt's Gram matrix.

#include <cstddef>
#include <vector>

#include "core/base/lanes.h"

namespace emergence::EMERGENCE_LANES {

/// Batch TD on kLanes prompts.
template <class T>
class BatchTdLanes {
    using L = Lanes<T>;

  public:
    BatchTdLanes(int d, int layers) : d_(d), layers_(layers), store_(4 * d) {}

    /// Computes w_L and u_L, or w_L alone. gram: (2d+1) x (2d+1).
    template <bool kDerivative = true>
    void run(const L* gram, T alpha, T inverse_n) {
        const int rows = 2 * d_ + 1;
        L *w = store_.data(), *u = w + d_, *step = u + d_, *step_u = step + d_;
        for (int i = 0; i < 2 * d_; ++i) w[i] = zero_lanes<T>();
        const L scale = L::broadcast(inverse_n), scaled_alpha = L::broadcast(alpha * inverse_n);
        for (int l = 0; l < layers_; ++l) {
            for (int i = 0; i < d_; ++i) {
                step[i] = gram[i * rows + 2 * d_];
                step_u[i] = zero_lanes<T>();
                for (int k = 0; k < d_; ++k) {
                    const L K = gram[i * rows + d_ + k] - gram[i * rows + k];
                    step[i] = fma(K, w[k], step[i]);
                    if constexpr (kDerivative) step_u[i] = fma(K, u[k], step_u[i]);
                }
            }
            for (int i = 0; i < d_; ++i) {
                w[i] = fma(scaled_alpha, step[i], w[i]);
                if constexpr (kDerivative) u[i] = fma(scaled_alpha, step_u[i], fma(scale, step[i], u[i]));
            }
        }
    }

    /// w_L after run(): d entries.
    const L* weight() const { return store_.data(); }
    /// The value w_L' phi of a query and its derivative by alpha. query: phi, d entries.
    L value(const L* query) const { return dot(store_.data(), query); }
    L derivative(const L* query) const { return dot(store_.data() + d_, query); }

  private:
    L dot(const L* a, const L* b) const {
        L sum = zero_lanes<T>();
        for (int i = 0; i < d_; ++i) sum = fma(a[i], b[i], sum);
        return sum;
    }

    int d_, layers_;
    std::vector<L> store_;  // w, u, and workspace for a step of each
};

}  // namespace emergence::EMERGENCE_LANES
