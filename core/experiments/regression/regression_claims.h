#pragma once
// Claims about experiment "regression", with their sources and measurements.

#include <vector>

#include "core/lab/figures/claims.h"

namespace emergence {

std::vector<Claim> regression_claims();

}  // namespace emergence
