#pragma once
// The constants of the classical algorithms, tuned on validation environments that nothing else uses.

#include <vector>

#include "core/algorithms/bandit_policy.h"

namespace emergence {

/// The 32 validation environments of a kind, with d = 32, A = 10 and noise 1.5. T = 200 for cosine, else 1,000. Cosine:
/// b evenly over 0 .. 0.022; abrupt: J = 2, 4, 8, 16 in turn; drift: 2, 5, 10, 20 radians in turn.
std::vector<BanditOptions> validation_environments(BanditKind kind);

/// For each algorithm the constants with the least regret in a fixed grid: LinUCB's alpha, TS's v, the window and the
/// discount each with an alpha, and MASTER's q with its alpha over LinUCB. Takes some seconds on one core.
BanditConstants tune_bandits(BanditKind kind);

}  // namespace emergence
