#pragma once
// What the lane kernels of measures compute, without Eigen.

#include <cstddef>
#include <vector>

#include "core/models/network_windows.h"

namespace emergence {

// The weight vectors that a linear transformer and batch TD implicitly compute from each context of a bank.
//
// The value of linear attention is linear in the query, v_TF(s) = w_TF' phi(s). So w_TF is both the implicit weight of
// Appendix D.1.2, Wang et al. 2025, with an exact fit, and the gradient of v_TF by phi(s).

/// Contexts per group of a bank.
inline constexpr int kContextsInGroup = 16;

/// The place of entry number `entry` of `entries` of context i.
constexpr size_t lane_place(int i, int entries, int entry) {
    return (static_cast<size_t>(i / kContextsInGroup) * entries + entry) * kContextsInGroup + i % kContextsInGroup;
}

/// Writes all `entries` of context i.
template <class From, class To>
void put_in_lane(const From* values, int entries, int i, std::vector<To>& lanes) {
    for (int k = 0; k < entries; ++k) lanes[lane_place(i, entries, k)] = static_cast<To>(values[k]);
}

/// Contexts as Gram matrices, sixteen per group: groups x (2d+1) x (2d+1) x 16 floats.
struct GramBank {
    const float* grams;
    int groups;
    int d;
    int context_length;  // n of all of them
    // Masked networks read states instead: groups x times x (d+1) x 16 floats, phi(S_t) then R_{t+1}; times > n.
    // Null if only Gram matrices are kept.
    const float* states = nullptr;
    int times = 0;
    float gamma = 1;  // in prompts

    size_t group_size() const { return static_cast<size_t>((2 * d + 1) * (2 * d + 1) * 16); }
    size_t group_states() const { return static_cast<size_t>(times * (d + 1) * 16); }
};

/// The weights of a linear transformer.
struct LinearAttentionView {
    // L, which with one stored layer may exceed the number trained; 1 or L.
    int layers, stored;
    // stored x D x D each.
    const float *P, *Q;
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
/// C, b, c: groups x (d x d, d, 1) x 16. T: float, or double where weights are compared.
template <class T>
struct ErrorGeometry {
    const T *C, *b, *c;
    int groups, d;
};

/// Two weight vectors of sixteen contexts, compared in double. The caller sums over tasks: the terms of each entry k
/// come separately, so that the caller can add them in order.
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
std::vector<float> network_implicit_weights(const GramBank& bank, const LinearAttentionView& network);

/// w_L of batch TD with C_l = alpha I after `layers` steps, of every context: groups x d x 16 floats.
std::vector<float> batch_td_weights(const GramBank& bank, int layers, float alpha);

/// What the second coordinate of a place means. gradient: c, how much the algorithm follows the residual gradient.
/// trace: lambda of the trace of phi along which each transition steps. mean_reward: the share of the mean of the
/// rewards so far that is subtracted from each reward.
enum class PlaceAxis { gradient, trace, mean_reward };

/// The number of a context's averages in a row: A, B, D row by row, r, q (families.h).
constexpr int num_moments(int d) { return 3 * d * d + 2 * d; }

/// Prompts in groups of sixteen. Lanes without a prompt are all zero.
struct FamilyBank {
    const double* moments;  // groups x num_moments() x 16
    const double* weights;  // groups x d x d x 16: the form that weighs differences of weight vectors, or null
    int groups;
    int d;
    PlaceAxis axis = PlaceAxis::gradient;
    // Needed on the axis of traces only: groups x (n+1) x (d+1) x 16.
    const double* states = nullptr;
    int context_length = 0;
    double gamma = 1;
};

/// The network whose values an algorithm should match.
struct FamilyTarget {
    const double* wanted;      // groups x d x 16: the network's weight vectors
    const double* importance;  // groups x 16: what a prompt weighs in sums
};

/// The parameters behind beta and c: a step size per layer, or a matrix per layer, row by row.
enum class Steps { scalar, matrices };

/// off' W off of each prompt: groups x 16.
std::vector<double> family_errors(const FamilyBank& bank, const double* wanted, const std::vector<double>& parameters,
                                  Steps steps);
/// The values w_L' query of algorithms with scalar steps, then their derivatives by the parameters: groups x (1 + number
/// of parameters) x 16. queries: groups x d x 16. The bank needs no weights.
std::vector<double> family_values(const FamilyBank& bank, const double* queries, const std::vector<double>& parameters);
/// With v_k = M^k b at (beta, c) for k < layers: sum u v_a' W v_b for a <= b row by row, then sum u v_a' W wanted.
std::vector<double> power_sums(const FamilyBank& bank, const FamilyTarget& target, double beta, double c, int layers);

}  // namespace emergence
