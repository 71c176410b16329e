#pragma once
// What weights.npz holds.

#include "core/runtime/snapshot.h"

namespace emergence {

/// The snapshot's weights with its settings and step, so that the file says what made it and opens as a run.
ArrayMap weights_file(const Snapshot& snapshot);

}  // namespace emergence
