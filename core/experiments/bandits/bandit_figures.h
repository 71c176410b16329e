#pragma once
// Figures of the bandit experiments (Chen, Ito and Imaizumi 2025).

#include "core/lab/study.h"

namespace emergence {

/// Figure 2: MASTER's instances, with the theory's and with practical constants.
FigureInfo figure_of_instances();
/// Figures 3 to 7.
std::vector<FigureInfo> bandit_eval_figures();
/// Our own figure: regret against the amount of non-stationarity and against the rounds.
FigureInfo figure_of_sweeps();

}  // namespace emergence
