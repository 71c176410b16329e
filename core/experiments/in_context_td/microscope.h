#pragma once
// The microscope of experiment "td": the drawn world's prompt with the chosen state as its query, layer by
// layer, through the learned or the constructed network.

#include <vector>

#include "core/experiments/in_context_td/own_world.h"
#include "core/measures/td_trace.h"

namespace emergence {

/// Whether there is one: attention, and the settings ask for it.
bool has_microscope(const InContextTdConfig& config);

/// A seed's prompt as the settings ask for it: microscope_of the learned network, or of Theorem 1's with
/// C = alpha I, both beside batch TD with the seed's trained alpha.
TdTrace microscope_trace(const InContextTdConfig& config, const TdWorld& world, const TdWorldContext& context,
                         const LearnedWeights& seed);

/// Adds Z_l, the attention, the Gram matrix, all layers' implicit weights and TD errors beside batch TD's,
/// the chosen layer's weights and the values by layer as plots, and what the up and down keys step through.
void add_microscope(const InContextTdConfig& config, const TdWorld& world, const TdWorldContext& context,
                    const std::vector<LearnedWeights>& seeds, Snapshot& snapshot);

}  // namespace emergence
