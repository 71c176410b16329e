#pragma once
// A thread that checks something at intervals while a job runs.

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <system_error>
#include <thread>

namespace emergence {

/// After every pause, calls `look` in a thread of its own, until it returns false or this object is destroyed. If the
/// system has no further thread, it never calls it.
inline std::jthread watching(std::chrono::milliseconds pause, const std::function<bool()>& look) try {
    return std::jthread([pause, look](const std::stop_token& over) {
        std::mutex mutex;
        std::condition_variable_any ended;
        std::unique_lock lock(mutex);
        const auto never = [] { return false; };
        do {
            ended.wait_for(lock, over, pause, never);
        } while (!over.stop_requested() && look());
    });
} catch (const std::system_error&) {
    return {};
}

}  // namespace emergence
