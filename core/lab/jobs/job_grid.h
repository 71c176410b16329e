#pragma once
// A grid of jobs (e.g. configurations x seeds) on all cores. The results come in the order of the jobs and do not
// depend on the number of threads, as long as each job computes from its own captures alone.
//
//     std::vector<GridJob<double>> jobs;
//     for (int k : {1, 2, 4})
//         jobs.push_back({fmt::format("K = {}", k), [k](JobHandle& handle) { return score(k, handle); }});
//     const GridResults<double> grid = run_grid(jobs, {.threads = 2});
//
// With a JobFolder each finished job is saved: another start loads it.

#include <atomic>
#include <functional>
#include <limits>
#include <optional>
#include <type_traits>

#include "core/base/array.h"
#include "core/lab/jobs/job_result.h"

namespace emergence {

class JobFolder;

/// The progress of a grid.
struct GridProgress {
    /// As in GridOptions.
    std::string name;
    /// Ended jobs, including failed ones.
    int done = 0;
    int total = 0;
    int failed = 0;
    /// The finished share of the work, 0 to 1, including what running jobs have reported.
    double share = 0.0;
    /// Since the start.
    double seconds = 0.0;
    /// NaN: not yet known.
    double seconds_left = std::numeric_limits<double>::quiet_NaN();
};

struct GridOptions {
    int threads = 1;
    /// The name of the result, for progress reports.
    std::string name = {};
    /// Once true, no further job begins, and running jobs end at their next JobHandle::reached.
    const std::atomic<bool>* stop = nullptr;
    /// Called by one thread at a time, whenever a job reports progress or ends.
    std::function<void(const GridProgress&)> on_progress = {};
    /// Called once if the system starts no more than so many threads.
    std::function<void(int)> on_fewer_threads = {};
    /// Saves results; may be null.
    JobFolder* folder = nullptr;
};

/// A job that threw. The others continue.
struct JobFailure {
    size_t job = 0;
    /// The job's label.
    std::string label;
    /// The message of the exception.
    std::string reason;
};

/// The interface through which a running job reports progress.
class JobHandle {
  public:
    virtual ~JobHandle() = default;
    /// Reports the finished share, 0 to 1, of the job's work. Does not return if the grid has been stopped: it unwinds
    /// the job with an exception. Call it about every second.
    virtual void reached(double share) = 0;
};

template <class Result>
struct GridJob {
    /// Its name in messages: "L = 2, seed 7".
    std::string label;
    std::function<Result(JobHandle&)> work;
    /// Its work relative to other jobs, for the remaining time.
    double weight = 1.0;
    /// All that its result depends on, if that is less than the grid's settings: another grid may have the same job.
    std::string alone = {};
};

template <class Result>
struct GridResults {
    /// One per job; nullopt if it failed or was stopped.
    std::vector<std::optional<Result>> results;
    /// In the order of the jobs.
    std::vector<JobFailure> failures;
    /// The grid was stopped before all jobs ended.
    bool stopped = false;
};

namespace detail {
struct GridOutcome {
    std::vector<JobFailure> failures;
    bool stopped = false;
};
/// `load`: loads a job's result if an earlier start has finished it; empty if no result is saved.
GridOutcome run_jobs(const std::vector<GridJob<void>>& jobs, const GridOptions& options,
                     const std::function<bool(size_t)>& load = {});

/// The jobs of a grid with a JobFolder.
class FolderJobs {
  public:
    using Load = std::function<void(size_t job, const ArrayMap& result)>;
    FolderJobs(JobFolder& folder, std::vector<std::string> labels, std::vector<std::string> alone, Load load);
    void save(size_t job, const ArrayMap& result, double cpu_seconds);
    bool load(size_t job);

  private:
    JobFolder& folder_;
    std::vector<std::string> names_, alone_;
    Load load_;
};
double thread_cpu_seconds();
}  // namespace detail

/// Runs all jobs. Throws InputError for a number of threads outside 1 .. ThreadPool::kMaxThreads, IoError if a result
/// cannot be saved (no further job begins then), and what on_progress throws. check: throws InputError if a result that
/// was loaded from a file is not one of that job, which is then computed.
template <class Result>
GridResults<Result> run_grid(const std::vector<GridJob<Result>>& jobs, const GridOptions& options,
                             const std::type_identity_t<std::function<void(size_t, const Result&)>>& check = {}) {
    GridResults<Result> grid;
    grid.results.resize(jobs.size());
    std::optional<detail::FolderJobs> saved;
    if (options.folder != nullptr) {
        std::vector<std::string> labels, alone;
        for (const auto& job : jobs) {
            labels.push_back(job.label);
            alone.push_back(job.alone);
        }
        saved.emplace(*options.folder, std::move(labels), std::move(alone),
                      [&grid, &check](size_t i, const ArrayMap& arrays) {
                          Result result = result_from_arrays<Result>(arrays);
                          if (check) check(i, result);
                          grid.results[i] = std::move(result);
                      });
    }
    std::vector<GridJob<void>> plain;
    plain.reserve(jobs.size());
    for (size_t i = 0; i < jobs.size(); ++i)
        plain.push_back({jobs[i].label,
                         [&grid, &jobs, &saved, i](JobHandle& handle) {
                             const double start = detail::thread_cpu_seconds();
                             grid.results[i] = jobs[i].work(handle);
                             if (saved)
                                 saved->save(i, result_to_arrays(*grid.results[i]),
                                             detail::thread_cpu_seconds() - start);
                         },
                         jobs[i].weight});
    detail::GridOutcome outcome = detail::run_jobs(
        plain, options, saved ? [&saved](size_t i) { return saved->load(i); } : std::function<bool(size_t)>());
    grid.failures = std::move(outcome.failures);
    grid.stopped = outcome.stopped;
    return grid;
}

}  // namespace emergence
