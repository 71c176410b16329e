#pragma once
// Experiments "sarsa" and "actor-critic": a linear transformer learns to write a teacher's update of an
// agent's policy, and then improves policies in unseen MDPs (Liang and Lai).

#include "core/lab/study.h"

namespace emergence {

/// The experiments' entries in the registry.
ExperimentInfo sarsa();
ExperimentInfo actor_critic();

}  // namespace emergence
