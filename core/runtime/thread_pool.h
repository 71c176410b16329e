#pragma once
// A fixed number of workers for independent jobs of similar size.

#include <functional>
#include <memory>

namespace emergence {

class ThreadPool {
  public:
    explicit ThreadPool(int threads);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    /// Calls job(i) for i = 0 .. count-1, the caller's thread included, and returns when all are done. The
    /// first exception, in the order of i, is thrown again here.
    void for_each(int count, const std::function<void(int)>& job);
    int threads() const;

  private:
    struct Shared;
    std::unique_ptr<Shared> shared_;
};

}  // namespace emergence
