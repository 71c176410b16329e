#pragma once
// Linear bandits whose rewards change during play: Section 5, Chen et al. 2025, and two kinds with a slider for the
// amount of change. All random numbers are drawn beforehand, so that all algorithms meet the same world and the same
// noise.
//
// Rounds count from 0 here; the paper's t is round + 1.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/matrix.h"

namespace emergence {

/// How the rewards change.
enum class BanditKind {
    // "high": r = (mu_a + noise) cos(2 pi b t + phase), with the noise inside the bracket.
    cosine,
    // "low": means scaled to 0 .. 1, plus 3 in windows of rounds.
    elevated,
    // J segments of equal length, each with a new w*.
    abrupt,
    // w_t = w_0 cos(phi_t) + w_1 sin(phi_t), where phi_t grows linearly.
    drift,
};

/// The sizes and parameters of one environment.
struct BanditOptions {
    BanditKind kind = BanditKind::cosine;
    int rounds = 200;          // T
    int d = 32;                // entries of an action vector
    int arms = 10;             // A
    double noise = 1.5;        // standard deviation, before the environment's scaling
    double frequency = 0.018;  // Cosine: b, periods per round
    double phase = 0.0;        // Cosine: radians
    int segments = 5;          // Abrupt: J
    double angle = 5.0;        // Drift: the angle that w turns over all rounds, radians
    int windows = 2;           // Elevated: see elevated_windows()
};

/// The rounds t = first .. last, counted from 1 as in the paper.
struct ElevatedWindow {
    int first = 0, last = 0;
};
/// `count` windows that begin evenly spaced in t = 50 .. 649. Two are the paper's, [50, 100] and [350, 400]; other
/// numbers are ours. Each has 51 rounds, or half of the spacing if that is less. They depend on `count` only: a short
/// play meets the first ones.
std::vector<ElevatedWindow> elevated_windows(int count);
constexpr int kMostElevatedWindows = 12;

/// One complete environment.
struct BanditTrajectory {
    BanditOptions options;
    Mat actions;                // A x d: the action vectors x_k, the same in all rounds
    Mat gram;                   // A x A: actions actions'
    Mat means;                  // A x T: m_t(k), the expected reward of arm k
    std::vector<double> noise;  // T: the noise, scaled, the same for every arm
    // T, by kind: the cosine; the elevation (0 or 3); the segment, from 0; the angle phi_t.
    std::vector<double> modifier;
    std::vector<double> best;   // T: max_k m_t(k)
    std::vector<int> best_arm;  // T: argmax_k m_t(k), the first if several are equal
    // The rounds after 0 at which something new begins: changes of the cosine's sign, edges of the elevated windows,
    // segments. Drift has no such rounds; we take its quarter turns.
    std::vector<int> changes;
    // Standard deviation of the noise after the environment's scaling, with the cosine taken as 1.
    double noise_scale = 0.0;
    int rounds() const { return static_cast<int>(noise.size()); }
    int arms() const { return static_cast<int>(means.rows()); }
    double reward(int round, int arm) const { return means(arm, round) + noise[round]; }
    /// The suboptimality max_k m_t(k) - m_t(arm), the round's part of the dynamic regret.
    double suboptimality(int round, int arm) const { return best[round] - means(arm, round); }
};

/// Writes environment number `index` of the world `seed` into `trajectory`, whose memory it reuses. x_k ~ U[-1, 1]^d,
/// mu = X w*. Cosine and elevated: w* ~ U[0, 1]^d. Abrupt and drift: entries U[-1, 1] / sqrt(3), with zero mean,
/// because the common mean of U[0, 1] would hide the changes; the spread is ours, chosen so that LinUCB has the
/// regrets of our reference. Each arm, each w* and the noise has its own stream, so that more rounds, arms or segments
/// extend the same world.
void draw_bandit(const BanditOptions& options, uint64_t seed, uint32_t index, BanditTrajectory& trajectory);

/// The amount of change of the expected rewards, Definition 1, Chen et al. 2025, with the smallest measure it allows.
struct BanditVariation {
    double amount = 0.0;  // Delta = sum_t max_k |m_t(k) - m_{t+1}(k)|
    int segments = 1;     // J = 1 + the number of rounds t at which some m_t(k) differs from m_{t+1}(k)
};
/// Delta and J of one environment.
BanditVariation variation_of(const BanditTrajectory& trajectory);

/// "cosine", "elevated", "abrupt", "drift", in the order of BanditKind.
const std::vector<std::string>& bandit_kind_names();

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
    int windows = 2;         // Elevated: see elevated_windows(). Such environments always change.
    int max_segments = 8;    // Abrupt: J uniform in 1 .. max_segments
    double max_angle = 8.0;  // Drift: angle ~ U(0, max_angle), radians
};

/// The training frequencies of Section 5, Chen et al. 2025.
constexpr std::array<double, 4> kPaperFrequencies = {0.005, 0.01, 0.015, 0.02};

/// The options of environment number `index` of the family in the world `seed`. Pass the same two numbers to
/// draw_bandit().
BanditOptions draw_bandit_options(const BanditFamily& family, uint64_t seed, uint32_t index);

}  // namespace emergence
