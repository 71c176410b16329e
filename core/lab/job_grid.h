#pragma once
// A grid of jobs (e.g. configurations x seeds) on all cores. The results come in the order of the jobs and do not
// depend on the number of threads, as long as each job computes from its own captures alone.
//
//     std::vector<GridJob<double>> jobs;
//     for (int k : {1, 2, 4})
//         jobs.push_back({fmt::format("K = {}", k), [k](JobHandle& handle) { return score(k, handle); }});
//     const GridResults<double> grid = run_grid(jobs, {.threads = 2});

#include <atomic>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace emergence {

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
GridOutcome run_jobs(const std::vector<GridJob<void>>& jobs, const GridOptions& options);
}  // namespace detail

/// Runs all jobs. Throws InputError for a number of threads outside 1 .. ThreadPool::kMaxThreads, and what on_progress
/// throws.
template <class Result>
GridResults<Result> run_grid(const std::vector<GridJob<Result>>& jobs, const GridOptions& options) {
    GridResults<Result> grid;
    grid.results.resize(jobs.size());
    std::vector<GridJob<void>> plain;
    plain.reserve(jobs.size());
    for (size_t i = 0; i < jobs.size(); ++i)
        plain.push_back({jobs[i].label,
                         [&grid, &jobs, i](JobHandle& handle) { grid.results[i] = jobs[i].work(handle); },
                         jobs[i].weight});
    detail::GridOutcome outcome = detail::run_jobs(plain, options);
    grid.failures = std::move(outcome.failures);
    grid.stopped = outcome.stopped;
    return grid;
}

}  // namespace emergence
