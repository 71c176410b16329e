#pragma once
// The time that the window measures its own work by, and how a length of time reads.

#include <chrono>
#include <string>

namespace emergence {

/// Seconds since some fixed moment; never goes back.
inline double seconds_now() {
    using Clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

/// "2:05", "1:00:00", "2 days"; a dash where it is not known.
std::string clock_text(double seconds);

}  // namespace emergence
