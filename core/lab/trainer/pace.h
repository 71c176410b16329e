#pragma once
// Decides how many steps a trainer takes at a time. Pure logic: the caller passes the time, in seconds of any
// monotonic clock, as `now`.

#include <cstdint>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

namespace emergence {

/// A token bucket: the wanted pace earns steps, which the trainer may then take.
class Pace {
  public:
    /// Steps per second; 0 for as fast as possible. Steps earned so far remain.
    void set_rate(double steps_per_second, double now);
    double rate() const { return rate_; }
    /// Empties the bucket: time before `now` earns nothing.
    void restart(double now);

    /// The number of steps that the trainer may take now. A fast pace hands steps out in batches, to save wake-ups.
    int64_t allowance(double now);
    void spend(int64_t steps);
    /// The seconds until allowance() is no longer 0.
    double seconds_to_wait(double now);

  private:
    void earn(double now);
    double batch() const;

    double rate_ = 0.0;
    double earned_ = 0.0;
    // Unspent steps of the last batch, which may be taken in pieces.
    int64_t handed_out_ = 0;
    double last_ = 0.0;
};

/// Learns how many steps take about the wanted time. Results do not depend on it.
class ChunkSize {
  public:
    explicit ChunkSize(double wanted_seconds = 0.010) : wanted_seconds_(wanted_seconds) {}
    int64_t steps() const { return steps_; }
    /// Reports that `steps` took `seconds`.
    void measured(int64_t steps, double seconds);

  private:
    double wanted_seconds_;
    double seconds_per_step_ = 0.0;  // 0: not yet known
    int64_t steps_ = 1;
};

/// Measures the training time without pauses, and the rate of steps over about its last second.
class TrainingClock {
  public:
    /// No effect if the clock is running.
    void start(double now);
    void stop(double now);
    /// Sets the clock to `elapsed` seconds at `step`, without starting or stopping it.
    void reset(double now, double elapsed = 0.0, int64_t step = 0);

    double elapsed(double now) const { return before_ + (running_ ? now - started_ : 0.0); }
    /// Reports that the run has reached `step`.
    void reached(int64_t step, double now);
    double steps_per_second() const;

  private:
    bool running_ = false;
    double started_ = 0.0;
    double before_ = 0.0;
    std::deque<std::pair<double, int64_t>> marks_ = {{0.0, 0}};  // elapsed seconds, step
};

/// The members of a comparison, shared by their trainers; each trainer holds one place. Safe on any thread.
class Convoy {
  public:
    /// Adds a member at step 0 and returns its place.
    int join();
    void leave(int place);
    /// Sets the member's step. Others do not wait for a member that has ended (finished or failed).
    void report(int place, int64_t step, bool ended);

    /// The step of the slowest other member that has not ended; the largest int64_t if none.
    int64_t slowest_other(int place) const;
    /// The step of the fastest other member, ended or not; 0 if none.
    int64_t fastest_other(int place) const;

  private:
    struct Member {
        bool present = false;
        bool ended = false;
        int64_t step = 0;
    };
    mutable std::mutex mutex_;
    std::vector<Member> members_;
};

}  // namespace emergence
