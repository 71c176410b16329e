#pragma once
// A construction against its algorithm over many trials: the two numbers by which every such check is judged.

#include <cstdint>
#include <functional>
#include <vector>

namespace emergence {

/// The relative differences after each layer in trial number `trial`; at least one.
using TrialDifferences = std::function<std::vector<double>(uint32_t trial)>;

/// The largest difference over layers and trials 0 .. trials-1: a right construction leaves rounding.
double largest_difference_in(int trials, const TrialDifferences& differences);
/// The minimum over trials of the largest difference over layers: a flaw must show in every trial.
double least_difference_in(int trials, const TrialDifferences& differences);

}  // namespace emergence
