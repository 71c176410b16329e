#pragma once
// Any network as WindowValues, prompt by prompt in lanes: the path of nonlinear attention and of the
// recurrent network. Linear attention has a faster one (core/models/linear_attention_windows.h).

#include <memory>

#include "core/base/instruction_set.h"
#include "core/models/network_shape.h"
#include "core/models/window_values.h"
#include "core/prompts/phased_trajectory.h"

namespace emergence {

/// T is float (any instruction set) or double (generic). layout.context_length is the shape's.
template <class T>
std::unique_ptr<WindowValues<T>> make_network_windows(const NetworkShape& shape, const PhasedLayout& layout,
                                                      InstructionSet set = instruction_set());

/// Bytes that make_network_windows<float>() takes for what a minibatch's forward pass leaves for backward().
double network_windows_bytes(const NetworkShape& shape, const PhasedLayout& layout);

}  // namespace emergence
