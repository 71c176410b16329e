#pragma once
// The network that the settings of experiment "td" name, and what theory knows about it.

#include <string>
#include <vector>

#include "core/experiments/in_context_td/td.h"
#include "core/models/network_windows.h"

namespace emergence {

/// The network of these settings; has_theory() says whether theory knows what its weights should be.
NetworkShape network_shape(const InContextTdConfig& config);
bool has_theory(const InContextTdConfig& config);
/// Whether the network has a mask of traces, Corollary 3, or two heads, Theorem 3.
bool has_masks(const InContextTdConfig& config);
/// Whether theory has weights of such a network for the algorithm that the loss names. Theorem 3, average reward, is
/// about two heads and a row of memory.
bool has_target(const InContextTdConfig& config);
/// "transformer" or "RNN".
std::string network_name(const InContextTdConfig& config);
/// Whether P and Q can change their signs together and leave the network as it is.
bool may_flip_signs(const NetworkShape& shape);
/// Whether training leaves the weights of a file or of the start as they are.
bool stands_still(const InContextTdConfig& config);
/// The losses that seeds take in turn: `loss`, then those of `more_losses`. Throws InputError for an unknown one.
std::vector<LossKind> losses_in_turn(const InContextTdConfig& config);

}  // namespace emergence
