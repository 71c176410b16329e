#include "core/lab/jobs/job_grid.h"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <new>
#include <numeric>
#include <thread>

#include "core/base/error.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/bytes.h"
#include "core/files/folders.h"
#include "core/lab/jobs/thread_pool.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCpuSecondsEntry = "cpu_seconds";

// Thrown to unwind a job of a stopped grid.
struct Stopped {};

// The state that the jobs share: their progress and failures.
class Board {
  public:
    Board(const std::vector<std::string>& labels, const GridOptions& options)
        : labels_(labels), options_(options), shares_(labels.size(), 0.0), reasons_(labels.size()) {
        progress_.name = options.name;
        progress_.total = static_cast<int>(labels.size());
    }

    // The next job that no earlier start has finished. nullopt: none is left, or the grid was stopped.
    std::optional<size_t> next(const std::function<bool(size_t)>& load) {
        const std::lock_guard lock(queue_);
        while (next_ < shares_.size() && !stopping()) {
            const size_t job = next_++;
            if (options_.part != nullptr && !options_.part->labels.contains(labels_[job])) continue;
            if (!load || !load(job)) return job;
            ended(job, std::nullopt, true);
        }
        return std::nullopt;
    }
    bool stopping() const { return broken_ || (options_.stop && *options_.stop); }
    // No further job begins: the folder cannot be written.
    void broke() { broken_ = true; }

    void reached(size_t job, double share) {
        if (stopping()) throw Stopped{};
        const std::lock_guard lock(mutex_);
        shares_[job] = share;
        tell();
    }
    // found: an earlier start had computed it, so it says nothing about the time that is left.
    void ended(size_t job, std::optional<std::string> reason, bool found = false) {
        const std::lock_guard lock(mutex_);
        if (found) found_ += 1.0;
        shares_[job] = 1.0;
        ++progress_.done;
        if (reason) ++progress_.failed;
        reasons_[job] = std::move(reason);
        tell();
    }
    int done() const { return progress_.done; }
    double seconds() const { return watch_.seconds(); }
    const std::optional<std::string>& reason(size_t job) const { return reasons_[job]; }

  private:
    void tell() {
        if (!options_.on_progress) return;
        const double work = std::accumulate(shares_.begin(), shares_.end(), 0.0);
        const auto all = static_cast<double>(shares_.size());
        progress_.share = work / all;
        progress_.seconds = watch_.seconds();
        if (work > found_) progress_.seconds_left = progress_.seconds * (all - work) / (work - found_);
        options_.on_progress(progress_);
    }

    const std::vector<std::string>& labels_;
    const GridOptions& options_;
    std::vector<double> shares_;
    double found_ = 0.0;
    std::vector<std::optional<std::string>> reasons_;
    const Stopwatch watch_;
    std::mutex mutex_, queue_;
    size_t next_ = 0;
    std::atomic<bool> broken_ = false;
    GridProgress progress_;
};

void run_job(const std::function<void(size_t, const Reached&)>& work, Board& board, size_t job) {
    std::optional<std::string> reason;
    try {
        work(job, [&board, job](double share) { board.reached(job, share); });
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
    board.ended(job, std::move(reason));
}

// glibc reserves 64 MiB of addresses for an arena of each thread that allocates. If addresses are limited (ulimit -v),
// the arenas may take a quarter of them, because the work needs the rest.
void leave_addresses_to_the_work(int threads) {
#ifdef __GLIBC__
    constexpr rlim_t kArena = rlim_t{64} << 20;
    rlimit addresses{};
    if (::getrlimit(RLIMIT_AS, &addresses) != 0 || addresses.rlim_cur == RLIM_INFINITY) return;
    const rlim_t arenas = std::max<rlim_t>(addresses.rlim_cur / 4 / kArena, 1);
    if (arenas < static_cast<rlim_t>(threads)) ::mallopt(M_ARENA_MAX, static_cast<int>(arenas));
#else
    static_cast<void>(threads);
#endif
}

void check_threads(int threads) {
    if (threads < 1 || threads > ThreadPool::kMaxThreads)
        throw InputError("threads: {} is not a whole number from 1 to {}", threads, ThreadPool::kMaxThreads);
}

}  // namespace

std::string name_of_text(const std::string& text) { return fmt::format("{:016x}", fnv_of(as_bytes(text))); }

fs::path JobFolder::file_of(const std::string& job) const {
    return folder_ / kJobsFolder / (name_of_text(identity_ + '\n' + job) + ".npz");
}

std::optional<ArrayMap> JobFolder::load(const std::string& job) {
    const fs::path file = file_of(job);
    if (!is_there(file)) return std::nullopt;
    try {
        ArrayMap result = read_npz(file, kMostWeightBytes);
        if (const auto seconds = result.extract(kCpuSecondsEntry)) {
            const std::vector<double> values = as_doubles(seconds.mapped());
            if (values.size() != 1 || !std::isfinite(values[0])) return std::nullopt;
            const std::lock_guard guard(mutex_);
            loaded_seconds_ += values[0];
        }
        return result;
    } catch (const InputError&) {  // damaged: computed again
        return std::nullopt;
    }
}

