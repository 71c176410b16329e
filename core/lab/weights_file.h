#pragma once
// What weights.npz holds.

#include <filesystem>

#include "core/lab/snapshot.h"

namespace emergence {

/// The snapshot's weights with its settings and step, so that the file says what made it and opens as a run.
ArrayMap weights_file(const Snapshot& snapshot);

/// Whether the file is an NPZ archive of weights by another program: it has P and Q, and no settings that say
/// what made it. Nothing about whether they are sound.
bool holds_bare_weights(const std::filesystem::path& path);

}  // namespace emergence
