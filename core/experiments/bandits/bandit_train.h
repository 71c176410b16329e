#pragma once
// Experiment "bandit-train": a causal transformer learns to play non-stationary bandits by imitating an
// oracle (Section 5 of Chen, Ito and Imaizumi 2025).

#include "core/experiments/bandits/bandit_train_fields.h"
#include "core/lab/study.h"

namespace emergence {

/// The experiment's entry in the registry.
ExperimentInfo bandit_train();

}  // namespace emergence
