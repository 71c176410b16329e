#pragma once
// A training of any network.

#include "core/models/network_shape.h"
#include "core/training/multi_task_td.h"

namespace emergence {

/// Trains a network of this shape, whose sizes are those of `options`. Linear attention takes its fast path;
/// attention with another activation starts from the weights that linear attention of the same seed starts
/// from.
MultiTaskTd train_network(const NetworkShape& shape, const MultiTaskTdOptions& options, uint64_t seed);

}  // namespace emergence
