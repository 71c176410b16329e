#pragma once
// What `verify` measures for experiment "regression".

#include <vector>

#include "core/lab/figures/claims.h"

namespace emergence {

std::vector<NamedMeasure> regression_measures();

}  // namespace emergence
