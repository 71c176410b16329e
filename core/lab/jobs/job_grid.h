#pragma once
// Results of jobs as arrays, for the files of a JobFolder. A result is made of numbers, or has arrays itself:
//
//     struct Errors {
//         std::vector<double> transformer, zero;
//         double largest = 0;
//         void numbers(auto& list) { list(transformer, zero, largest); }
//     };

#include <algorithm>
#include <atomic>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/array.h"
#include "core/base/error.h"

namespace emergence {

/// The numbers of an object, one after the other, of any depth: numbers, ranges (with their sizes if these can change),
/// and objects with numbers(list). The object lists its members once, for writing and reading.
class NumberList {
  public:
    NumberList() = default;
    explicit NumberList(std::vector<double> values) : values_(std::move(values)), reads_(true) {}

    template <class... Members>
    void operator()(Members&... members) {
        (one(members), ...);
    }
    const std::vector<double>& values() const { return values_; }
    /// Throws InputError unless all numbers have been read.
    void end() const {
        if (at_ != values_.size()) throw InputError("has too many numbers");
    }

  private:
    template <class Member>
    void one(Member& member) {
        if constexpr (std::is_arithmetic_v<Member>) {
            if (reads_)
                member = number_as<Member>(next());
            else
                values_.push_back(static_cast<double>(member));
        } else if constexpr (requires { member.numbers(*this); }) {
            member.numbers(*this);
        } else {
            if constexpr (requires { member.resize(size_t{}); }) {
                size_t size = member.size();
                one(size);
                if (reads_ && size > values_.size() - at_) throw InputError("has too few numbers");
                if (reads_) member.resize(size);
            }
            for (auto& element : member) one(element);
        }
    }
    // A whole number has to be one that was written from this type.
    template <class Number>
    static Number number_as(double value) {
        if constexpr (std::is_integral_v<Number>) {
            constexpr double kEnd = 9007199254740992.0;  // 2^53: beyond it doubles leave whole numbers out
            if (!(value >= std::max(-kEnd, static_cast<double>(std::numeric_limits<Number>::min())) &&
                  value <= std::min(kEnd, static_cast<double>(std::numeric_limits<Number>::max())) &&
                  value == std::floor(value)))
                throw InputError("has a number that does not fit");
        }
        return static_cast<Number>(value);
    }
    double next() {
        if (at_ == values_.size()) throw InputError("has too few numbers");
        return values_[at_++];
    }

    std::vector<double> values_;
    size_t at_ = 0;
    bool reads_ = false;
};

/// A result that converts itself.
template <class Result>
concept ResultOfArrays = requires(const Result& result, const ArrayMap& arrays) {
    { result.arrays() } -> std::same_as<ArrayMap>;
    { Result::of_arrays(arrays) } -> std::same_as<Result>;
};

template <class Result>
ArrayMap result_to_arrays(Result result) {
    if constexpr (ResultOfArrays<Result>) {
        return result.arrays();
    } else {
        NumberList list;
        list(result);
        return {{"numbers", {{list.values().size()}, list.values()}}};
    }
}

/// Throws InputError if the arrays do not fit.
template <class Result>
Result result_from_arrays(const ArrayMap& arrays) {
    if constexpr (ResultOfArrays<Result>) {
        return Result::of_arrays(arrays);
    } else {
        const auto found = arrays.find("numbers");
        if (found == arrays.end()) throw InputError("has no array 'numbers'");
        NumberList list(as_doubles(found->second));
        Result result{};
        list(result);
        list.end();
        return result;
    }
}

// The finished jobs of a folder's grids: one file per job. An interrupted figure of many runs is resumed from them.

/// A name for any text, always the same: 16 hexadecimal digits.
std::string name_of_text(const std::string& text);

/// The folder of the finished jobs.
inline constexpr const char* kJobsFolder = "jobs";

/// Used by several threads at once.
class JobFolder {
  public:
    /// `identity`: what the results depend on (settings, version and commit). Jobs of another identity are not seen.
    /// `others`: such folders, from which jobs are taken that depend on less than their grid.
    JobFolder(std::filesystem::path folder, const std::string& identity,
              std::vector<std::filesystem::path> others = {});

