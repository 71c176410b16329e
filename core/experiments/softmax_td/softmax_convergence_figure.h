#pragma once
// Figure and claims of experiment "softmax-convergence".

#include <vector>

#include "core/lab/study.h"

namespace emergence {

/// Theorem 2 in one figure: error against layers, and floor against context length.
FigureInfo figure_of_convergence();
std::vector<Claim> softmax_convergence_claims();

}  // namespace emergence
