#pragma once
// The classical algorithms by name, with their constants: what experiments and figures choose from.

#include <string>
#include <vector>

#include "core/algorithms/bandit_policy.h"

namespace emergence {

enum class BanditAlgorithm {
    uniform,
    linucb,
    thompson,
    sliding_window,
    discounted,
    master_linucb,         // practical constants
    master_thompson,       // practical constants
    master_linucb_theory,  // the theory's constants
    master_thompson_theory,
    oracle_restart,
    cosine_thompson,
};

struct BanditAlgorithmInfo {
    BanditAlgorithm algorithm;
    std::string name;   // "sliding-window"
    std::string label;  // "SW-LinUCB"
    bool oracle;        // knows what a player does not
    /// The stream of its randomness, see policy_stream(). Part of a run's bits: never renumber.
    uint32_t stream;
};
/// In the order of the enum.
const std::vector<BanditAlgorithmInfo>& bandit_algorithms();
const BanditAlgorithmInfo& info_of(BanditAlgorithm algorithm);

/// Streams of policies that are not in the table begin here.
constexpr uint32_t kFirstOtherPolicyStream = 64;

struct BanditConstants {
    double alpha = 1.0;             // LinUCB's confidence width
    double restart_alpha = 1.0;     // the same within MASTER and the oracle's restarts
    double v = 0.3;                 // Thompson sampling's variance
    int window = 20;                // rounds, sliding-window LinUCB
    double window_alpha = 1.0;      // its confidence width
    double discount = 0.9;          // gamma, discounted LinUCB
    double discounted_alpha = 1.0;  // its confidence width
    double probability = 0.0;       // q, practical MASTER
    bool operator==(const BanditConstants&) const = default;
};

std::unique_ptr<BanditPolicy> make_policy(BanditAlgorithm algorithm, const BanditConstants& constants);

/// Whether the algorithm is defined for such environments: the one that knows the cosine needs one.
bool applies_to(BanditAlgorithm algorithm, BanditKind kind);

/// One play of one environment: the arms, round by round, and the dynamic regret up to and including each
/// round, sum_t (max_k m_t(k) - m_t(a_t)). Both are as long as there are rounds.
struct BanditPlay {
    std::vector<int> arms;
    std::vector<double> regret;
};
/// Plays `world` from its first to its last round; `play`'s memory is used again.
void play_bandit(const BanditTrajectory& world, BanditPolicy& policy, Stream& random, BanditPlay& play);

}  // namespace emergence
