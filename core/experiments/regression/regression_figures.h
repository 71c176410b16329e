#pragma once
// Figures 1 to 4 of Ahn et al. 2023, and Theorems 1 and 3 as pictures.

#include <vector>

#include "core/lab/study.h"

namespace emergence {

/// Figures of one run each.
std::vector<FigureInfo> regression_figures();
/// Figures of many runs.
std::vector<GridFigureInfo> regression_grid_figures();

}  // namespace emergence
