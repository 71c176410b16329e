#pragma once
// Sixteen virtual SIMD lanes, whatever the instruction set: one register of sixteen floats, or two of eight.
//
// Lane kernels (*_kernels.cpp) are compiled once an instruction set, each time with EMERGENCE_LANES naming a
// namespace of its own, and chosen at run time. Every operation below rounds the same way in each of them:
// products are fused only where fma() is written, and sums over lanes have a fixed order, so that all
// instruction sets give the same bits. Include this header from lane kernels and lane templates only.

#include <cmath>
#include <cstddef>
#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
#include <immintrin.h>
#endif

#ifndef EMERGENCE_LANES
#error "lanes.h belongs into lane kernels: see add_lane_kernels in core/CMakeLists.txt"
#endif

namespace emergence::EMERGENCE_LANES {

/// What every kernel computes with, whatever the registers: prompt i of a group is virtual lane i.
constexpr int kVirtualLanes = 16;
/// What one Lanes holds: a register's worth. A kernel goes through its virtual lanes in kParts parts.
#if defined(__AVX2__) && defined(__FMA__) && !defined(__AVX512F__)
constexpr int kLanes = 8;
#else
constexpr int kLanes = 16;
#endif
constexpr int kParts = kVirtualLanes / kLanes;

/// kLanes values of T. This general form serves doubles everywhere, and floats where there is no wide FMA.
template <class T>
struct Lanes {
    T value[kLanes];

    static Lanes load(const T* source) {
        Lanes r;
        for (int i = 0; i < kLanes; ++i) r.value[i] = source[i];
        return r;
    }
    static Lanes broadcast(T x) {
        Lanes r;
        for (int i = 0; i < kLanes; ++i) r.value[i] = x;
        return r;
    }
    void store(T* target) const {
        for (int i = 0; i < kLanes; ++i) target[i] = value[i];
    }
    friend Lanes operator+(const Lanes& a, const Lanes& b) {
        Lanes r;
        for (int i = 0; i < kLanes; ++i) r.value[i] = a.value[i] + b.value[i];
        return r;
    }
    friend Lanes operator-(const Lanes& a, const Lanes& b) {
        Lanes r;
        for (int i = 0; i < kLanes; ++i) r.value[i] = a.value[i] - b.value[i];
        return r;
    }
    friend Lanes operator*(const Lanes& a, const Lanes& b) {
        Lanes r;
        for (int i = 0; i < kLanes; ++i) r.value[i] = a.value[i] * b.value[i];
        return r;
    }
    /// a * b + c, rounded once.
    friend Lanes fma(const Lanes& a, const Lanes& b, const Lanes& c) {
        Lanes r;
        for (int i = 0; i < kLanes; ++i) r.value[i] = std::fma(a.value[i], b.value[i], c.value[i]);
        return r;
    }
};

#if defined(__AVX512F__)
template <>
struct Lanes<float> {
    __m512 value;

    static Lanes load(const float* source) { return {_mm512_loadu_ps(source)}; }
    static Lanes broadcast(float x) { return {_mm512_set1_ps(x)}; }
    void store(float* target) const { _mm512_storeu_ps(target, value); }
    friend Lanes operator+(const Lanes& a, const Lanes& b) { return {_mm512_add_ps(a.value, b.value)}; }
    friend Lanes operator-(const Lanes& a, const Lanes& b) { return {_mm512_sub_ps(a.value, b.value)}; }
    friend Lanes operator*(const Lanes& a, const Lanes& b) { return {_mm512_mul_ps(a.value, b.value)}; }
    friend Lanes fma(const Lanes& a, const Lanes& b, const Lanes& c) {
        return {_mm512_fmadd_ps(a.value, b.value, c.value)};
    }
};
#elif defined(__AVX2__) && defined(__FMA__)
template <>
struct Lanes<float> {
    __m256 value;

    static Lanes load(const float* source) { return {_mm256_loadu_ps(source)}; }
    static Lanes broadcast(float x) { return {_mm256_set1_ps(x)}; }
    void store(float* target) const { _mm256_storeu_ps(target, value); }
    friend Lanes operator+(const Lanes& a, const Lanes& b) { return {_mm256_add_ps(a.value, b.value)}; }
    friend Lanes operator-(const Lanes& a, const Lanes& b) { return {_mm256_sub_ps(a.value, b.value)}; }
    friend Lanes operator*(const Lanes& a, const Lanes& b) { return {_mm256_mul_ps(a.value, b.value)}; }
    friend Lanes fma(const Lanes& a, const Lanes& b, const Lanes& c) {
        return {_mm256_fmadd_ps(a.value, b.value, c.value)};
    }
};
#endif

template <class T>
inline Lanes<T> zero_lanes() {
    return Lanes<T>::broadcast(T(0));
}

/// Scalars on the heap. Not std::vector: its members, shared by all instruction sets, could be linked from
/// this one's copy.
template <class T>
class ScalarBuffer {
  public:
    explicit ScalarBuffer(size_t size) : data_(new T[size]()) {}
    ~ScalarBuffer() { delete[] data_; }
    ScalarBuffer(const ScalarBuffer&) = delete;
    ScalarBuffer& operator=(const ScalarBuffer&) = delete;
    T* data() const { return data_; }

  private:
    T* data_;
};

/// The sum over the virtual lanes, always in the same order (a binary tree); parts: kParts Lanes.
template <class T>
inline T sum_lanes(const Lanes<T>* parts) {
    T v[kVirtualLanes];
    for (int part = 0; part < kParts; ++part) parts[part].store(v + part * kLanes);
    for (int width = kVirtualLanes / 2; width > 0; width /= 2)
        for (int i = 0; i < width; ++i) v[i] += v[i + width];
    return v[0];
}

}  // namespace emergence::EMERGENCE_LANES
