#pragma once
// exp, exp - 1 and tanh of lanes, with the same bits on every instruction set.
//
//     x          = k log 2 + r,        |r| <= log(2) / 2
//     e          = exp(r) - 1
//     exp(x)     = 2^k (1 + e)
//     exp(x) - 1 = 2^k e + (2^k - 1)
//
// e is the Taylor polynomial without its constant term, which keeps its relative accuracy near 0. The error is at most
// 2 units in the last place for exp, 4 for expm1 and tanh (tests/core/base/lane_math_test.cpp).

#include "core/base/lanes.h"

namespace emergence::EMERGENCE_LANES {

/// Between these arguments exp is a normal number; arguments outside are clamped to them.
template <class T>
constexpr T kLeastExponent = sizeof(T) == 4 ? T(-86.5) : T(-707.0);
template <class T>
constexpr T kGreatestExponent = sizeof(T) == 4 ? T(87.5) : T(708.0);

/// exp(x) = scale (1 + e), with scale = 2^k.
template <class T>
struct ExpParts {
    Lanes<T> e, scale;
};

template <class T>
inline ExpParts<T> exp_parts(const Lanes<T>& argument) {
    using L = Lanes<T>;
    constexpr bool single = sizeof(T) == 4;
    constexpr int kDegree = single ? 7 : 13;
    // log 2 in two parts. The first has so few digits that k times it is exact.
    constexpr T kLog2High = single ? T(0.693359375) : T(0.693145751953125);
    constexpr T kLog2Low = single ? T(-2.12194440e-4) : T(1.42860682030941723212e-6);
    constexpr double kInverseFactorial[] = {
        1.0,        1.0,         1.0 / 2,      1.0 / 6,       1.0 / 24,       1.0 / 120,       1.0 / 720,
        1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800.0};
    // min and max return their second argument if one is NaN, so this order keeps a NaN argument.
    const L x = min(L::broadcast(kGreatestExponent<T>), max(L::broadcast(kLeastExponent<T>), argument));
    const L shift = L::broadcast(kRoundingShift<T>);
    const L shifted = fma(x, L::broadcast(T(1.44269504088896340736)), shift);
    const L k = shifted - shift;
    const L r = fma(k, L::broadcast(-kLog2Low), fma(k, L::broadcast(-kLog2High), x));
    L e = L::broadcast(static_cast<T>(kInverseFactorial[kDegree]));
#pragma GCC unroll 13
    for (int i = kDegree - 1; i >= 1; --i) e = fma(e, r, L::broadcast(static_cast<T>(kInverseFactorial[i])));
    return {e * r, power_of_two(shifted)};
}

template <class T>
inline Lanes<T> exp(const Lanes<T>& x) {
    const ExpParts<T> parts = exp_parts(x);
    return fma(parts.e, parts.scale, parts.scale);
}

/// exp(x) - 1, accurate near 0 too.
template <class T>
inline Lanes<T> expm1(const Lanes<T>& x) {
    const ExpParts<T> parts = exp_parts(x);
    return fma(parts.e, parts.scale, parts.scale - Lanes<T>::broadcast(T(1)));
}

/// tanh(|x|) = u / (u + 2) with u = exp(2 |x|) - 1, and x's sign.
template <class T>
inline Lanes<T> tanh(const Lanes<T>& x) {
    using L = Lanes<T>;
    // Beyond this |x| tanh is 1 to the last digit; the clamp keeps u far from overflow.
    constexpr T kSaturated = sizeof(T) == 4 ? T(10) : T(20);
    const L zero = zero_lanes<T>(), minus_x = zero - x;
    const L size = min(L::broadcast(kSaturated), max(minus_x, x));
    const L u = expm1(size + size);
    const L t = u / (u + L::broadcast(T(2)));
    return where_positive(x, t, zero - t);
}

}  // namespace emergence::EMERGENCE_LANES
