#include "core/lab/jobs/job_grid.h"

#include <fmt/format.h>
#include <time.h>

#include <chrono>
#include <exception>
#include <mutex>
#include <new>
#include <thread>

#include "core/files/system_errors.h"
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
        progress_.waits_for = 0;
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
    // Nothing is left to do but to wait for jobs of other processes.
    void waits(int jobs) {
        const std::lock_guard lock(mutex_);
        progress_.waits_for = jobs;
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
    Queue(Board& board, const GridOptions& options, SharedJobs* shared, std::string name, size_t count)
        : board_(board), options_(options), shared_(shared), name_(std::move(name)), states_(count) {
        if (shared != nullptr && options.process.size > 1) tickets_ = options.process.tickets;
    }

    // Waits while other processes have all that is missing. nullopt: nothing is left to do, or the grid was stopped.
    std::optional<size_t> next() {
        const std::lock_guard lock(mutex_);
        for (auto pause = kShortestPause; !board_.stopping(); pause = std::min(2 * pause, kLongestPause)) {
            while (const auto job = fresh()) {
                if (begin(*job)) return job;
                if (board_.stopping()) return std::nullopt;
            }
            int elsewhere = 0;
            for (size_t i = 0; i < states_.size() && !board_.stopping(); ++i) {
                if (states_[i] != State::elsewhere) continue;
                if (begin(i)) return i;
                elsewhere += states_[i] == State::elsewhere ? 1 : 0;
            }
            if (elsewhere == 0 || !options_.waits) return std::nullopt;
            board_.waits(elsewhere);
            std::this_thread::sleep_for(pause);
        }
        return std::nullopt;
    }

  private:
    static constexpr std::chrono::milliseconds kShortestPause{50}, kLongestPause{3000};
    // elsewhere: another process had it when this one looked last. done: begun here, or loaded.
    enum class State { fresh, elsewhere, done };

    std::optional<size_t> fresh() {
        const size_t count = states_.size();
        if (tickets_ != nullptr) {
            const auto ticket = tickets_->next(name_);
            if (ticket && *ticket >= 0 && static_cast<size_t>(*ticket) < count && states_[*ticket] == State::fresh)
                return static_cast<size_t>(*ticket);
            // All are handed out, or nobody answers: those of the others are looked at too.
            tickets_ = nullptr;
            std::replace(states_.begin(), states_.end(), State::fresh, State::elsewhere);
        }
        // The share of this process, then the others'.
        const auto size = static_cast<size_t>(std::max(1, options_.process.size));
        for (; share_ < size; ++share_, at_ = 0)
            for (; at_ * size + first() < count; ++at_)
                if (const size_t i = at_ * size + first(); states_[i] == State::fresh) return i;
        return std::nullopt;
    }
    size_t first() const {
        const auto size = static_cast<size_t>(std::max(1, options_.process.size));
        return (static_cast<size_t>(std::max(0, options_.process.rank)) + share_) % size;
    }

    // True: the job is ours, and not finished.
    bool begin(size_t job) {
        if (shared_ == nullptr) {
            states_[job] = State::done;
            return true;
        }
        if (load(job)) return false;
        if (!shared_->take(job)) {
            states_[job] = State::elsewhere;
            return false;
        }
        // Between the look and the taking, its owner may have finished it.
        if (load(job)) {
            shared_->release(job);
            return false;
        }
        states_[job] = State::done;
        return true;
    }
    bool load(size_t job) {
        if (!shared_->load(job)) return false;
        states_[job] = State::done;
        board_.found(job);
        return true;
    }

    Board& board_;
    const GridOptions& options_;
    SharedJobs* shared_;
    JobTickets* tickets_ = nullptr;
    std::string name_;
    std::mutex mutex_;
    std::vector<State> states_;
    size_t share_ = 0, at_ = 0;
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

// Releases a job at the end, however it ends.
class Release {
  public:
    Release(SharedJobs* shared, size_t job) : shared_(shared), job_(job) {}
    ~Release() {
        if (shared_ != nullptr) shared_->release(job_);
    }
    Release(const Release&) = delete;
    Release& operator=(const Release&) = delete;

  private:
    SharedJobs* shared_;
    size_t job_;
};

void run_job(const GridJob<void>& job, Board& board, SharedJobs* shared, size_t index) {
    const Release release(shared, index);
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
                                     SharedJobs* shared, const std::string& name) {
    ThreadPool pool(options.threads);
    if (pool.threads() < options.threads && options.on_fewer_threads) options.on_fewer_threads(pool.threads());
    Board board(jobs, options);
    Queue queue(board, options, shared, name, jobs.size());
    pool.for_each(options.threads, [&](int) {
        try {
            while (const auto job = queue.next()) run_job(jobs[*job], board, shared, *job);
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
    name_ = fmt::format("{} {}", folder.tag(), grid);
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

bool detail::FolderJobs::take(size_t job) { return folder_.owners().take(names_[job]); }
void detail::FolderJobs::release(size_t job) { folder_.owners().release(names_[job]); }

double detail::thread_cpu_seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace emergence
