#pragma once
// Many runs of one experiment, their seeds on all cores: what figures of several configurations are made of.

#include <string>
#include <vector>

#include "core/lab/job_grid.h"
#include "core/lab/study.h"

namespace emergence {

/// One configuration, with as many seeds as its settings say.
struct GridConfig {
    std::string label;  // "L = 2"
    Settings settings;
};

/// A run at its target. A seed that threw is missing from the snapshot, and has no rows in the history.
struct FinishedRun {
    Snapshot snapshot;
    MetricHistory history;
    std::vector<MetricPlot> plots;  // the study's
};

struct StudyGrid {
    std::vector<FinishedRun> runs;  // one a configuration; empty where the grid was stopped
    std::vector<JobFailure> failures;
    bool stopped = false;
};

/// Trains every seed of every configuration to its target, each as a job of its own. Each run equals, bit for
/// bit, what a Run of its settings gives. Throws InputError where settings do not fit the experiment.
StudyGrid run_studies(const ExperimentInfo& experiment, const std::vector<GridConfig>& configs,
                      const GridOptions& options);

}  // namespace emergence