    /// The number of the next grid, from 1. A folder's grids begin in the same order at every start.
    int next_grid();
    /// A finished job's result; nullopt while the job is unfinished, or if its file is damaged. `alone`: all that the
    /// result depends on, if that is less than `identity`.
    std::optional<ArrayMap> load(const std::string& job, const std::string& alone = "");
    /// Throws IoError.
    void save(const std::string& job, const ArrayMap& result, double cpu_seconds, const std::string& alone = "");

    /// The processor time that the jobs took whose results load() has given.
    double loaded_cpu_seconds() const;
    /// How many jobs load() has taken from which of the other folders.
    std::map<std::filesystem::path, int> taken() const;

  private:
    std::filesystem::path file_of(const std::string& job, const std::string& alone) const;
    std::optional<ArrayMap> read(const std::string& job, const std::filesystem::path& file);
    std::filesystem::path elsewhere(const std::filesystem::path& file);

    std::filesystem::path folder_;
    std::vector<std::filesystem::path> others_;
    std::string identity_;
    mutable std::mutex mutex_;
    int grids_ = 0;
    std::map<std::string, double> loaded_;  // seconds by job
    std::map<std::filesystem::path, int> taken_;
    std::optional<std::map<std::string, std::filesystem::path>> files_of_others_;  // by the ends of their names
};

// A grid of jobs (e.g. configurations x seeds) on all cores. The results come in the order of the jobs and do not
// depend on the number of threads, as long as each job computes from its own captures alone.
//
//     std::vector<GridJob<double>> jobs;
//     for (int k : {1, 2, 4})
//         jobs.push_back({fmt::format("K = {}", k), [k](JobHandle& handle) { return score(k, handle); }});
//     const GridResults<double> grid = run_grid(jobs, {.threads = 2});
//
// With a JobFolder each finished job is saved: another start loads it.

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
    /// All that its result depends on, if that is less than the grid's settings: another grid may have the same job.
    std::string alone = {};
};

/// How a grid ended.
struct GridOutcome {
    /// In the order of the jobs.
    std::vector<JobFailure> failures;
    /// The grid was stopped before all jobs ended.
    bool stopped = false;
};
template <class Result>
struct GridResults : GridOutcome {
    /// One per job; nullopt if it failed or was stopped.
    std::vector<std::optional<Result>> results;
};

/// Does the work of the job at each place. load: whether an earlier start has finished it, whose result it loads; may
/// be empty. Throws what run_grid() throws.
GridOutcome run_jobs(const std::vector<std::string>& labels, const GridOptions& options,
                     const std::function<void(size_t, JobHandle&)>& work, const std::function<bool(size_t)>& load = {});
/// The processor time of this thread.
double thread_cpu_seconds();

/// Runs all jobs. Throws InputError for a number of threads outside 1 .. ThreadPool::kMaxThreads, IoError if a result
/// cannot be saved (no further job begins then), and what on_progress throws. check: throws InputError if a result that
/// was loaded from a file is not one of that job, which is then computed.
template <class Result>
GridResults<Result> run_grid(const std::vector<GridJob<Result>>& jobs, const GridOptions& options,
                             const std::type_identity_t<std::function<void(size_t, const Result&)>>& check = {}) {
    GridResults<Result> grid;
    grid.results.resize(jobs.size());
    std::vector<std::string> labels;
    for (const auto& job : jobs) labels.push_back(job.label);
    JobFolder* const folder = options.folder;
    const int number = folder != nullptr ? folder->next_grid() : 0;
    const auto name_of = [&](size_t i) { return std::to_string(number) + ' ' + std::to_string(i) + ' ' + labels[i]; };
    const auto work = [&](size_t i, JobHandle& handle) {
        const double start = thread_cpu_seconds();
        grid.results[i] = jobs[i].work(handle);
        if (folder != nullptr)
            folder->save(name_of(i), result_to_arrays(*grid.results[i]), thread_cpu_seconds() - start, jobs[i].alone);
    };
    const auto load = [&](size_t i) {
        const auto arrays = folder != nullptr ? folder->load(name_of(i), jobs[i].alone) : std::nullopt;
        if (!arrays) return false;
        try {
            Result result = result_from_arrays<Result>(*arrays);
            if (check) check(i, result);
            grid.results[i] = std::move(result);
            return true;
        } catch (const InputError&) {  // damaged: computed again
            return false;
        }
    };
    static_cast<GridOutcome&>(grid) = run_jobs(labels, options, work, load);
    return grid;
}

}  // namespace emergence
