#pragma once
// Does the set of Theorem 2, Wang et al. 2025, attract? The theorem says that the expected update does not leave it.
// Beside it the update is linear: its eigenvalues in the directions off the set say whether it returns.

#include "core/measures/invariant_set.h"

namespace emergence {

/// The eigenvalues of the expected update's derivative at `at`, a member of Theta*, among the directions that are
/// normal to Theta* and that updates can move, by ascending real part. Distances fall under small steps if all real
/// parts are negative.
/// moments: averaged over feature maps (FeatureAverage), since else the update leaves Theta*.
Eigen::VectorXcd spectrum_off_invariant_set(const UpdateMoments& moments, const WeightUpdate& at);

}  // namespace emergence
