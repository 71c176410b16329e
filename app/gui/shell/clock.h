#pragma once
// The clock of the window's own work, durations in words, and rules for when something is built again.

#include <algorithm>
#include <chrono>
#include <deque>
#include <string>
#include <utility>

namespace emergence {

/// Seconds since a fixed moment. The value never decreases.
inline double seconds_now() {
    using Clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

/// "2:05", "1:00:00" or "2 days"; a dash if the duration is not known.
std::string clock_text(double seconds);

/// How fast the window draws.
struct Timing {
    float frame_ms = 0.0F;           // time that the last frame took
    float frames_per_second = 0.0F;  // over the last second, of those that were drawn
};

/// Measures the frames that are drawn.
class FrameTimes {
  public:
    /// Both arguments are in seconds.
    void note(double begin, double end) {
        ends_.push_back(end);
        while (end - ends_.front() > 1.0) ends_.pop_front();
        const double span = end - ends_.front();
        timing_.frame_ms = static_cast<float>(1000.0 * (end - begin));
        timing_.frames_per_second =
            span > 0.0 ? static_cast<float>(static_cast<double>(ends_.size() - 1) / span) : 0.0F;
    }
    const Timing& timing() const { return timing_; }

  private:
    Timing timing_;
    std::deque<double> ends_;
};

/// Decides whether training leaves one of its threads to the window.
class LateFrames {
  public:
    /// Notes a frame that took `seconds` and was drawn at `now`. Three late frames in a row leave a thread to the
    /// window until frames have kept up for two seconds. Each time this pause doubles, so the two states do not
    /// alternate.
    bool note(double seconds, double now) {
        constexpr double kLate = 1.0 / 30, kLongest = 64.0;
        if (seconds > kLate) {
            late_at_ = now;
            if (++late_ >= 3 && !std::exchange(leaves_, true)) patience_ = std::min(2 * patience_, kLongest);
        } else {
            late_ = 0;
            leaves_ = leaves_ && now - late_at_ < patience_;
        }
        return leaves_;
    }

  private:
    bool leaves_ = false;
    int late_ = 0;  // late frames in a row
    double late_at_ = 0.0;
    double patience_ = 1.0;  // seconds
};

/// Remembers what a shown thing was built from, and builds it again if that has changed. If building may wait, it takes
/// no more than its share of the window's time.
template <class Source>
class BuiltFrom {
  public:
    explicit BuiltFrom(double share = 1.0) : share_(share) {}

    /// A default source before the first building.
    const Source& source() const { return source_; }
    /// Makes the next update() build, as if the present thing had been built from `source`.
    void forget(Source source = {}) {
        source_ = std::move(source);
        built_ = false;
    }
    /// Calls `build` if `source` has changed since the last building. With `may_wait` only once the share allows it.
    template <class Build>
    void update(Source source, const Build& build, bool may_wait = false) {
        if (built_ && source == source_) return;
        if (built_ && may_wait && seconds_now() - built_at_ <= cost_ / share_) return;
        const double start = seconds_now();
        build();
        source_ = std::move(source);
        built_ = true;
        built_at_ = seconds_now();
        cost_ = built_at_ - start;
    }

  private:
    double share_;
    bool built_ = false;
    Source source_{};
    double built_at_ = 0.0;
    double cost_ = 0.0;  // seconds that the last building took
};

}  // namespace emergence
