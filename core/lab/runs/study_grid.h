#pragma once
// Many runs of one experiment, with their seeds on all cores, for figures of several configurations.

#include "core/lab/jobs/job_grid.h"
#include "core/lab/study.h"

namespace emergence {

struct StudyGrid {
    /// One per configuration; empty if the grid was stopped.
    std::vector<FinishedRun> runs;
    std::vector<JobFailure> failures;
    bool stopped = false;
};

/// Trains every seed of every configuration to its target, each as one job. Configurations of another experiment name
/// it. Each run equals a Run of its settings bit for bit. Throws InputError if settings do not fit the experiment.
StudyGrid run_studies(const ExperimentInfo& experiment, const std::vector<GridConfig>& configs,
                      const GridOptions& options);

}  // namespace emergence
