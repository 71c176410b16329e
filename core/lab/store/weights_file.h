#pragma once
// The contents of weights.npz.

#include <filesystem>

#include "core/lab/snapshot.h"

namespace emergence {

/// The snapshot's weights with its settings and step, so that the file tells its origin and opens as a run. For each
/// matrix with a sign symmetry, "sign_NAME" holds one sign per seed: pictures and metrics multiply the matrix by it.
ArrayMap weights_file(const Snapshot& snapshot);

/// True if the file holds weights from another program: an NPZ archive or a safetensors file with P and Q, but without
/// settings. Does not check the arrays' shapes.
bool holds_bare_weights(const std::filesystem::path& path);

}  // namespace emergence
