#include <cstdint>

#include "core/base/instruction_set.h"
#include "tests/bench/naive_training.h"
#include "tests/bench/timing.h"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace emergence::bench {
namespace {

// Sixteen independent chains hide the latency of two units; the sum is returned so that nothing is optimised
// away.
#if defined(__x86_64__)
__attribute__((target("avx512f"))) float fma_v4(int64_t rounds) {
    __m512 sum[16];
    for (int i = 0; i < 16; ++i) sum[i] = _mm512_set1_ps(static_cast<float>(i));
    const __m512 a = _mm512_set1_ps(0.999F), b = _mm512_set1_ps(0.001F);
    for (int64_t r = 0; r < rounds; ++r)
#pragma GCC unroll 16
        for (int i = 0; i < 16; ++i) sum[i] = _mm512_fmadd_ps(sum[i], a, b);
    float total[16], all = 0;
    for (int i = 0; i < 16; ++i) {
        _mm512_storeu_ps(total, sum[i]);
        all += total[0];
    }
    return all;
}
__attribute__((target("avx2,fma"))) float fma_v3(int64_t rounds) {
    __m256 sum[12];
    for (int i = 0; i < 12; ++i) sum[i] = _mm256_set1_ps(static_cast<float>(i));
    const __m256 a = _mm256_set1_ps(0.999F), b = _mm256_set1_ps(0.001F);
    for (int64_t r = 0; r < rounds; ++r)
#pragma GCC unroll 12
        for (int i = 0; i < 12; ++i) sum[i] = _mm256_fmadd_ps(sum[i], a, b);
    float total = 0;
    for (int i = 0; i < 12; ++i) total += _mm256_cvtss_f32(sum[i]);
    return total;
}
#endif
float fma_generic(int64_t rounds) {
    float sum[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int64_t r = 0; r < rounds; ++r)
        for (float& s : sum) s = s * 0.999F + 0.001F;
    return sum[0] + sum[7];
}

}  // namespace

double measure_peak_flops(double milliseconds) {
    const InstructionSet set = instruction_set();
    constexpr int64_t kRounds = 20000;
    volatile float sink = 0;
    int64_t rounds = 0;
    double per_round = 8 * 2;
    double seconds = 0;
    do {
        seconds += thread_seconds([&] {
#if defined(__x86_64__)
            if (set == InstructionSet::x86_64_v4) {
                sink = fma_v4(kRounds);
                per_round = 16 * 16 * 2;
            } else if (set == InstructionSet::x86_64_v3) {
                sink = fma_v3(kRounds);
                per_round = 12 * 8 * 2;
            } else
#endif
                sink = fma_generic(kRounds);
        });
        rounds += kRounds;
    } while (seconds * 1e3 < milliseconds);
    (void)set;
    (void)sink;
    return static_cast<double>(rounds) * per_round / seconds;
}

}  // namespace emergence::bench
