#pragma once
// Figures 2, 3 and 4 of Liang and Lai: both algorithms side by side.

#include "core/lab/study.h"

namespace emergence {

/// Their presets are of experiment sarsa; actor-critic takes the settings that both have, except alpha and d.
std::vector<FigureInfo> improvement_figures();
/// SARSA's settings for actor-critic, except alpha and d, whose defaults are its own.
Settings for_actor_critic(const ExperimentInfo& info, const Settings& sarsa);

/// The same with thirty seeds, in small MDPs.
FigureInfo figure_of_policy_seeds();

}  // namespace emergence
