#pragma once
// What Wang et al. 2025 prove by construction, checked in numbers: Theorems 1 to 3, Corollaries 1 to 3.

#include <vector>

#include "core/lab/claims.h"

namespace emergence {

/// Each theorem with its negative controls, which must fail for the check to mean anything.
std::vector<Claim> construction_claims();

}  // namespace emergence
