#pragma once
// How much the trainer does at a time. Pure logic: time, in seconds on any monotonic clock, is handed in.

#include <cstdint>
#include <deque>
#include <utility>

namespace emergence {

/// A token bucket: as many steps may be taken as the wanted pace has earned since.
class Pace {
  public:
    /// Steps a second; 0 is as fast as it goes. Steps earned so far are kept.
    void set_rate(double steps_per_second, double now);
    double rate() const { return rate_; }
    /// Empties the bucket: time before `now` earns nothing.
    void restart(double now);

    /// Steps that may be taken now. Fast paces earn several before any is handed out, to save wake-ups.
    int64_t allowance(double now);
    void spend(int64_t steps);
    /// Seconds until allowance() is no longer 0.
    double seconds_to_wait(double now);

  private:
    void earn(double now);
    double batch() const;

    double rate_ = 0.0;
    double earned_ = 0.0;
    int64_t handed_out_ = 0;  // of the last batch, not yet spent: it may be taken in pieces
    double last_ = 0.0;
};

/// Learns how many steps take about the wanted time. Results never depend on it.
class ChunkSize {
  public:
    explicit ChunkSize(double wanted_seconds = 0.010) : wanted_seconds_(wanted_seconds) {}
    int64_t steps() const { return steps_; }
    /// `steps` have just taken `seconds`.
    void measured(int64_t steps, double seconds);

  private:
    double wanted_seconds_;
    double seconds_per_step_ = 0.0;  // 0: not known yet
    int64_t steps_ = 1;
};

/// Training time, pauses excluded, and the rate of steps over about its last second.
class TrainingClock {
  public:
    void start(double now);  // nothing happens where it runs already
    void stop(double now);
    /// To `elapsed` seconds, at `step`; running or not as before.
    void reset(double now, double elapsed = 0.0, int64_t step = 0);

    double elapsed(double now) const { return before_ + (running_ ? now - started_ : 0.0); }
    /// The run has reached `step`.
    void reached(int64_t step, double now);
    double steps_per_second() const;

  private:
    bool running_ = false;
    double started_ = 0.0;
    double before_ = 0.0;
    std::deque<std::pair<double, int64_t>> marks_ = {{0.0, 0}};  // elapsed seconds, step
};

}  // namespace emergence
