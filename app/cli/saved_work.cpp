#include "app/cli/saved_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include "core/base/text.h"

namespace emergence::cli {

using Clock = std::chrono::steady_clock;

void SavedWork::set(const std::string& what, std::vector<std::string> go_on) {
    const std::lock_guard lock(mutex_);
    what_ = what;
    go_on_ = std::move(go_on);
    last_sign_ = Clock::now();
}

void SavedWork::sign() {
    const std::lock_guard lock(mutex_);
    last_sign_ = Clock::now();
}

std::string SavedWork::text() const {
    const std::lock_guard lock(mutex_);
    return what_.empty() ? "" : fmt::format(". {}. Go on with: {}", what_, shell_command(go_on_));
}

Clock::time_point SavedWork::last_sign() const {
    const std::lock_guard lock(mutex_);
    return last_sign_;
}

LateEnd::LateEnd(const SavedWork& saved, std::function<bool()> stopped, std::function<void(const std::string&)> end)
    : saved_(saved), stopped_(std::move(stopped)), end_(std::move(end)) {
    try {
        watcher_ = std::thread([this] { watch(); });
    } catch (const std::system_error&) {  // no further thread: then the step is waited for
    }
}

LateEnd::~LateEnd() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    ended_.notify_all();
    if (watcher_.joinable()) watcher_.join();
}

void LateEnd::watch() {
    constexpr std::chrono::milliseconds kPause{100};
    std::optional<Clock::time_point> asked;
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, kPause, [this] { return over_; })) {
        if (!asked && stopped_()) asked = Clock::now();
        if (asked && Clock::now() - std::max(*asked, saved_.last_sign()) >= kPatience) return end_(saved_.text());
    }
}

}  // namespace emergence::cli
