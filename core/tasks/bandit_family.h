#pragma once
// The distribution of environments that a network is trained on.

#include <array>

#include "core/tasks/bandit.h"

namespace emergence {

struct BanditFamily {
    int rounds = 200, d = 32, arms = 10;
    double noise = 1.5;
    /// Shares of the kinds, in the order of BanditKind; their sum is 1.
    std::array<double, 4> shares = {1.0, 0.0, 0.0, 0.0};
    /// Cosine: b ~ U(0, max_frequency), `stationary` of them b = 0; the phase uniform.
    double max_frequency = 0.022;
    double stationary = 0.15;
    /// Cosine: instead one of the paper's four training frequencies, the phase 0.
    bool four_frequencies = false;
    int max_segments = 8;    // abrupt: J uniform in 1 .. max_segments
    double max_angle = 8.0;  // drift: U(0, max_angle), radians
};

/// The frequencies that Chen et al. 2025 train on, Section 5.
constexpr std::array<double, 4> kPaperFrequencies = {0.005, 0.01, 0.015, 0.02};

/// What environment number `index` of the family in the world `seed` is, to be drawn with the same two
/// numbers.
BanditOptions draw_bandit_options(const BanditFamily& family, uint64_t seed, uint32_t index);

}  // namespace emergence
