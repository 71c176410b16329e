#pragma once
// Claims of experiments "softmax-td" and "softmax-construction": constructions with their controls, and
// figures.

#include <vector>

#include "core/lab/figures/claims.h"

namespace emergence {

std::vector<Claim> softmax_td_claims();
std::vector<Claim> softmax_construction_claims();

}  // namespace emergence
