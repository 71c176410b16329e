#include "app/open/bounded_opening.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <system_error>
#include <utility>

#include "core/files/text.h"

namespace emergence {
namespace {

std::function<void(const std::string&)> refuse_opening;

struct Spent {
    double seconds = 0.0;  // of processor time
    size_t bytes = 0;      // the most so far
};

Spent spent() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return {seconds(usage.ru_utime) + seconds(usage.ru_stime), static_cast<size_t>(usage.ru_maxrss) * 1024};
}

// When the opening of this name began, in seconds of processor time.
double begun(const std::string& name) {
    static std::string last;
    static double since = 0.0;
    if (std::exchange(last, name) != name) since = spent().seconds;
    return since;
}

}  // namespace

void bound_openings(std::function<void(const std::string&)> refuse) { refuse_opening = std::move(refuse); }

BoundedOpening::BoundedOpening(const std::string& name, const Settings& settings) {
    const std::string large = refuse_opening ? large_settings(settings) : "";
    if (large.empty()) return;
    try {
        watcher_ = std::thread([this, name, large] { watch(name, large); });
    } catch (const std::system_error&) {  // no further thread: unbounded
    }
}

BoundedOpening::~BoundedOpening() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    ended_.notify_all();
    if (watcher_.joinable()) watcher_.join();
}

void BoundedOpening::watch(const std::string& name, const std::string& large) {
    constexpr std::chrono::milliseconds kPause{20};
    const double since = begun(name);
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, kPause, [this] { return over_; })) {
        const Spent now = spent();
        const bool slow = now.seconds - since > kMostShowSeconds;
        if (!slow && now.bytes <= kMostRunBytes) continue;
        return refuse_opening(
            fmt::format("{}: showing it takes more than {}, because of {}. If it is yours, or you trust it, set "
                        "EMERGENCE_UNBOUNDED=1",
                        name,
                        slow ? fmt::format("{} s of processor time", kMostShowSeconds)
                             : fmt::format("{} MiB of memory", kMostRunBytes >> 20),
                        large));
    }
}

}  // namespace emergence
