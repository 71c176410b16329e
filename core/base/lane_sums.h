#pragma once
// Sums over lanes where a kernel needs many of them.

#include "core/base/lanes.h"

namespace emergence::EMERGENCE_LANES {

/// sum_lanes() in registers, with the same bits.
template <class T>
inline T sum_abreast(const Lanes<T>* parts) {
    return sum_lanes(parts);
}
#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
template <>
inline float sum_abreast<float>(const Lanes<float>* parts) {
    typedef float Four __attribute__((vector_size(16)));
#if defined(__AVX512F__)
    const auto all = parts[0].value;
    const auto eight = __builtin_shufflevector(all, all, 0, 1, 2, 3, 4, 5, 6, 7) +
                       __builtin_shufflevector(all, all, 8, 9, 10, 11, 12, 13, 14, 15);
#else
    const auto eight = parts[0].value + parts[1].value;
#endif
    const Four four =
        __builtin_shufflevector(eight, eight, 0, 1, 2, 3) + __builtin_shufflevector(eight, eight, 4, 5, 6, 7);
    const Four two = four + __builtin_shufflevector(four, four, 2, 3, 2, 3);
    return two[0] + two[1];
}
#endif

}  // namespace emergence::EMERGENCE_LANES
