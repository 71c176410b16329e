#include "core/lab/jobs/job_grid.h"

#include <fmt/format.h>
#include <time.h>

#include <chrono>
#include <exception>
#include <mutex>
#include <new>

#include "core/files/atomic_write.h"
#include "core/lab/jobs/job_folder.h"
#include "core/lab/jobs/thread_pool.h"

namespace emergence {
namespace {

using GridClock = std::chrono::steady_clock;

// Thrown to unwind a job of a stopped grid.
struct Stopped {};

// The state that the jobs share: their progress and failures.
class Board {
  public:
    Board(const std::vector<GridJob<void>>& jobs, const GridOptions& options)
        : options_(options), shares_(jobs.size(), 0.0), reasons_(jobs.size()) {
        for (const auto& job : jobs) weights_.push_back(job.weight);
        progress_.name = options.name;
        progress_.total = static_cast<int>(jobs.size());
    }

    bool stopping() const { return broken_ || (options_.stop && *options_.stop); }
    // No further job begins: the folder cannot be written.
    void broke() { broken_ = true; }

    void reached(size_t job, double share) {
        const std::lock_guard lock(mutex_);
        shares_[job] = share;
        tell();
    }
    void ended(size_t job, std::optional<std::string> reason) {
        const std::lock_guard lock(mutex_);
        shares_[job] = 1.0;
        ++progress_.done;
        if (reason) ++progress_.failed;
        reasons_[job] = std::move(reason);
        tell();
    }
    // It had been computed before, so that the time it took says nothing.
    void found(size_t job) {
        {
            const std::lock_guard lock(mutex_);
            found_ += weights_[job];
        }
        ended(job, std::nullopt);
    }
    int done() const { return progress_.done; }
    const std::optional<std::string>& reason(size_t job) const { return reasons_[job]; }

  private:
    void tell() {
        if (!options_.on_progress) return;
        double work = 0.0, all = 0.0;
        for (size_t i = 0; i < shares_.size(); ++i) {
            work += weights_[i] * shares_[i];
            all += weights_[i];
        }
        progress_.share = work / all;
        progress_.seconds = std::chrono::duration<double>(GridClock::now() - start_).count();
        if (work > found_) progress_.seconds_left = progress_.seconds * (all - work) / (work - found_);
        options_.on_progress(progress_);
    }

    const GridOptions& options_;
    std::vector<double> weights_, shares_;
    double found_ = 0.0;
    std::vector<std::optional<std::string>> reasons_;
    const GridClock::time_point start_ = GridClock::now();
    std::mutex mutex_;
    std::atomic<bool> broken_ = false;
    GridProgress progress_;
};

// Which job a thread computes next.
class Queue {
  public:
    Queue(Board& board, const std::function<bool(size_t)>& load, size_t count)
        : board_(board), load_(load), count_(count) {}

    // The next job that no earlier start has finished. nullopt: none is left, or the grid was stopped.
    std::optional<size_t> next() {
        const std::lock_guard lock(mutex_);
        while (at_ < count_ && !board_.stopping()) {
            const size_t job = at_++;
            if (!load_ || !load_(job)) return job;
            board_.found(job);
        }
        return std::nullopt;
    }

  private:
    Board& board_;
    const std::function<bool(size_t)>& load_;
    size_t count_, at_ = 0;
    std::mutex mutex_;
};

class Handle final : public JobHandle {
  public:
    Handle(Board& board, size_t job) : board_(board), job_(job) {}
    void reached(double share) override {
        if (board_.stopping()) throw Stopped{};
        board_.reached(job_, share);
    }

  private:
    Board& board_;
    size_t job_;
};

void run_job(const GridJob<void>& job, Board& board, size_t index) {
    std::optional<std::string> reason;
    try {
        Handle handle(board, index);
        job.work(handle);
    } catch (const Stopped&) {
        return;
    } catch (const IoError&) {
        throw;
    } catch (const std::bad_alloc& error) {  // the machine's failure, not the job's
        throw IoError(reason_of(error));
    } catch (const std::exception& error) {
        reason = error.what();
    } catch (...) {
        reason = "an unknown exception";
    }
    board.ended(index, std::move(reason));
}

}  // namespace

detail::GridOutcome detail::run_jobs(const std::vector<GridJob<void>>& jobs, const GridOptions& options,
                                     const std::function<bool(size_t)>& load) {
    ThreadPool pool(options.threads);
    if (pool.threads() < options.threads && options.on_fewer_threads) options.on_fewer_threads(pool.threads());
    Board board(jobs, options);
    Queue queue(board, load, jobs.size());
    pool.for_each(options.threads, [&](int) {
        try {
            while (const auto job = queue.next()) run_job(jobs[*job], board, *job);
        } catch (...) {
            board.broke();
            throw;
        }
    });
    GridOutcome outcome;
    outcome.stopped = board.done() < static_cast<int>(jobs.size());
    for (size_t i = 0; i < jobs.size(); ++i)
        if (board.reason(i)) outcome.failures.push_back({i, jobs[i].label, *board.reason(i)});
    return outcome;
}

detail::FolderJobs::FolderJobs(JobFolder& folder, std::vector<std::string> labels, std::vector<std::string> alone,
                               Load load)
    : folder_(folder), names_(std::move(labels)), alone_(std::move(alone)), load_(std::move(load)) {
    const int grid = folder.next_grid();
    for (size_t i = 0; i < names_.size(); ++i) names_[i] = fmt::format("{} {} {}", grid, i, names_[i]);
}

void detail::FolderJobs::save(size_t job, const ArrayMap& result, double cpu_seconds) {
    folder_.save(names_[job], result, cpu_seconds, alone_[job]);
}

bool detail::FolderJobs::load(size_t job) {
    const auto result = folder_.load(names_[job], alone_[job]);
    if (!result) return false;
    try {
        load_(job, *result);
    } catch (const InputError&) {  // damaged: computed again
        return false;
    }
    return true;
}

double detail::thread_cpu_seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace emergence
