#pragma once
// Constructed transformers against their algorithms, layer by layer in double, as in Figure 13 of Wang et al.
// 2025.

#include <cstdint>
#include <vector>

#include "core/measures/construction_trial.h"

namespace emergence {

/// After layer l = 0 .. layers: the value that the transformer predicts, -y_l, the algorithm's, <phi, w_l>,
/// their distance, and the same over |phi| |w_l| (0 where both are 0), which stays meaningful where the
/// iterates grow.
struct LayerDifferences {
    std::vector<double> transformer;
    std::vector<double> algorithm;
    std::vector<double> absolute;
    std::vector<double> relative;
};

/// The largest over layers and trials 0 .. trials-1 of the relative difference.
double largest_difference(const ConstructionOptions& options, uint64_t seed, int trials);
/// The same for the trial that shows it least: a flaw should be seen in every one.
double least_difference(const ConstructionOptions& options, uint64_t seed, int trials);

LayerDifferences construction_difference(const ConstructionOptions& options, const ConstructionTrial& trial);
/// Of trial `number` of that seed.
LayerDifferences construction_difference(const ConstructionOptions& options, uint64_t seed, uint32_t number);

}  // namespace emergence
