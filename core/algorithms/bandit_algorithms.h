#pragma once
// The classical algorithms by name, with their constants, for experiments and figures.

#include <string>
#include <vector>

#include "core/algorithms/bandit_policy.h"

namespace emergence {

/// MASTER has practical constants, or with _theory those of the theory.
enum class BanditAlgorithm {
    uniform,
    linucb,
    thompson,
    sliding_window,
    discounted,
    master_linucb,
    master_thompson,
    master_linucb_theory,
    master_thompson_theory,
    oracle_restart,
    cosine_thompson,
};

/// One row of the table of algorithms.
struct BanditAlgorithmInfo {
    BanditAlgorithm algorithm;
    std::string name;   // "sliding-window"
    std::string label;  // "SW-LinUCB"
    // Whether it uses knowledge that a player does not have.
    bool oracle;
    // The stream of its random numbers, see policy_stream(). It determines a run's bits: never renumber.
    uint32_t stream;
};
/// All algorithms, in the order of the enum.
const std::vector<BanditAlgorithmInfo>& bandit_algorithms();
/// The row of one algorithm.
const BanditAlgorithmInfo& info_of(BanditAlgorithm algorithm);

/// The first stream for policies outside the table.
constexpr uint32_t kFirstOtherPolicyStream = 64;

/// The constants of all algorithms.
struct BanditConstants {
    // LinUCB: confidence width.
    double alpha = 1.0;
    // LinUCB within MASTER and the oracle's restarts: confidence width.
    double restart_alpha = 1.0;
    // Thompson sampling: variance.
    double v = 0.3;
    // Sliding-window LinUCB: rounds, confidence width.
    int window = 20;
    double window_alpha = 1.0;
    // Discounted LinUCB: gamma, confidence width.
    double discount = 0.9;
    double discounted_alpha = 1.0;
    // Practical MASTER: q.
    double probability = 0.0;
    bool operator==(const BanditConstants&) const = default;
};

/// A player with these constants.
std::unique_ptr<BanditPolicy> make_policy(BanditAlgorithm algorithm, const BanditConstants& constants);

/// Whether the algorithm is defined for this kind: cosine_thompson needs a cosine, all others play any kind.
bool applies_to(BanditAlgorithm algorithm, BanditKind kind);

/// One play of one environment: the arm of each round, and the dynamic regret up to and including each round,
///
///     sum_t (max_k m_t(k) - m_t(a_t))
struct BanditPlay {
    std::vector<int> arms;
    std::vector<double> regret;
};
/// Plays all rounds of `world` into `play`, whose memory it reuses.
void play_bandit(const BanditTrajectory& world, BanditPolicy& policy, Stream& random, BanditPlay& play);

}  // namespace emergence
