#pragma once
// Theorems 1 and 3 of Ahn et al. 2023 as figures of many runs.

#include "core/lab/study.h"

namespace emergence {

/// One layer against the closed form of Eq. (8), for three spectra and three context lengths.
FigureInfo figure_of_theorem_1();
/// Two layers on isotropic data, as trained and in the basis that diagonalises both.
FigureInfo figure_of_theorem_3();

}  // namespace emergence
