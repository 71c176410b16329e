#pragma once
// A Run owns K seeds of a study, advances all of them to the same step on a thread pool and merges in seed order. It
// has no thread and no clock; a headless caller drives it like this:
//
//     ThreadPool pool(threads);
//     Run run(info.make(settings), pool);
//     log(run.advance_to(0));                                          // the rows of step 0
//     while (!run.finished()) log(run.advance_to(run.step() + 100));   // stops at the target
//     const Snapshot last = run.snapshot();

#include <atomic>

#include "core/files/text.h"
#include "core/lab/metrics.h"
#include "core/lab/study.h"

namespace emergence {

class ThreadPool;

class Run {
  public:
    /// Makes the seeds. `pool` must outlive the run. Throws what Study::make_seed throws.
    Run(std::shared_ptr<Study> study, ThreadPool& pool);
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    /// Advances every live seed to `step`, at most to the study's target, each on one thread. Returns the rows, sorted
    /// by step, then seed. Rows and states do not depend on the number of threads or on how calls divide the steps. A
    /// seed whose advance throws fails, with the exception's message as the reason. Throws IoError if the machine has no
    /// more memory: from then on the run can neither be advanced nor saved.
    std::vector<MetricRow> advance_to(int64_t step);

    int64_t step() const { return step_; }
    /// True at the target, or if all seeds have failed.
    bool finished() const;
    int num_seeds() const { return static_cast<int>(seeds_.size()); }
    int num_failed() const;
    /// The experiment's status of seed `index`; a thrown exception counts as a failure.
    SeedStatus seed_status(int index) const;

    Study& study() { return *study_; }
    const Study& study() const { return *study_; }
    /// For readers that may outlive the run.
    std::shared_ptr<const Study> shared_study() const { return study_; }
    const Experiment& seed(int index) const { return *seeds_[index]; }
    /// The present moment, without run_number and status.
    Snapshot snapshot() const;
    /// The same for storage: see Study::outline.
    Snapshot outline() const;
    void set_live(const Settings& settings);

    /// The state of each seed.
    std::vector<ArrayMap> save() const;
    /// Resumes from `states`. Throws InputError if they do not fit, and then leaves the run unchanged.
    void load(const std::vector<ArrayMap>& states);

  private:
    bool is_live(size_t index) const { return !thrown_[index] && !seeds_[index]->failed(); }
    std::vector<const Experiment*> all_seeds() const;
    Snapshot completed(Snapshot snapshot) const;
    void advance_seed(size_t index, int64_t step, std::vector<MetricRow>& rows);
    void refuse_torn() const;

    std::shared_ptr<Study> study_;
    ThreadPool& pool_;
    std::vector<std::unique_ptr<Experiment>> seeds_;
    // Per seed: the message of the exception that its advance threw.
    std::vector<std::optional<std::string>> thrown_;
    int64_t step_ = 0;
    std::atomic<bool> out_of_memory_ = false;
};

/// Throws InputError, with a log interval that would do, if a file of `most_bytes`, a checkpoint or a job's result, cannot
/// hold the rows that so many seeds log up to step `target`.
void check_rows_fit(const Study& study, int seeds, int64_t target, size_t most_bytes = kMostArrayBytes);

}  // namespace emergence
