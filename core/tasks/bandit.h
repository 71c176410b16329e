#pragma once
// Linear bandits whose rewards change while they are played: Section 5 of Chen, Ito and Imaizumi 2025, and
// two kinds with a slider for the amount of change. Everything random is drawn beforehand, so that all
// algorithms meet the same world and the same noise.
//
// Rounds count from 0 here; the paper's t is round + 1.

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/eigen.h"

namespace emergence {

enum class BanditKind {
    cosine,    // "high": r = (mu_a + noise) cos(2 pi b t + phase), the noise inside the bracket
    elevated,  // "low": means scaled to 0 .. 1, plus 3 in windows of rounds
    abrupt,    // J segments of equal length, a new w* each
    drift,     // w_t = w_0 cos(phi_t) + w_1 sin(phi_t), phi_t growing evenly
};

struct BanditOptions {
    BanditKind kind = BanditKind::cosine;
    int rounds = 200;          // T
    int d = 32;                // entries of an action vector
    int arms = 10;             // A
    double noise = 1.5;        // standard deviation, before the environment's scaling
    double frequency = 0.018;  // b, cosine: periods a round
    double phase = 0.0;        // cosine: radians
    int segments = 5;          // J, abrupt
    double angle = 5.0;        // drift: how far w turns over all rounds, radians
    int windows = 2;           // elevated: see elevated_windows()
};

/// A stretch of rounds t, counted from 1 as in the paper, both ends in it.
struct ElevatedWindow {
    int first = 0, last = 0;
};
/// `count` windows that begin evenly spaced in t = 50 .. 649: two are the paper's, [50, 100] and [350, 400];
/// other numbers are ours. Each has 51 rounds, or half of the spacing where that is less. They depend on
/// nothing but `count`: a play that is too short for some of them meets the first ones.
std::vector<ElevatedWindow> elevated_windows(int count);
constexpr int kMostElevatedWindows = 12;

/// One environment, all of it.
struct BanditTrajectory {
    BanditOptions options;
    Eigen::MatrixXd actions;    // A x d: the action vectors x_k, the same in all rounds
    Eigen::MatrixXd gram;       // A x A: actions actions'
    Eigen::MatrixXd means;      // A x T: m_t(k), the expected reward of arm k
    std::vector<double> noise;  // T: what is added to the mean, whichever the arm; scaled
    std::vector<double>
        modifier;               // T: the cosine; what is added (0 or 3); the segment from 0; the angle phi_t
    std::vector<double> best;   // T: max_k m_t(k)
    std::vector<int> best_arm;  // T: argmax_k m_t(k), the first of equal ones
    /// Rounds with which something new begins, without round 0: the cosine's changes of sign, the edges of
    /// the elevated windows, the segments. Drift has none; here, by our own choice, its quarter turns.
    std::vector<int> changes;
    double noise_scale = 0.0;  // standard deviation of the noise after the environment's scaling; the cosine
                               // is taken as 1
    int rounds() const { return static_cast<int>(noise.size()); }
    int arms() const { return static_cast<int>(means.rows()); }
    double reward(int round, int arm) const { return means(arm, round) + noise[static_cast<size_t>(round)]; }
    /// The suboptimality max_k m_t(k) - m_t(arm): what the round adds to the dynamic regret.
    double suboptimality(int round, int arm) const {
        return best[static_cast<size_t>(round)] - means(arm, round);
    }
};

/// Environment number `index` of the world `seed`, written into `trajectory` (whose memory is used again).
/// x_k ~ U[-1, 1]^d, mu = X w*. Cosine and elevated: w* ~ U[0, 1]^d. Abrupt and drift: zero mean, because the
/// common mean of U[0, 1] would hide the changes; entries U[-1, 1] / sqrt(3) (our choice: the spread with
/// which LinUCB has the regrets of our reference). Each arm, each w* and the noise has a stream of its own,
/// so that more rounds, arms or segments extend the same world.
void draw_bandit(const BanditOptions& options, uint64_t seed, uint32_t index, BanditTrajectory& trajectory);

/// Definition 1 on the expected rewards, with the smallest measure that it allows.
struct BanditVariation {
    double amount = 0.0;  // Delta = sum_t max_k |m_t(k) - m_{t+1}(k)|
    int segments = 1;     // J = 1 + the number of rounds before which some m_t(k) changed
};
BanditVariation variation_of(const BanditTrajectory& trajectory);

/// "cosine", "elevated", "abrupt", "drift", in the order of BanditKind.
const std::vector<std::string>& bandit_kind_names();
/// Throws InputError for another name.
BanditKind bandit_kind(const std::string& name);

}  // namespace emergence
