#pragma once
// Experiment "td" with parts that a program brings.

#include "core/lab/study.h"
#include "core/tasks/task.h"
#include "core/training/multi_task_td.h"

namespace emergence {

/// Each may be empty.
struct OwnTd {
    std::shared_ptr<const OwnLoss> loss;
    /// See TaskOptions::own; of the settings' number of features.
    decltype(TaskOptions::own) world;
};

/// The experiment whose networks learn with these parts. Emergence is judged as with the setting `loss`. Its settings do not
/// tell that they were there: a run of it must not be saved as one of "td".
ExperimentInfo td_with(const OwnTd& own);

}  // namespace emergence
