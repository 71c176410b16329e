#pragma once
// The time that the window measures its own work by.

#include <chrono>

namespace emergence {

/// Seconds since some fixed moment; never goes back.
inline double seconds_now() {
    using Clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

}  // namespace emergence
