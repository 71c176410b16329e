#pragma once
// Times and their medians.

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <vector>

namespace emergence::bench {

/// Seconds of this thread's own time on the core: others may be using it too.
template <class Work>
double thread_seconds(const Work& work) {
    const auto now = [] {
        timespec time;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    };
    const double start = now();
    work();
    return now() - start;
}

inline double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

}  // namespace emergence::bench
