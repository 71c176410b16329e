#pragma once
// The table of claims of experiment "softmax-td": constructions with their controls, and the figures'.

#include <vector>

#include "core/lab/claims.h"

namespace emergence {

std::vector<Claim> softmax_td_claims();
std::vector<Claim> softmax_construction_claims();

}  // namespace emergence
