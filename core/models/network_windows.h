#pragma once
// Any network as WindowValues, one prompt per lane: the path of nonlinear attention and the recurrent network.
// Linear attention has a faster path (core/models/linear_attention_windows.h).

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/instruction_set.h"
#include "core/models/network_shape.h"
#include "core/models/window_values.h"
#include "core/tasks/phased_trajectory.h"

namespace emergence {

/// The network of the given shape. T: float (any instruction set) or double (generic). layout.context_length must
/// equal the shape's.
template <class T>
std::unique_ptr<WindowValues<T>> make_network_windows(const NetworkShape& shape, const PhasedLayout& layout,
                                                      InstructionSet set = instruction_set());

/// The matrices in the recurrent network's flat weights: W_ax0, W_aa0, b_a0, W_ax1, .., W_o.
std::vector<NamedBlock> rnn_blocks(const NetworkShape& shape);

/// An untrained recurrent network. Its weights are uniform in +-1/sqrt(h), PyTorch's default; the paper gives no
/// initial distribution.
WindowNetwork make_rnn(const NetworkShape& shape, const PhasedLayout& layout, uint64_t seed);

/// Bytes of the tapes of make_network_windows<float>(), which grow with the minibatch.
double network_windows_bytes(const NetworkShape& shape, const PhasedLayout& layout);

}  // namespace emergence
