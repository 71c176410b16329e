#pragma once
// A run whose place another one has taken, and from where it is resumed.

#include <memory>

#include "core/lab/runs/run.h"
#include "core/lab/snapshot.h"
#include "core/lab/store/checkpoint.h"
#include "core/lab/trainer/trainer.h"

namespace emergence {

struct PastRun {
    std::shared_ptr<const SavedRun> saved;  // never null
    MetricHistory history;                  // its rows up to that state, and maybe some more
    std::shared_ptr<const SnapshotHistory> moments;
};

/// The state from which a run with these rows resumes.
std::shared_ptr<const Checkpoint> checkpoint_of(const SavedRun& saved, const MetricHistory& history);

}  // namespace emergence
