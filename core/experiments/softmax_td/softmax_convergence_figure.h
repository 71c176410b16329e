#pragma once
// Figure and measurements of experiment "softmax-convergence".

#include <vector>

#include "core/lab/study.h"

namespace emergence {

/// Theorem 2 in one figure: error against layers, and floor against context length.
FigureInfo figure_of_convergence();
std::vector<NamedMeasure> softmax_convergence_measures();

}  // namespace emergence
