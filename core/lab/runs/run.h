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
#include "core/lab/jobs/job_grid.h"
#include "core/lab/snapshot.h"
#include "core/lab/study.h"

namespace emergence {

class ThreadPool;

class Run {
  public:
    /// Makes the seeds. `pool` must outlive the run. Throws what Study::make_seed throws.
    Run(std::shared_ptr<Study> study, ThreadPool& pool);

    /// Advances every live seed to `step`, at most to the study's target, each on one thread. Returns the rows, sorted
    /// by step, then seed. Rows and states do not depend on the number of threads or on how calls divide the steps. A
    /// seed whose advance throws fails, with the exception's message as the reason. Throws IoError if the machine has
    /// no more memory: from then on the run can neither be advanced nor saved.
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
    /// The study, for readers that may outlive the run.
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

/// The text whose bytes a saved run holds as numbers. Throws InputError if an entry is not a byte.
std::string saved_text(const Array& array);

/// Throws InputError, with a log interval that would do, if a file of `most_bytes`, a checkpoint or a job's result,
/// cannot hold the rows that so many seeds log up to step `target`.
void check_rows_fit(const Study& study, int seeds, int64_t target, size_t most_bytes = kMostArrayBytes);

// The past moments of a run: snapshots in bounded memory, at regular steps that are thinned as the run grows.

/// Holds the moments at multiples of a stride, and the newest one at any step. Beyond the limits the stride doubles and
/// every other moment goes: the rest are evenly spaced and depend on the steps alone, never on the display.
class SnapshotHistory {
  public:
    using Moment = std::shared_ptr<const Snapshot>;

    /// `interval`: the first stride, in steps, at least 1. At most `most` moments, at least 2, with at most
    /// `most_bytes`; two moments remain even if they take more.
    explicit SnapshotHistory(int64_t interval = 1, size_t most = 256, size_t most_bytes = size_t{1} << 27);

    /// Adds `moment`, of the same run. It replaces moments at the same or a later step, and the newest one if that is
    /// not at a multiple of the stride.
    void add(Moment moment);

    /// The moments, all of one run, in the order of their steps.
    const std::vector<Moment>& moments() const { return moments_; }
    bool empty() const { return moments_.empty(); }
    /// The moment whose step is nearest to `step`, the earlier of two; null if none.
    Moment nearest(int64_t step) const;
    /// The next step after `step` whose moment would stay.
    int64_t next_after(int64_t step) const { return (step / stride_ + 1) * stride_; }
    int64_t stride() const { return stride_; }
    size_t bytes() const { return bytes_; }

  private:
    void thin();

    int64_t stride_;
    size_t most_, most_bytes_;
    std::vector<Moment> moments_;
    size_t bytes_ = 0;
};

// Trains many runs, each seed on its own core, for figures of several configurations.

/// Trains a seed that has logged step 0 to its target, or until it fails, and reports each hundredth.
void train_to(int64_t target, Experiment& seed, std::vector<MetricRow>& rows, const Reached& reached);

struct StudyGrid : GridOutcome {
    std::vector<FinishedRun> runs;  // one for each configuration; empty if the grid was stopped
};

/// Trains every seed of every configuration to its target, each as one job. A configuration of another experiment names
/// it. Each run has the same bits as a Run of its settings. Throws InputError if settings do not fit the experiment.
StudyGrid run_studies(const ExperimentInfo& experiment, const std::vector<GridConfig>& configs,
                      const GridOptions& options);

}  // namespace emergence
