#pragma once
// One head of causal attention over one trajectory. Rounds i attend to rounds j <= i; i runs over lanes.
//
//     S_ji = k_j' q_i
//     E_ji = exp((S_ji - max_j S_ji) / sqrt(c)),  b_i = 1 / sum_j E_ji    softmax; c: width of the head
//     E_ji = max(S_ji, 0),                        b_i = 1 / i             ReLU; i from 1
//     o_i = b_i sum_j v_j E_ji
//
// and backwards, from do_i:
//
//     g_i = b_i do_i
//     U_ji = v_j' g_i
//     dS_ji = E_ji (U_ji - g_i' o_i) / sqrt(c)                            softmax
//     dS_ji = U_ji where E_ji > 0, else 0                                 ReLU
//     dq_i = sum_j k_j dS_ji
//     dk_j = sum_i q_i dS_ji
//     dv_j = sum_i g_i E_ji

#include <cmath>

#include "core/base/lanes.h"
#include "core/models/causal_transformer_shape.h"
#include "core/models/lane_product.h"

namespace emergence::EMERGENCE_LANES {

/// The arrays of one head. q, k, v, out: width x rounds, rows `step` apart; weights (E): step x step, row j,
/// column i; inverse (b): step.
template <class T>
struct CausalHead {
    CausalAttention kind;
    int width, step;
    const T *q, *k, *v;
    T *out, *weights, *inverse;
};

namespace detail {

constexpr int kRoundBlock = 32;  // rounds per block: two vectors of sixteen

// Calls work(first, columns, rows) for each block of rounds i; it attends to rounds j < rows.
template <class Work>
inline void for_round_blocks(int step, const Work& work) {
    for (int first = 0; first < step; first += kRoundBlock) {
        const int columns = step - first < kRoundBlock ? step - first : kRoundBlock;
        work(first, columns, first + columns);
    }
}

// Positive where first + lane >= j.
template <class T>
inline Lanes<T> not_before(int first, int j) {
    T distance[kLanes];
    for (int i = 0; i < kLanes; ++i) distance[i] = static_cast<T>(first + i - j) + T(0.5);
    return Lanes<T>::load(distance);
}

template <class T>
inline void softmax_column(const CausalHead<T>& head, int first, int rows) {
    using L = Lanes<T>;
    const T scale = T(1) / std::sqrt(static_cast<T>(head.width));
    const auto at = [&](int j) { return head.weights + j * head.step + first; };
    L largest = L::load(at(0));
    for (int j = 1; j <= first; ++j) largest = max(largest, L::load(at(j)));
    for (int j = first + 1; j < rows; ++j)
        largest = where_positive(not_before<T>(first, j), max(largest, L::load(at(j))), largest);
    const L factor = L::broadcast(scale), start = zero_lanes<T>() - factor * largest;
    L sum = zero_lanes<T>();
    for (int j = 0; j < rows; ++j) {
        L e = exp(fma(L::load(at(j)), factor, start));
        if (j > first) e = where_positive(not_before<T>(first, j), e, zero_lanes<T>());
        sum = sum + e;
        e.store(at(j));
    }
    (L::broadcast(T(1)) / sum).store(head.inverse + first);
}

template <class T>
inline void relu_column(const CausalHead<T>& head, int first, int rows) {
    using L = Lanes<T>;
    const L none = zero_lanes<T>();
    for (int j = 0; j < rows; ++j) {
        T* at = head.weights + j * head.step + first;
        L e = max(L::load(at), none);
        if (j > first) e = where_positive(not_before<T>(first, j), e, none);
        e.store(at);
    }
    (L::broadcast(T(1)) / (not_before<T>(first, 0) + L::broadcast(T(0.5)))).store(head.inverse + first);
}

}  // namespace detail

/// The forward pass of one head: fills weights, inverse and out.
template <class T>
inline void attend(const CausalHead<T>& head) {
    using L = Lanes<T>;
    const int n = head.step;
    detail::for_round_blocks(n, [&](int first, int columns, int rows) {
        product<T>(rows, columns, head.width, {head.k, 1, n}, head.q + first, n, head.weights + first, n);
        for (int i = first; i < first + columns; i += kLanes)
            head.kind == CausalAttention::softmax ? detail::softmax_column(head, i, rows)
                                                  : detail::relu_column(head, i, rows);
        product<T>(head.width, columns, rows, {head.v, n, 1}, head.weights + first, n, head.out + first, n);
        for (int c = 0; c < head.width; ++c)
            for (int i = first; i < first + columns; i += kLanes) {
                T* out = head.out + c * n + i;
                (L::load(out) * L::load(head.inverse + i)).store(out);
            }
    });
}

/// The gradients of one head, and its workspace. by_out, by_q, by_k, by_v: width x rounds, rows `step` apart.
template <class T>
struct CausalHeadGradient {
    // The gradient by out; becomes g.
    T* by_out;
    T *by_q, *by_k, *by_v;
    // U, then dS: step x step.
    T* by_scores;
    // step x padded(width)
    T *turned, *turned_too;
    // g_i' o_i: step.
    T* along;
};

namespace detail {

// dS_ji from U_ji in by_scores, for the rounds i of one vector of lanes.
template <class T>
inline void by_scores_column(const CausalHead<T>& head, const CausalHeadGradient<T>& to, int first, int rows) {
    using L = Lanes<T>;
    const L none = zero_lanes<T>(), along = L::load(to.along + first);
    const L scale = L::broadcast(T(1) / std::sqrt(static_cast<T>(head.width)));
    for (int j = 0; j < rows; ++j) {
        const L e = L::load(head.weights + j * head.step + first);
        T* at = to.by_scores + j * head.step + first;
        const L u = L::load(at);
        const L d = head.kind == CausalAttention::softmax ? scale * e * (u - along) : where_positive(e, u, none);
        d.store(at);
    }
}

// g_i = b_i do_i and g_i' o_i.
template <class T>
inline void scale_by_inverse(const CausalHead<T>& head, const CausalHeadGradient<T>& to) {
    using L = Lanes<T>;
    for (int i = 0; i < head.step; i += kLanes) {
        const L inverse = L::load(head.inverse + i);
        L along = zero_lanes<T>();
        for (int c = 0; c < head.width; ++c) {
            const L g = L::load(to.by_out + c * head.step + i) * inverse;
            along = fma(g, L::load(head.out + c * head.step + i), along);
            g.store(to.by_out + c * head.step + i);
        }
        along.store(to.along + i);
    }
}

// out_j = sum_{i >= j} right_i left_ji. out, right: width x rounds.
template <class T>
inline void sum_over_future(const CausalHead<T>& head, const T* left, const T* right, const CausalHeadGradient<T>& to,
                            T* out) {
    const int n = head.step, p = padded(head.width);
    transpose(head.width, n, right, n, to.turned, p);
    for (int j = 0; j < n; j += kVirtualLanes)
        product<T>(kVirtualLanes, p, n - j, {left + j * n + j, n, 1}, to.turned + j * p, p, to.turned_too + j * p, p);
    transpose(n, head.width, to.turned_too, p, out, n);
}

}  // namespace detail

/// The backward pass of one head, after attend(): overwrites by_q, by_k and by_v from by_out.
template <class T>
inline void attend_backward(const CausalHead<T>& head, const CausalHeadGradient<T>& to) {
    const int n = head.step;
    detail::scale_by_inverse(head, to);
    detail::for_round_blocks(n, [&](int first, int columns, int rows) {
        product<T>(rows, columns, head.width, {head.v, 1, n}, to.by_out + first, n, to.by_scores + first, n);
        for (int i = first; i < first + columns; i += kLanes) detail::by_scores_column(head, to, i, rows);
        product<T>(head.width, columns, rows, {head.k, n, 1}, to.by_scores + first, n, to.by_q + first, n);
    });
    detail::sum_over_future(head, to.by_scores, head.q, to, to.by_k);
    detail::sum_over_future(head, head.weights, to.by_out, to, to.by_v);
}

}  // namespace emergence::EMERGENCE_LANES
