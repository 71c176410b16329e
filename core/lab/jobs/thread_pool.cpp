#include "core/lab/jobs/thread_pool.h"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "core/base/error.h"

namespace emergence {

namespace {

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

}  // namespace

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

namespace {

void check_threads(int threads) {
    if (threads < 1 || threads > ThreadPool::kMaxThreads)
        throw InputError("threads: {} is not a whole number from 1 to {}", threads, ThreadPool::kMaxThreads);
}

}  // namespace

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
