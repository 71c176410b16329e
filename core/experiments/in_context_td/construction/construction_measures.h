#pragma once
// Numerical checks of the constructive proofs of Wang et al. 2025: Theorems 1 to 3, Corollaries 1 to 3.

#include <vector>

#include "core/lab/figures/claims.h"

namespace emergence {

/// Each theorem with its negative controls: flawed constructions that the check must detect.
std::vector<NamedMeasure> construction_measures();

}  // namespace emergence
