#pragma once
// A fixed number of workers for independent jobs of similar size.

#include <functional>
#include <memory>

namespace emergence {

class ThreadPool {
  public:
    /// `threads` counts the caller of for_each: one thread starts no worker. Throws InputError unless it is
    /// within 1 .. kMaxThreads.
    explicit ThreadPool(int threads);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    /// Calls job(i) for i = 0 .. count-1, the caller's thread included, and returns when all are done. The
    /// first exception, in the order of i, is thrown again here. One call at a time.
    void for_each(int count, const std::function<void(int)>& job);
    int threads() const;
    /// Changes the number of threads, between two for_each. Throws as the constructor does.
    void set_threads(int threads);

    static constexpr int kMaxThreads = 256;

  private:
    struct Shared;
    std::unique_ptr<Shared> shared_;
};

}  // namespace emergence
