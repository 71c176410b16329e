#pragma once
// The training of any network by multi-task TD.

#include "core/models/network_shape.h"
#include "core/training/multi_task_td.h"

namespace emergence {

/// The training of a network of this shape, whose sizes must be those of `options`. Linear attention takes its fast
/// path. Attention with any activation has the same initial weights for the same seed.
MultiTaskTd train_network(const NetworkShape& shape, const MultiTaskTdOptions& options, uint64_t seed);

}  // namespace emergence
