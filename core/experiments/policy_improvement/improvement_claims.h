#pragma once
// Claims of experiments "sarsa" and "actor-critic".

#include <vector>

#include "core/lab/figures/claims.h"
#include "core/tasks/improvement_sizes.h"

namespace emergence {

std::vector<Claim> improvement_claims(Improvement algorithm);

}  // namespace emergence
