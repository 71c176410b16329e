#pragma once
// A Run owns K seeds of a study, advances all of them to the same step on a thread pool and merges in seed
// order.

#include <memory>
#include <vector>

#include "core/runtime/metrics.h"
#include "core/runtime/study.h"

namespace emergence {

class ThreadPool;

class Run {
  public:
    /// `pool` must outlive the run.
    Run(std::unique_ptr<Study> study, ThreadPool& pool);
    ~Run();

    /// Advances every live seed to `step` (at most the study's target), each on one thread. Rows come back
    /// sorted by step, then seed; they, and the seeds' states, do not depend on the number of threads nor on
    /// how the way is cut.
    std::vector<MetricRow> advance_to(int64_t step);

    int64_t step() const { return step_; }
    bool finished() const;  // at the target, or no seed is left
    int num_failed() const;

    Study& study() { return *study_; }
    const Study& study() const { return *study_; }
    const Experiment& seed(int index) const { return *seeds_[static_cast<size_t>(index)]; }
    /// Everything but run_number and status.
    Snapshot snapshot() const;
    void set_live(const Settings& settings);

    std::vector<ArrayMap> save() const;              // one a seed
    void load(const std::vector<ArrayMap>& states);  // throws InputError

  private:
    std::unique_ptr<Study> study_;
    ThreadPool& pool_;
    std::vector<std::unique_ptr<Experiment>> seeds_;
    int64_t step_ = 0;
};

}  // namespace emergence
