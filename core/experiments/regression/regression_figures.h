#pragma once
// Figures 1 to 4 of Ahn et al. 2023, and Theorems 1 and 3 as pictures.

#include "core/lab/study.h"

namespace emergence {

std::vector<FigureInfo> regression_figures();

}  // namespace emergence
