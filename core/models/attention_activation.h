#pragma once
// Activations of scores in lanes, and their derivatives.

#include "core/base/lane_math.h"
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

}  // namespace emergence::EMERGENCE_LANES
