#pragma once
// Takes locks for a thread that must not wait long, and records its longest wait.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>

namespace emergence {

class LockMeter {
  public:
    /// Locks `mutex` and measures the wait if another thread holds it.
    std::unique_lock<std::mutex> lock(std::mutex& mutex) {
        std::unique_lock held(mutex, std::try_to_lock);
        if (held.owns_lock()) return held;
        const auto start = std::chrono::steady_clock::now();
        held.lock();
        const std::chrono::nanoseconds waited = std::chrono::steady_clock::now() - start;
        int64_t longest = longest_.load();
        while (waited.count() > longest && !longest_.compare_exchange_weak(longest, waited.count())) {
        }
        return held;
    }

    /// The longest wait in seconds; 0 if none.
    double longest() const { return 1e-9 * static_cast<double>(longest_.load()); }

  private:
    std::atomic<int64_t> longest_ = 0;  // nanoseconds
};

}  // namespace emergence
