#pragma once
// A grid of jobs (configurations x seeds, say) on all cores, each with a result of its own type. The results
// are in the order of the jobs and do not depend on the number of threads, as long as a job computes from
// what it was made with alone.
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

/// How far a grid is.
struct GridProgress {
    std::string name;  // of what is being made, as in GridOptions
    int done = 0;      // jobs that have ended, those that failed among them
    int total = 0;
    int failed = 0;
    double share = 0.0;    // of the work, running jobs counted by what they have told
    double seconds = 0.0;  // since the start
    double seconds_left = std::numeric_limits<double>::quiet_NaN();  // NaN: nothing is known yet
};

struct GridOptions {
    int threads = 1;
    std::string name = {};
    const std::atomic<bool>* stop =
        nullptr;  // set: no further job begins, running ones end at their next word
    /// Called by one thread at a time, whenever a job tells of itself or ends.
    std::function<void(const GridProgress&)> on_progress = {};
};

/// A job that threw: the others are not lost.
struct JobFailure {
    size_t job = 0;
    std::string label;   // the job's
    std::string reason;  // the exception's message
};

/// What a running job may tell.
class JobHandle {
  public:
    virtual ~JobHandle() = default;
    /// This share, 0 to 1, of the job's work is done. Does not return where the grid has been stopped: call
    /// it every second or so.
    virtual void reached(double share) = 0;
};

template <class Result>
struct GridJob {
    std::string label;  // names it in messages: "L = 2, seed 7"
    std::function<Result(JobHandle&)> work;
    double weight = 1.0;  // of its work beside the others', for the time that is left
};

template <class Result>
struct GridResults {
    std::vector<std::optional<Result>> results;  // one a job; none where it failed or was stopped
    std::vector<JobFailure> failures;            // in the order of the jobs
    bool stopped = false;                        // before all were done
};

namespace detail {
struct GridOutcome {
    std::vector<JobFailure> failures;
    bool stopped = false;
};
GridOutcome run_jobs(const std::vector<GridJob<void>>& jobs, const GridOptions& options);
}  // namespace detail

/// Runs all jobs. Throws InputError for a number of threads that is not allowed, and what on_progress throws.
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
