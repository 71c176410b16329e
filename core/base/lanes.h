#pragma once
// Sixteen virtual SIMD lanes on every instruction set: one register of sixteen floats, or several of fewer.
//
// Lane kernels (*_kernels.cpp) are compiled once per instruction set, each time in another namespace EMERGENCE_LANES,
// and chosen at run time. All sets give the same bits: every operation below rounds the same way in each, only fma()
// fuses a product, and sums over lanes have a fixed order. WebAssembly has no fused multiply-add: there fma() rounds
// the product and then the sum, so that a browser's bits differ (assets/handbook/lab/browser.md: by how much). Include
// this header from lane kernels and lane templates only.

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#if defined(__FMA__)
#include <immintrin.h>
#endif

#ifndef EMERGENCE_LANES
#error "lanes.h belongs in lane kernels: see add_lane_kernels in core/CMakeLists.txt"
#endif

namespace emergence::EMERGENCE_LANES {

/// The lanes of every kernel, independent of the registers: prompt i of a group is virtual lane i.
constexpr int kVirtualLanes = 16;
/// The values in one Lanes: one register of floats, or as many doubles. A kernel processes its virtual lanes in kParts
/// parts.
#if defined(__AVX512F__)
constexpr int kRegisterBytes = 64, kLanes = 16;
#elif defined(__FMA__)
constexpr int kRegisterBytes = 32, kLanes = 8;
#elif defined(__wasm_simd128__)
constexpr int kRegisterBytes = 16, kLanes = 4;
#else
constexpr int kRegisterBytes = 16, kLanes = 16;
#endif
constexpr int kParts = kVirtualLanes / kLanes;

/// Adding this to a number of moderate size rounds it to a whole number, held in the low bits of the sum.
/// 1.5 * 2^23 for float, 1.5 * 2^52 for double.
template <class T>
constexpr T kRoundingShift = sizeof(T) == 4 ? T(12582912.0) : T(6755399441055744.0);

/// kLanes values of T.
template <class T>
struct Lanes {
    static constexpr bool kSingle = sizeof(T) == 4;
    static constexpr int kWidth = kRegisterBytes / static_cast<int>(sizeof(T)), kRegisters = kLanes / kWidth;
    using Bit = std::conditional_t<kSingle, int32_t, int64_t>;
    typedef T Register __attribute__((vector_size(kRegisterBytes)));
    typedef Bit Bits __attribute__((vector_size(kRegisterBytes)));
    Register part[kRegisters];

    static Lanes load(const T* source) {
        return each([=](int i) {
            Register r;
            std::memcpy(&r, source + kWidth * i, sizeof r);
            return r;
        });
    }
    static Lanes broadcast(T x) {
        return each([=](int) { return x - Register{}; });
    }
    void store(T* target) const {
        for (int i = 0; i < kRegisters; ++i) std::memcpy(target + kWidth * i, &part[i], sizeof part[i]);
    }
    friend Lanes operator+(const Lanes& a, const Lanes& b) {
        return each([&](int i) { return a.part[i] + b.part[i]; });
    }
    friend Lanes operator-(const Lanes& a, const Lanes& b) {
        return each([&](int i) { return a.part[i] - b.part[i]; });
    }
    friend Lanes operator*(const Lanes& a, const Lanes& b) {
        return each([&](int i) { return a.part[i] * b.part[i]; });
    }
    friend Lanes operator/(const Lanes& a, const Lanes& b) {
        return each([&](int i) { return a.part[i] / b.part[i]; });
    }
    /// a * b + c, rounded once.
    friend Lanes fma(const Lanes& a, const Lanes& b, const Lanes& c) {
        return each([&](int i) { return fused(a.part[i], b.part[i], c.part[i]); });
    }
    friend Lanes sqrt(const Lanes& a) {
        return each([&](int i) { return root(a.part[i]); });
    }
    /// The larger of the two; b if they are equal or one is NaN.
    friend Lanes max(const Lanes& a, const Lanes& b) {
        return each([&](int i) { return larger(a.part[i], b.part[i]); });
    }
    /// The smaller of the two; b if they are equal or one is NaN.
    friend Lanes min(const Lanes& a, const Lanes& b) {
        return each([&](int i) { return smaller(a.part[i], b.part[i]); });
    }
    /// x > 0 ? positive : other.
    friend Lanes where_positive(const Lanes& x, const Lanes& positive, const Lanes& other) {
        return each([&](int i) { return x.part[i] > Register{} ? positive.part[i] : other.part[i]; });
    }
    /// 2^k from kRoundingShift<T> + k, for a whole k in the exponent range of normal numbers.
    friend Lanes power_of_two(const Lanes& shifted) {
        constexpr Bit kBias = kSingle ? 127 : 1023, kMantissa = kSingle ? 23 : 52;
        return each([&](int i) { return (Register)(((Bits)shifted.part[i] + kBias) << kMantissa); });
    }

