#pragma once
// Batch TD as WindowValues: the algorithm that networks are held against, its step size alpha the only
// weight, trained with the same loss on the same prompts.

#include <memory>

#include "core/base/instruction_set.h"
#include "core/models/window_values.h"
#include "core/tasks/phased_trajectory.h"

namespace emergence {

/// Batch TD(0) with C_l = alpha I, `steps` steps, from w = 0. T is float (any instruction set) or double
/// (generic).
template <class T>
std::unique_ptr<WindowValues<T>> make_batch_td_windows(int d, int steps, const PhasedLayout& layout,
                                                       InstructionSet set = instruction_set());

}  // namespace emergence
