#pragma once
// Measurements of constructions of the softmax paper, Theorems 1 and 3, with their controls.

#include <vector>

#include "core/lab/figures/claims.h"

namespace emergence {

std::vector<NamedMeasure> softmax_construction_measures();

}  // namespace emergence
