#pragma once
// The blocks of P and Q, as rows and as columns: phi, gamma phi', R, and with average reward the memory.

#include <vector>

#include "core/pictures/figure_spec.h"

namespace emergence {

inline constexpr int kNowBlock = 0, kNextBlock = 1, kRewardBlock = 2, kMemoryBlock = 3;
inline constexpr const char* kBlockLabels[] = {"\u03c6", "\u03b3\u03c6'", "R"};

/// Average reward discounts nothing: gamma is 1.
inline const char* next_label(bool discounted) { return discounted ? kBlockLabels[kNextBlock] : "\u03c6'"; }

/// The blocks of a prompt without memory, d features per state.
inline std::vector<Block> prompt_blocks(int d, bool discounted = true) {
    return {{kBlockLabels[kNowBlock], d}, {next_label(discounted), d}, {kBlockLabels[kRewardBlock], 1}};
}
/// With memory.
inline std::vector<Block> two_head_blocks(int d, bool discounted) {
    std::vector<Block> blocks = prompt_blocks(d, discounted);
    blocks.push_back({"mem", 1});
    return blocks;
}

}  // namespace emergence
