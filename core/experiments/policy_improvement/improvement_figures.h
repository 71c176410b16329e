#pragma once
// Figures 2, 3 and 4 of Liang and Lai: both algorithms side by side.

#include <vector>

#include "core/lab/study.h"

namespace emergence {

/// Their presets are of experiment sarsa; actor-critic shares what both have, and not the features.
std::vector<GridFigureInfo> improvement_figures();

/// What keeps SARSA from the oracle (ours): its Q can be any, with as many features as states x actions.
GridFigure figure_improvement_gap(const ExperimentInfo& info, const Settings& preset,
                                  const GridOptions& options);

}  // namespace emergence
