#pragma once
// The classical algorithms' constants, chosen on a validation stream of environments that is shown nowhere.

#include <vector>

#include "core/algorithms/bandit_algorithms.h"

namespace emergence {

/// The stream's environments, in order: 32 of the kind at d = 32, A = 10 and noise 1.5. Cosine: T = 200, b
/// evenly over 0 .. 0.022; T = 1,000 elsewhere; abrupt: J = 2, 4, 8, 16 in turn; drift: 2, 5, 10, 20 radians
/// in turn.
std::vector<BanditOptions> validation_environments(BanditKind kind);

/// Mean regret of an algorithm over that stream.
double validation_regret(BanditKind kind, BanditAlgorithm algorithm, const BanditConstants& constants);

/// For each algorithm the constants of a fixed grid with the least regret there: LinUCB's alpha, TS's v, the
/// window and the discount each with its alpha, and MASTER's q with its alpha over LinUCB. Takes 20 s of one
/// core.
BanditConstants tune_bandits(BanditKind kind);

}  // namespace emergence
