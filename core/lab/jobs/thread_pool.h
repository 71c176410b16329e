#pragma once
// A fixed number of worker threads for independent jobs of similar size.

#include <functional>
#include <memory>

namespace emergence {

/// A process that fork() made has no threads of its parent; it starts its own when it needs them.
class ThreadPool {
  public:
    /// `threads` includes the caller of for_each: 1 starts no worker. Throws InputError unless it is in
    /// 1 .. kMaxThreads. Has fewer threads if the system starts no more.
    explicit ThreadPool(int threads);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    /// Calls job(i) for i = 0 .. count-1 on all threads, including the caller's, and returns when all are done. Then
    /// rethrows the first exception in the order of i. One call at a time.
    void for_each(int count, const std::function<void(int)>& job);
    int threads() const;
    /// Changes the number of threads between two calls of for_each. Throws as the constructor does.
    void set_threads(int threads);

    static constexpr int kMaxThreads = 256;

  private:
    void leave_parents_threads();

    struct Shared;
    std::unique_ptr<Shared> shared_;
};

}  // namespace emergence
