#include "core/base/rng.h"

#include <Random123/philox.h>

#include <cmath>
#include <numbers>

namespace emergence {

Stream::Stream(uint64_t seed, Purpose purpose, uint32_t index, uint32_t sub_index)
    : key_{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)},
      counter_{0, sub_index, index, static_cast<uint32_t>(purpose)} {}

void Stream::refill() {
    const r123::Philox4x32::ctr_type counter = {{counter_[0], counter_[1], counter_[2], counter_[3]}};
    const r123::Philox4x32::key_type key = {{key_[0], key_[1]}};
    const auto block = r123::Philox4x32{}(counter, key);
    for (size_t i = 0; i < 4; ++i) block_[i] = block[i];
    ++counter_[0];
    used_ = 0;
}

double Stream::normal() {
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

uint64_t derive_seed(uint64_t seed, Purpose purpose) {
    Stream stream(seed, purpose, 0xffffffffU, 0xffffffffU);
    const uint64_t high = stream.bits();
    return (high << 32) | stream.bits();
}

}  // namespace emergence
