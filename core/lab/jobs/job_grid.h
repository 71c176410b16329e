#pragma once
// Grids of jobs, whose results are kept in a folder.

#include <atomic>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/base/array.h"

namespace emergence {

// The finished jobs of a folder's grids, one file for each. An interrupted figure of many runs resumes from them.

/// A name for any text, 16 hexadecimal digits; the same text always has the same name.
std::string name_of_text(const std::string& text);

inline constexpr const char* kJobsFolder = "jobs";

/// Safe on any thread.
class JobFolder {
  public:
    /// identity: what the results depend on (settings, version and commit). Jobs of another identity are ignored.
    JobFolder(std::filesystem::path folder, std::string identity)
        : folder_(std::move(folder)), identity_(std::move(identity)) {}

    /// A finished job's result; nullopt if the job is unfinished or its file damaged.
    std::optional<ArrayMap> load(const std::string& job);
    /// Throws IoError.
    void save(const std::string& job, const ArrayMap& result, double cpu_seconds);
    /// The processor time that the loaded jobs once took.
    double loaded_cpu_seconds() const;

  private:
    std::filesystem::path file_of(const std::string& job) const;

    std::filesystem::path folder_;
    std::string identity_;
    mutable std::mutex mutex_;
    double loaded_seconds_ = 0.0;
};

// A grid of jobs (e.g. configurations x seeds) on all cores. The results come in the order of the jobs and do not
// depend on the number of threads, as long as each job computes from its own captures alone.
//
//     std::vector<double> scores(3);
//     run_jobs({"K = 1", "K = 2", "K = 4"}, {.threads = 2},
//              [&](size_t i, const Reached& reached) { scores[i] = score(1 << i, reached); });

struct GridProgress {
    /// As in GridOptions.
    std::string name;
    /// Ended jobs, including failed ones.
    int done = 0;
    int total = 0;
    int failed = 0;
    /// The finished share of the work, 0 to 1, including what running jobs have reported.
    double share = 0.0;
    /// Seconds since the start.
    double seconds = 0.0;
    /// NaN while unknown.
    double seconds_left = std::numeric_limits<double>::quiet_NaN();
};

/// A part of a grid, for another process that asks for it: emergence.sweep(executor=...) of the Python module.
struct GridPart {
    /// The labels of the jobs to do. If empty, no job is done, and `missing` lists those that are not finished yet.
    std::set<std::string> labels = {};
    std::vector<std::string> missing = {};
    /// The time that the jobs took.
    double seconds = 0.0;
};

struct GridOptions {
    int threads = 1;
    /// The name of the result, for progress reports.
    std::string name = {};
    /// Once it is true, no further job begins, and running jobs end when they next report progress.
    const std::atomic<bool>* stop = nullptr;
    /// Called by one thread at a time, whenever a job reports progress or ends.
    std::function<void(const GridProgress&)> on_progress = {};
    /// Called once, with the number of threads, if the system starts fewer than asked for.
    std::function<void(int)> on_fewer_threads = {};
    /// Saves trained seeds, which another start loads; may be null.
    JobFolder* folder = nullptr;
    /// Null: the whole grid. With a part, on one thread, the grid ends as if stopped unless nothing is missing.
    GridPart* part = nullptr;
};

/// A job that threw. The others continue.
struct JobFailure {
    /// The job's label.
    std::string label;
    /// The message of the exception.
    std::string reason;
};

/// Reports the finished share, 0 to 1, of a running job's work. Does not return if the grid has been stopped: it
/// unwinds the job with an exception. A job calls it about every second.
using Reached = std::function<void(double share)>;

/// How a grid ended.
struct GridOutcome {
    std::vector<JobFailure> failures;
    /// The grid was stopped before all jobs ended.
    bool stopped = false;
};

/// Does the work of the job at each place. load: loads what an earlier start has finished, and says whether there was
/// such a result; may be empty. Throws InputError for a number of threads outside 1 .. ThreadPool::kMaxThreads, IoError
/// if a result cannot be saved (no further job begins then), and what on_progress throws.
GridOutcome run_jobs(const std::vector<std::string>& labels, const GridOptions& options,
                     const std::function<void(size_t, const Reached&)>& work,
                     const std::function<bool(size_t)>& load = {});

/// Measures the time since its construction.
class Stopwatch {
  public:
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
    /// The processor time of all threads of this process, and what was added.
    double cpu_seconds() const {
        return added_ + static_cast<double>(std::clock() - cpu_start_) / static_cast<double>(CLOCKS_PER_SEC);
    }
    /// Adds the time of jobs that other processes or earlier starts have computed.
    void add_cpu_seconds(double seconds) { added_ += seconds; }

  private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::clock_t cpu_start_ = std::clock();
    double added_ = 0.0;
};

}  // namespace emergence
