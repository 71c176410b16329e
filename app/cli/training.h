#pragma once
// Training without a window: progress, checkpoints, moments and a metrics.csv that grows.

#include <memory>
#include <optional>
#include <string>

#include "app/cli/job.h"
#include "app/cli/progress.h"
#include "core/files/folders.h"
#include "core/lab/runs/run.h"
#include "core/lab/store/moments.h"

namespace emergence::cli {

/// A run with all that it has logged.
struct Recorded {
    Run run;
    MetricHistory history;
    MomentLog moments;
    int64_t target;
    double seconds = 0.0;  // of training, before it was interrupted too
    bool stopped = false;
    std::string emerged_words;  // "" without a rule

    Recorded(std::shared_ptr<Study> study, ThreadPool& pool, const Job& job);

    bool finished() const { return run.finished() || run.step() >= target; }
    int64_t from_step = 0;  // where this session began
};

/// Trains until `recorded` is finished or the environment says stop, from the job's checkpoint if it has one. Shows
/// progress; keeps checkpoint, moments and metrics.csv in the job's folder, of which `lock` is the lock. Throws
/// InputError and IoError.
void train(Recorded& recorded, const Job& job, const FolderLock& lock, const Environment& environment);

/// Writes moments and a checkpoint into the job's folder, and tells the environment how far the run is saved. Throws
/// IoError.
void write_state(const Recorded& recorded, const Job& job, const Environment& environment);

}  // namespace emergence::cli
