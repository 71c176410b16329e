#pragma once
// Lanes in WebAssembly's registers of 128 bits. Included by lanes.h instead of its general form.
//
// WebAssembly has no fused multiply-add: here fma() rounds the product and then the sum, so that a browser's bits differ
// from the desktop's (assets/handbook/browser.md: by how much). With EMERGENCE_EXACT_FMA it rounds once, at a sixth of
// the speed: the desktop's bits.

#include <wasm_simd128.h>

namespace emergence::EMERGENCE_LANES {

#ifdef EMERGENCE_EXACT_FMA
// Two lanes of a * b + c, of which a float keeps what one rounding leaves. The product of two floats is exact. Their sum
// is rounded to odd: where it is inexact and even, one bit towards what was lost, so that the second rounding sees it.
inline v128_t product_and_sum(v128_t a, v128_t b, v128_t c) {
    const v128_t product = wasm_f64x2_mul(a, b);
    const v128_t sum = wasm_f64x2_add(product, c);
    const v128_t of_c = wasm_f64x2_sub(sum, product);
    const v128_t lost = wasm_f64x2_add(wasm_f64x2_sub(product, wasm_f64x2_sub(sum, of_c)), wasm_f64x2_sub(c, of_c));
    const v128_t none = wasm_f64x2_const_splat(0.0);
    const v128_t inexact = wasm_v128_or(wasm_f64x2_lt(lost, none), wasm_f64x2_gt(lost, none));
    const v128_t odd = wasm_i64x2_shr(wasm_i64x2_shl(sum, 63), 63);  // of odd sums all bits
    const v128_t inward = wasm_i64x2_shr(wasm_v128_xor(sum, lost), 63);
    const v128_t step = wasm_v128_or(inward, wasm_i64x2_const_splat(1));  // -1 or 1, of the sum's magnitude
    return wasm_i64x2_add(sum, wasm_v128_and(step, wasm_v128_andnot(inexact, odd)));
}

inline v128_t joined(v128_t low, v128_t high) {
    return wasm_i32x4_shuffle(wasm_f32x4_demote_f64x2_zero(low), wasm_f32x4_demote_f64x2_zero(high), 0, 1, 4, 5);
}

// Two roundings differ from one only where the first ends halfway between two floats, or below the normal ones.
inline v128_t doubtful(v128_t sum) {
    const v128_t halfway =
        wasm_i64x2_eq(wasm_v128_and(sum, wasm_i64x2_const_splat(0x1FFFFFFF)), wasm_i64x2_const_splat(0x10000000));
    return wasm_v128_or(halfway, wasm_f64x2_lt(wasm_f64x2_abs(sum), wasm_f64x2_const_splat(0x1p-126)));
}

__attribute__((noinline)) inline v128_t slow_fma(v128_t al, v128_t ah, v128_t bl, v128_t bh, v128_t cl, v128_t ch) {
    return joined(product_and_sum(al, bl, cl), product_and_sum(ah, bh, ch));
}

inline v128_t exact_fma(v128_t a, v128_t b, v128_t c) {
    const auto high = [](v128_t x) { return wasm_f64x2_promote_low_f32x4(wasm_i32x4_shuffle(x, x, 2, 3, 2, 3)); };
    const v128_t al = wasm_f64x2_promote_low_f32x4(a), bl = wasm_f64x2_promote_low_f32x4(b),
                 cl = wasm_f64x2_promote_low_f32x4(c);
    const v128_t ah = high(a), bh = high(b), ch = high(c);
    const v128_t low = wasm_f64x2_add(wasm_f64x2_mul(al, bl), cl), upper = wasm_f64x2_add(wasm_f64x2_mul(ah, bh), ch);
    if (__builtin_expect(wasm_v128_any_true(wasm_v128_or(doubtful(low), doubtful(upper))), 0))
        return slow_fma(al, ah, bl, bh, cl, ch);
    return joined(low, upper);
}
#endif

template <class T>
struct Lanes {
    static constexpr bool kSingle = sizeof(T) == 4;
    static constexpr int kWidth = 16 / static_cast<int>(sizeof(T));
    static constexpr int kRegisters = kLanes / kWidth;
    typedef T Register __attribute__((vector_size(16)));
    Register part[kRegisters];

    static Lanes load(const T* source) {
        return each([=](int i) { return (Register)wasm_v128_load(source + kWidth * i); });
    }
    static Lanes broadcast(T x) {
        return each([=](int) { return x - Register{}; });
    }
    void store(T* target) const {
        for (int i = 0; i < kRegisters; ++i) wasm_v128_store(target + kWidth * i, (v128_t)part[i]);
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
    friend Lanes fma(const Lanes& a, const Lanes& b, const Lanes& c) {
#ifdef EMERGENCE_EXACT_FMA
        return each([&](int i) {
            if constexpr (kSingle) return (Register)exact_fma((v128_t)a.part[i], (v128_t)b.part[i], (v128_t)c.part[i]);
            Register r;
            for (int k = 0; k < kWidth; ++k) r[k] = std::fma(a.part[i][k], b.part[i][k], c.part[i][k]);
            return r;
        });
#else
        return a * b + c;
#endif
    }
    friend Lanes sqrt(const Lanes& a) {
        return each([&](int i) {
            const auto x = (v128_t)a.part[i];
            return (Register)(kSingle ? wasm_f32x4_sqrt(x) : wasm_f64x2_sqrt(x));
        });
    }
    // pmax(x, y) is x < y ? y : x, and pmin(x, y) is y < x ? y : x.
    friend Lanes max(const Lanes& a, const Lanes& b) {
        return each([&](int i) {
            const auto x = (v128_t)b.part[i], y = (v128_t)a.part[i];
            return (Register)(kSingle ? wasm_f32x4_pmax(x, y) : wasm_f64x2_pmax(x, y));
        });
    }
    friend Lanes min(const Lanes& a, const Lanes& b) {
        return each([&](int i) {
            const auto x = (v128_t)b.part[i], y = (v128_t)a.part[i];
            return (Register)(kSingle ? wasm_f32x4_pmin(x, y) : wasm_f64x2_pmin(x, y));
        });
    }
    friend Lanes where_positive(const Lanes& x, const Lanes& positive, const Lanes& other) {
        return each([&](int i) {
            return (Register)wasm_v128_bitselect((v128_t)positive.part[i], (v128_t)other.part[i],
                                                 (v128_t)(x.part[i] > Register{}));
        });
    }
    friend Lanes power_of_two(const Lanes& shifted) {
        return each([&](int i) {
            const auto x = (v128_t)shifted.part[i];
            return (Register)(kSingle ? wasm_i32x4_shl(wasm_i32x4_add(x, wasm_i32x4_const_splat(127)), 23)
                                      : wasm_i64x2_shl(wasm_i64x2_add(x, wasm_i64x2_const_splat(1023)), 52));
        });
    }

  private:
    template <class Operation>
    static Lanes each(Operation operation) {
        Lanes r;
#pragma clang loop unroll(full)
        for (int i = 0; i < kRegisters; ++i) r.part[i] = operation(i);
        return r;
    }
};

}  // namespace emergence::EMERGENCE_LANES
