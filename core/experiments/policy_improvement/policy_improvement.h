#pragma once
// Experiments "sarsa" and "actor-critic": a linear transformer is trained to write the update that a teacher
// makes of an agent's policy, and then improves policies in MDPs that it has never seen (Liang and Lai).

#include "core/lab/study.h"

namespace emergence {

/// The experiments' entries in the registry.
ExperimentInfo sarsa();
ExperimentInfo actor_critic();

}  // namespace emergence
