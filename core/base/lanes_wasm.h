#pragma once
// Lanes in WebAssembly's registers of 128 bits. Included by lanes.h instead of its general form.
//
// WebAssembly has no fused multiply-add: here fma() rounds the product and then the sum, so that a browser's bits
// differ from the desktop's (assets/handbook/lab/browser.md: by how much).

#include <wasm_simd128.h>

namespace emergence::EMERGENCE_LANES {

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
    friend Lanes fma(const Lanes& a, const Lanes& b, const Lanes& c) { return a * b + c; }
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
