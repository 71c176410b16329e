#pragma once
// The linear-attention transformer as WindowValues: the general path of training, for any loss. The TD loss has
// a faster path with the same bits (core/training/td_minibatch.h).

#include <memory>
#include <vector>

#include "core/base/instruction_set.h"
#include "core/models/window_values.h"
#include "core/tasks/phased_trajectory.h"

namespace emergence {

/// The sizes of the transformer and of its minibatches.
struct LinearAttentionShape {
    int d;       // features; P and Q have 2d+1 rows
    int layers;  // L
    int stored;  // 1 (autoregressive) or L (sequential)
    PhasedLayout layout;
};
/// Throws InvariantError for sizes that no kernel has.
void check_shape(const LinearAttentionShape& shape);

/// The matrices in the flat weights: P0, P1, .. then Q0, Q1, .., each (2d+1) x (2d+1).
std::vector<NamedBlock> linear_attention_blocks(int d, int stored);

/// The transformer of the given shape. T: float (any instruction set) or double (generic).
template <class T>
std::unique_ptr<WindowValues<T>> make_linear_attention_windows(const LinearAttentionShape& shape,
                                                               InstructionSet set = instruction_set());

}  // namespace emergence