  private:
    template <class Of>
    static Lanes each(const Of& of) {
        Lanes r;
#pragma GCC unroll 8
        for (int i = 0; i < kRegisters; ++i) r.part[i] = of(i);
        return r;
    }
    static Register fused(Register a, Register b, Register c) {
#if defined(__AVX512F__)
        if constexpr (kSingle) return _mm512_fmadd_ps(a, b, c);
        if constexpr (!kSingle) return _mm512_fmadd_pd(a, b, c);
#elif defined(__FMA__)
        if constexpr (kSingle) return _mm256_fmadd_ps(a, b, c);
        if constexpr (!kSingle) return _mm256_fmadd_pd(a, b, c);
#elif defined(__wasm_simd128__)
        return a * b + c;
#else
        for (int i = 0; i < kWidth; ++i) a[i] = std::fma(a[i], b[i], c[i]);
        return a;
#endif
    }
    // These are masked forms with all lanes on, because GCC 12 warns of uninitialised reads in the unmasked forms. For
    // a constant and floats, GCC emits no maximum instruction by itself.
    static Register larger(Register a, Register b) {
#if defined(__AVX512F__)
        if constexpr (kSingle) return _mm512_maskz_max_ps(0xFFFF, a, b);
#elif defined(__FMA__)
        if constexpr (kSingle) return _mm256_max_ps(a, b);
#endif
        return a > b ? a : b;
    }
    static Register smaller(Register a, Register b) {
#if defined(__AVX512F__)
        if constexpr (kSingle) return _mm512_maskz_min_ps(0xFFFF, a, b);
#elif defined(__FMA__)
        if constexpr (kSingle) return _mm256_min_ps(a, b);
#endif
        return a < b ? a : b;
    }
    static Register root(Register a) {
#if defined(__AVX512F__)
        if constexpr (kSingle) return _mm512_maskz_sqrt_ps(0xFFFF, a);
#elif defined(__FMA__)
        if constexpr (kSingle) return _mm256_sqrt_ps(a);
#endif
        for (int i = 0; i < kWidth; ++i) a[i] = std::sqrt(a[i]);
        return a;
    }
};

template <class T>
inline Lanes<T> zero_lanes() {
    return Lanes<T>::broadcast(T(0));
}

/// Scalars on the heap, initially 0. Not std::vector: all instruction sets share its members, and the linker could
/// choose the copy of a set that the machine does not support.
template <class T>
class ScalarBuffer {
  public:
    explicit ScalarBuffer(size_t size) : size_(size), data_(new (kAlignment) T[size]()) {}
    ~ScalarBuffer() { ::operator delete[](data_, kAlignment); }
    ScalarBuffer(const ScalarBuffer&) = delete;
    ScalarBuffer& operator=(const ScalarBuffer&) = delete;
    T* data() const { return data_; }
    void clear() const { std::memset(data_, 0, size_ * sizeof(T)); }

  private:
    static constexpr std::align_val_t kAlignment{64};  // a cache line, and the widest register
    size_t size_;
    T* data_;
};

/// The sum over the virtual lanes, always in the same order (a binary tree). parts: kParts Lanes.
template <class T>
inline T sum_lanes(const Lanes<T>* parts) {
    T v[kVirtualLanes];
    for (int part = 0; part < kParts; ++part) parts[part].store(v + part * kLanes);
    for (int width = kVirtualLanes / 2; width > 0; width /= 2)
        for (int i = 0; i < width; ++i) v[i] += v[i + width];
    return v[0];
}

}  // namespace emergence::EMERGENCE_LANES

// exp, exp - 1 and tanh of lanes, with the same bits on every instruction set.
//
//     x          = k log 2 + r,        |r| <= log(2) / 2
//     e          = exp(r) - 1
//     exp(x)     = 2^k (1 + e)
//     exp(x) - 1 = 2^k e + (2^k - 1)
//
// e is the Taylor polynomial without its constant term, which keeps its relative accuracy near 0. The error is at most
// 2 units in the last place for exp, 4 for expm1 and tanh (tests/core/base/lanes_test.cpp).

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

/// sum_lanes() in registers, with the same bits.
template <class T>
inline T sum_abreast(const Lanes<T>* parts) {
    return sum_lanes(parts);
}
#if defined(__FMA__)
template <>
inline float sum_abreast<float>(const Lanes<float>* parts) {
    typedef float Four __attribute__((vector_size(16)));
#if defined(__AVX512F__)
    const auto all = parts[0].part[0];
    const auto eight = __builtin_shufflevector(all, all, 0, 1, 2, 3, 4, 5, 6, 7) +
                       __builtin_shufflevector(all, all, 8, 9, 10, 11, 12, 13, 14, 15);
#else
    const auto eight = parts[0].part[0] + parts[1].part[0];
#endif
    const Four four =
        __builtin_shufflevector(eight, eight, 0, 1, 2, 3) + __builtin_shufflevector(eight, eight, 4, 5, 6, 7);
    const Four two = four + __builtin_shufflevector(four, four, 2, 3, 2, 3);
    return two[0] + two[1];
}
#endif

}  // namespace emergence::EMERGENCE_LANES
