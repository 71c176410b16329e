#pragma once
// Constructed transformers against their algorithms, layer by layer in double, as in Figure 13, Wang et al. 2025.

#include <cstdint>
#include <vector>

#include "core/measures/construction_trial.h"

namespace emergence {

/// After layer l = 0 .. layers:
///
///     transformer   -y_l
///     algorithm     <phi, w_l>
///     absolute      |y_l + <phi, w_l>|
///     relative      absolute / (|phi| |w_l|), or 0 if absolute is 0; meaningful also for growing iterates
struct LayerDifferences {
    std::vector<double> transformer;
    std::vector<double> algorithm;
    std::vector<double> absolute;
    std::vector<double> relative;
};

/// The largest relative difference over layers and trials 0 .. trials-1.
double largest_difference(const ConstructionOptions& options, uint64_t seed, int trials);
/// The minimum over trials of the largest relative difference over layers: a flaw must show in every trial.
double least_difference(const ConstructionOptions& options, uint64_t seed, int trials);

/// The differences in one trial.
LayerDifferences construction_difference(const ConstructionOptions& options, const ConstructionTrial& trial);
/// The differences in trial `number` of a seed.
LayerDifferences construction_difference(const ConstructionOptions& options, uint64_t seed, uint32_t number);

}  // namespace emergence
