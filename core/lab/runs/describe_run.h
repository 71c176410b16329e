#pragma once
// A moment of a run in words: window and command line say the same of the same snapshot.

#include "core/lab/figures/figures.h"
#include "core/pictures/describe.h"

namespace emergence {

/// How far the run is, which seeds have emerged or failed, and the numbers that the experiment names.
Description describe_state(const ExperimentInfo& info, const Snapshot& snapshot);

/// The state, then every picture; those with the ids `first` precede the others, in that order. The id of a matrix
/// stands for all its pictures.
std::vector<Description> describe_run(const ExperimentInfo& info, const Snapshot& snapshot, const ShownPanels& shown,
                                      const std::vector<std::string>& first = {});

}  // namespace emergence
