#pragma once
// The distribution of environments for training a network.

#include <array>

#include "core/tasks/bandit.h"

namespace emergence {

/// The frequencies b of training cosines, and their phases: b ~ U(0, max_frequency) or one of the paper's four; the
/// phase uniform or always 0.
enum class CosineTraining { continuous, continuous_one_phase, four, four_any_phase };
constexpr bool has_four_frequencies(CosineTraining cosines) {
    return cosines == CosineTraining::four || cosines == CosineTraining::four_any_phase;
}

/// The parameters of the distribution.
struct BanditFamily {
    int rounds = 200, d = 32, arms = 10;
    double noise = 1.5;
    // Shares of the kinds, in the order of BanditKind; their sum is 1.
    std::array<double, 4> shares = {1.0, 0.0, 0.0, 0.0};
    // Cosine. Continuous frequencies go up to `max_frequency`, and b = 0 with probability `stationary`.
    CosineTraining cosines = CosineTraining::continuous;
    double max_frequency = 0.022;
    double stationary = 0.15;
    // Abrupt: J uniform in 1 .. max_segments.
    int max_segments = 8;
    // Drift: angle ~ U(0, max_angle), radians.
    double max_angle = 8.0;
};

/// The training frequencies of Section 5, Chen et al. 2025.
constexpr std::array<double, 4> kPaperFrequencies = {0.005, 0.01, 0.015, 0.02};

/// The options of environment number `index` of the family in the world `seed`. Pass the same two numbers to
/// draw_bandit().
BanditOptions draw_bandit_options(const BanditFamily& family, uint64_t seed, uint32_t index);

}  // namespace emergence
