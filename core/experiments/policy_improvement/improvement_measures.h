#pragma once
// What `verify` measures for experiments "sarsa" and "actor-critic".

#include <vector>

#include "core/lab/figures/claims.h"
#include "core/tasks/improvement_sizes.h"

namespace emergence {

std::vector<NamedMeasure> improvement_measures(Improvement algorithm);

}  // namespace emergence
