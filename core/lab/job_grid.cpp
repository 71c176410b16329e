#include "core/lab/job_grid.h"

#include <chrono>
#include <exception>
#include <mutex>

#include "core/lab/thread_pool.h"

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

    bool stopping() const { return options_.stop && *options_.stop; }

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
        if (work > 0.0) progress_.seconds_left = progress_.seconds * (all - work) / work;
        options_.on_progress(progress_);
    }

    const GridOptions& options_;
    std::vector<double> weights_, shares_;
    std::vector<std::optional<std::string>> reasons_;
    const GridClock::time_point start_ = GridClock::now();
    std::mutex mutex_;
    GridProgress progress_;
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
    if (board.stopping()) return;
    std::optional<std::string> reason;
    try {
        Handle handle(board, index);
        job.work(handle);
    } catch (const Stopped&) {
        return;
    } catch (const std::exception& error) {
        reason = error.what();
    } catch (...) {
        reason = "an unknown exception";
    }
    board.ended(index, std::move(reason));
}

}  // namespace

detail::GridOutcome detail::run_jobs(const std::vector<GridJob<void>>& jobs, const GridOptions& options) {
    ThreadPool pool(options.threads);
    Board board(jobs, options);
    pool.for_each(static_cast<int>(jobs.size()), [&](int i) {
        const auto index = static_cast<size_t>(i);
        run_job(jobs[index], board, index);
    });
    GridOutcome outcome;
    outcome.stopped = board.done() < static_cast<int>(jobs.size());
    for (size_t i = 0; i < jobs.size(); ++i)
        if (board.reason(i)) outcome.failures.push_back({i, jobs[i].label, *board.reason(i)});
    return outcome;
}

}  // namespace emergence
