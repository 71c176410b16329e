#pragma once
// The constants of Assumption 1, Liang and Lai, beside those that the library computes.

#include "core/training/teacher_mimicking.h"

namespace emergence {

/// The other constants of Assumption 1 on the sample, for SARSA.
struct Richness {
    // (2) to (4): the least eigenvalues of E q q', of E R'R, over all w at once, and of E b b'.
    double query = 0, regressor = 0, target = 0;
    // (5): the correlation of R U q and W b at (U, W) = (P12*, V21*). With k V21* for some k > 0 that pair is normal to
    // the manifold at every c. Both are proportional to the teacher's update, so it is 1.
    double aligned = 0;
    // The largest correlation of R U q and -W b over the normal pairs: what of (5) its proof needs.
    double cancelling = 0;
};
Richness richness_of(const ImprovementPopulation& population);

}  // namespace emergence
