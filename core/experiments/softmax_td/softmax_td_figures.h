#pragma once
// Figures of experiments "softmax-td" and "softmax-construction".

#include <vector>

#include "core/lab/study.h"

namespace emergence {

/// The tables of figures.
std::vector<FigureInfo> softmax_td_figures();
std::vector<FigureInfo> softmax_construction_figures();

/// Figure 5: V, A and kappa while training.
FigureInfo figure_of_scores();
/// Figure 6: masks and mixing.
FigureInfo figure_of_masks();
/// Ours: P or Q is held while the other learns.
FigureInfo figure_of_clamps();

}  // namespace emergence
