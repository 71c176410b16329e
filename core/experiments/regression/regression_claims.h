#pragma once
// What is claimed of experiment "regression", by whom, and how it is measured.

#include <vector>

#include "core/lab/claims.h"

namespace emergence {

std::vector<Claim> regression_claims();

}  // namespace emergence
