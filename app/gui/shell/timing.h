#pragma once

#include <deque>

namespace emergence {

/// How fast the window draws.
struct Timing {
    float frame_ms = 0.0F;           // time that the last frame took
    float frames_per_second = 0.0F;  // over the last second, of those that were drawn
};

/// Follows the frames that are drawn.
class FrameTimes {
  public:
    /// Seconds.
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

}  // namespace emergence
