#pragma once
// The weight vectors that a linear transformer and batch TD implicitly compute from each context of a bank.
//
// For linear attention v_TF(s) = w_TF' phi(s) exactly: the value is linear in the query. So w_TF is both the
// implicit weight of Appendix D.1.2 (Wang et al. 2025), whose least-squares fit is exact, and the gradient of
// v_TF by phi(s).

#include <cstddef>

namespace emergence {

/// Contexts as Gram matrices, sixteen a group: groups x (2d+1) x (2d+1) x 16 floats.
struct GramBank {
    const float* grams;
    int groups;
    int d;
    int context_length;  // n of all of them

    size_t group_size() const { return static_cast<size_t>((2 * d + 1) * (2 * d + 1) * 16); }
};

struct LinearAttentionView {
    int layers;      // L, may exceed what was trained where one layer is stored
    int stored;      // 1 or L
    const float* P;  // stored x D x D
    const float* Q;
};

/// What turns a weight vector into its value error, of each task: sum_s d(s) (w' phi(s) - v(s))^2 = w' C w -
/// 2 w' b + c with C = Phi D Phi', b = Phi D v, c = v' D v. groups x (d x d, d, 1) x 16 floats.
struct ErrorGeometry {
    const float* C;
    const float* b;
    const float* c;
    int groups;
    int d;
};

/// w_TF of every context: groups x d x 16 floats.
void network_implicit_weights(const GramBank& bank, const LinearAttentionView& network, float* weights);

/// w_L of batch TD with C_l = alpha I after `layers` steps, of every context: groups x d x 16 floats.
void batch_td_weights(const GramBank& bank, int layers, float alpha, float* weights);

/// The value error of every weight vector: groups x 16 floats. weights: as the two functions above write
/// them.
void value_errors(const ErrorGeometry& geometry, const float* weights, float* errors);

}  // namespace emergence
