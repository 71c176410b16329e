#pragma once
// A run of experiment "td", kept as the published code of Wang et al. 2025 would have logged it.

#include <vector>

#include "core/experiments/in_context_td/published_run.h"
#include "core/lab/metrics.h"
#include "core/lab/snapshot.h"

namespace emergence {

class AuthorsRecorder {
  public:
    /// Throws InputError unless these are settings of a transformer's training: that code's form has no place
    /// for others.
    AuthorsRecorder(const std::string& experiment, const Settings& settings);

    /// The run as it is at a logged step: its weights, and the history up to there. That code logs nothing
    /// before the first MRP, so step 0 is passed over; and nothing of a seed that has failed.
    void add(const Snapshot& snapshot, const MetricHistory& history);

    /// One run a seed. A seed that failed before anything was logged is left out.
    std::vector<AuthorsRun> runs() const;

  private:
    void add_seed(size_t index, const Snapshot& snapshot, const MetricHistory& history);

    std::vector<AuthorsRun> runs_;
};

}  // namespace emergence
