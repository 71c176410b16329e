#pragma once
// Weights of experiment "td" to start from, in files.

#include <optional>

#include "core/experiments/in_context_td/seed/td_weights.h"
#include "core/experiments/in_context_td/td.h"

namespace emergence {

/// The weights from which seed number `seed_index` starts; none without the setting `weights`. The file is an
/// NPZ or safetensors with the network's arrays (P and Q: layers x D x D, with or without a leading size for seeds; a run of
/// the published code gives its last logged ones) and, optionally, alpha, which is NaN without. A file of one
/// network serves all seeds. Throws InputError with the file and the array.
std::optional<LearnedWeights> start_weights(const InContextTdConfig& config, int seed_index);

/// Throws InputError if `weights` cannot be used with the other settings.
void check_start(const InContextTdConfig& config);

}  // namespace emergence
