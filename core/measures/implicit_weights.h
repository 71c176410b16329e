#pragma once
// The weight vectors that a linear transformer and batch TD implicitly compute from each context of a bank.
//
// The value of linear attention is linear in the query, v_TF(s) = w_TF' phi(s). So w_TF is both the implicit weight of
// Appendix D.1.2, Wang et al. 2025, with an exact fit, and the gradient of v_TF by phi(s).

#include <cstddef>

#include "core/models/network_windows.h"

namespace emergence {

/// Contexts as Gram matrices, sixteen per group: groups x (2d+1) x (2d+1) x 16 floats.
struct GramBank {
    const float* grams;
    int groups;
    int d;
    int context_length;  // n of all of them
    // What masked networks read instead: groups x times x (d+1) x 16 floats, phi(S_t) then R_{t+1}, more times than n.
    // Null if only Gram matrices are kept.
    const float* states = nullptr;
    int times = 0;
    float gamma = 1;  // in prompts

    size_t group_size() const { return static_cast<size_t>((2 * d + 1) * (2 * d + 1) * 16); }
    size_t group_states() const { return static_cast<size_t>(times * (d + 1) * 16); }
};

/// The weights of a linear transformer.
struct LinearAttentionView {
    // L; with one stored layer it may exceed the number trained.
    int layers;
    // 1 or L
    int stored;
    // stored x D x D each.
    const float* P;
    const float* Q;
    // If it is_masked(), its flat weights begin at P.
    NetworkShape shape = {};
};
/// The view of flat weights, which must outlive it.
inline LinearAttentionView view_of(const NetworkShape& shape, const std::vector<float>& weights) {
    return {shape.layers, shape.stored, weights.data(), weights.data() + weights.size() / 2, shape};
}

/// The quadratic form of each task's value error:
///
///     sum_s d(s) (w' phi(s) - v(s))^2 = w' C w - 2 w' b + c
///     C = Phi D Phi',   b = Phi D v,   c = v' D v
///
/// C, b, c: groups x (d x d, d, 1) x 16 floats.
struct ErrorGeometry {
    const float* C;
    const float* b;
    const float* c;
    int groups;
    int d;
};

/// The same geometry in double, from which weights are compared.
struct ComparisonGeometry {
    const double* C;
    const double* b;
    const double* c;
    int groups;
    int d;
};

/// Two weight vectors of sixteen contexts, compared in double. Sums that run over tasks are left to the caller: the terms
/// of entry k of the weight are given for themselves, so that they can be added in order.
struct ComparedGroup {
    /// 0 if one of both is 0.
    double cosine[16];
    /// e_k (C e)_k with e = w - other, and w_k (C w)_k: d x 16 each.
    double* difference;
    double* square;
    /// The value errors of both.
    double error[16], other_error[16];
};

/// w_TF of every context: groups x d x 16 floats.
void network_implicit_weights(const GramBank& bank, const LinearAttentionView& network, float* weights);

/// w_L of batch TD with C_l = alpha I after `layers` steps, of every context: groups x d x 16 floats.
void batch_td_weights(const GramBank& bank, int layers, float alpha, float* weights);

/// Compares group number `group` of two arrays of weight vectors. Without values (C is null) only the cosine is written.
void compare_weights(const ComparisonGeometry& geometry, int group, const float* weights, const float* other,
                     ComparedGroup& compared);

/// The value error of every weight vector: groups x 16 floats. weights: groups x d x 16 floats.
void value_errors(const ErrorGeometry& geometry, const float* weights, float* errors);

}  // namespace emergence
