#pragma once
// Records a run of experiment "td" in the form in which the published code of Wang et al. 2025 logs it.

#include <vector>

#include "core/experiments/in_context_td/published/published_run.h"
#include "core/lab/metrics.h"
#include "core/lab/snapshot.h"

namespace emergence {

/// Collects the logged steps of all seeds.
class PublishedRecorder {
  public:
    /// Throws InputError unless experiment "td" trains a transformer: that form holds nothing else.
    PublishedRecorder(const std::string& experiment, const Settings& settings);

    /// Adds the weights and scores of a logged step. Skips step 0, because that code logs nothing before the
    /// first MRP, and seeds that failed.
    void add(const Snapshot& snapshot, const MetricHistory& history);

    /// One run per seed, without seeds that failed before their first logged step.
    std::vector<PublishedRun> runs() const;

  private:
    void add_seed(size_t index, const Snapshot& snapshot, const MetricHistory& history);

    std::vector<PublishedRun> runs_;
};

}  // namespace emergence
