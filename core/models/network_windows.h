#pragma once
// Any network as WindowValues, prompt by prompt in lanes: the path of nonlinear attention and of the
// recurrent network. Linear attention has a faster one (core/models/linear_attention_windows.h).

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/instruction_set.h"
#include "core/models/network_shape.h"
#include "core/models/window_values.h"
#include "core/tasks/phased_trajectory.h"

namespace emergence {

/// T is float (any instruction set) or double (generic). layout.context_length is the shape's.
template <class T>
std::unique_ptr<WindowValues<T>> make_network_windows(const NetworkShape& shape, const PhasedLayout& layout,
                                                      InstructionSet set = instruction_set());

/// The recurrent network's flat weights: W_ax0, W_aa0, b_a0, W_ax1, .., W_o.
std::vector<NamedBlock> rnn_blocks(const NetworkShape& shape);

/// The recurrent network to be trained. Its weights start uniform in +-1/sqrt(h), PyTorch's default: the
/// paper does not say.
WindowNetwork make_rnn(const NetworkShape& shape, const PhasedLayout& layout, uint64_t seed);

/// Bytes that make_network_windows<float>() takes for what a minibatch's forward pass leaves for backward().
double network_windows_bytes(const NetworkShape& shape, const PhasedLayout& layout);

}  // namespace emergence
