#pragma once
// The microscope of experiment "td": the drawn world's prompt with the chosen state as its query, layer by
// layer, through the learned or the constructed network.

#include <vector>

#include "core/experiments/in_context_td/seed/td_weights.h"
#include "core/experiments/in_context_td/td.h"
#include "core/experiments/in_context_td/world/own_world.h"
#include "core/measures/td_trace.h"

namespace emergence {

/// Whether the settings ask for the microscope and the model has attention.
bool has_microscope(const InContextTdConfig& config);

/// Traces the prompt through one seed's learned network, or through Theorem 1's construction with C = alpha I
/// (setting microscope_of), beside batch TD with the seed's trained alpha.
TdTrace microscope_trace(const InContextTdConfig& config, const TdWorld& world, const TdWorldContext& context,
                         const LearnedWeights& seed);

/// Adds Z_l, its attention and Gram matrix, the implicit weights and TD errors of all layers beside batch
/// TD's, plots of the chosen layer's weights and of the values by layer, and the range of the up and down
/// keys.
void add_microscope(const InContextTdConfig& config, const TdWorld& world, const TdWorldContext& context,
                    const std::vector<LearnedWeights>& seeds, Snapshot& snapshot);

}  // namespace emergence
