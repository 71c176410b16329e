#pragma once
// Figures and claims of the bandit experiments (Chen, Ito and Imaizumi 2025).

#include <vector>

#include "core/lab/study.h"

namespace emergence {

/// Figure 2: MASTER's instances, with the theory's and with practical constants.
std::vector<GridFigureInfo> bandit_race_figures();
/// Figures 3 to 7.
std::vector<GridFigureInfo> bandit_eval_figures();
/// Our own figure: regret against the amount of non-stationarity and against the rounds.
std::vector<GridFigureInfo> bandit_sweep_figures();

/// Claims of each experiment.
std::vector<Claim> bandit_race_claims();
std::vector<Claim> bandit_eval_claims();
std::vector<Claim> bandit_sweep_claims();

}  // namespace emergence
