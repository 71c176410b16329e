#pragma once
// Batch TD as WindowValues: the reference algorithm for networks. Its only weight is the step size alpha, trained with
// the same loss on the same prompts.

#include <memory>

#include "core/base/instruction_set.h"
#include "core/models/window_values.h"
#include "core/tasks/phased_trajectory.h"

namespace emergence {

/// `steps` steps of batch TD(0), Eq. (8), Wang et al. 2025, with C_l = alpha I from w = 0. T: float (any instruction
/// set) or double (generic).
template <class T>
std::unique_ptr<WindowValues<T>> make_batch_td_windows(int d, int steps, const PhasedLayout& layout,
                                                       InstructionSet set = instruction_set());

}  // namespace emergence