void JobFolder::save(const std::string& job, const ArrayMap& result, double cpu_seconds) {
    make_folder(folder_ / kJobsFolder);
    ArrayMap with_time = result;
    with_time[kCpuSecondsEntry] = {{}, std::vector<double>{cpu_seconds}};
    write_npz(file_of(job), with_time);
}

double JobFolder::loaded_cpu_seconds() const {
    const std::lock_guard guard(mutex_);
    return loaded_seconds_;
}

GridOutcome run_jobs(const std::vector<std::string>& labels, const GridOptions& options,
                     const std::function<void(size_t, const Reached&)>& work, const std::function<bool(size_t)>& load) {
    if (options.part != nullptr && options.part->labels.empty()) {
        for (size_t i = 0; i < labels.size(); ++i)
            if (!load || !load(i)) options.part->missing.push_back(labels[i]);
        return {.failures = {}, .stopped = !options.part->missing.empty()};
    }
    ThreadPool pool(options.threads);
    if (pool.threads() < options.threads && options.on_fewer_threads) options.on_fewer_threads(pool.threads());
    Board board(labels, options);
    pool.for_each(options.threads, [&](int) {
        try {
            while (const auto job = board.next(load)) run_job(work, board, *job);
        } catch (...) {
            board.broke();
            throw;
        }
    });
    if (options.part != nullptr) options.part->seconds += board.seconds();
    GridOutcome outcome;
    outcome.stopped = options.part != nullptr || board.done() < static_cast<int>(labels.size());
    for (size_t i = 0; i < labels.size(); ++i)
        if (board.reason(i)) outcome.failures.push_back({labels[i], *board.reason(i)});
    return outcome;
}

// The workers.

// Jobs take milliseconds, so handing out indices under the mutex costs little.
struct ThreadPool::Shared {
    pid_t process = ::getpid();
    std::mutex mutex;
    std::condition_variable work_came;
    std::condition_variable all_done;
    const std::function<void(int)>* job = nullptr;
    int count = 0;
    int next = 0;        // index of the next job to hand out
    int unfinished = 0;  // waiting or running jobs
    bool stopping = false;
    std::vector<std::exception_ptr> errors;  // one per job
    std::vector<std::thread> workers;

    void take_jobs(std::unique_lock<std::mutex>& lock) {
        while (next < count) {
            const int i = next++;
            const auto& current = *job;
            std::exception_ptr error;
            lock.unlock();
            try {
                current(i);
            } catch (...) {
                error = std::current_exception();
            }
            lock.lock();
            errors[i] = error;
            if (--unfinished == 0) all_done.notify_all();
        }
    }

    void work() {
        std::unique_lock lock(mutex);
        while (!stopping) {
            take_jobs(lock);
            work_came.wait(lock, [this] { return stopping || next < count; });
        }
    }

    // If the system starts fewer threads, half of those are given back: the rest of the program needs threads, and
    // memory for their stacks, too.
    void start(int threads) {
        leave_addresses_to_the_work(threads);
        try {
            while (static_cast<int>(workers.size()) + 1 < threads) workers.emplace_back([this] { work(); });
        } catch (const std::exception&) {
            const int fewer = static_cast<int>(workers.size()) / 2 + 1;
            stop();
            start(fewer);
        }
    }

    void stop() {
        {
            const std::lock_guard lock(mutex);
            stopping = true;
        }
        work_came.notify_all();
        for (std::thread& worker : workers) worker.join();
        workers.clear();
        stopping = false;
    }
};

ThreadPool::ThreadPool(int threads) : shared_(std::make_unique<Shared>()) {
    check_threads(threads);
    shared_->start(threads);
}

ThreadPool::~ThreadPool() {
    if (shared_->process == ::getpid())
        shared_->stop();
    else
        static_cast<void>(shared_.release());  // its threads belong to the parent process and cannot be joined here
}

int ThreadPool::threads() const { return static_cast<int>(shared_->workers.size()) + 1; }

void ThreadPool::leave_parents_threads() {
    if (shared_->process == ::getpid()) return;
    const int count = threads();
    static_cast<void>(shared_.release());
    shared_ = std::make_unique<Shared>();
    shared_->start(count);
}

void ThreadPool::set_threads(int count) {
    check_threads(count);
    leave_parents_threads();
    if (count == threads()) return;
    shared_->stop();
    shared_->start(count);
}

void ThreadPool::for_each(int count, const std::function<void(int)>& job) {
    if (count <= 0) return;
    leave_parents_threads();
    Shared& shared = *shared_;
    std::unique_lock lock(shared.mutex);
    check(shared.unfinished == 0, "ThreadPool::for_each is called by one thread at a time");
    shared.job = &job;
    shared.count = count;
    shared.next = 0;
    shared.unfinished = count;
    shared.errors.assign(count, nullptr);
    if (count > 1) shared.work_came.notify_all();
    shared.take_jobs(lock);
    shared.all_done.wait(lock, [&shared] { return shared.unfinished == 0; });
    shared.job = nullptr;
    const std::vector<std::exception_ptr> errors = std::move(shared.errors);
    lock.unlock();
    for (const std::exception_ptr& error : errors)
        if (error) std::rethrow_exception(error);
}

}  // namespace emergence
