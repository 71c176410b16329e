#pragma once
// Which moment of a run is shown: the live one, or one of the past; and how the past is played.

#include <cstdint>
#include <optional>

#include "core/lab/runs/run.h"

namespace emergence {

class TimeCursor {
  public:
    /// Nothing while the live moment is shown.
    std::optional<int64_t> step() const { return step_; }
    bool live() const { return !step_; }

    /// The moment nearest to `step`; the newest one is the live one.
    void show(int64_t step, const SnapshotHistory& moments);
    /// The moment at `step` itself, kept elsewhere.
    void show_exactly(int64_t step);
    void show_live();
    /// By whole moments, backwards where negative. From the live one backwards, and over the newest to the
    /// live one.
    void move(int by, const SnapshotHistory& moments);

    /// Plays on from the moment shown, or from the first one where that is the live one.
    void play(const SnapshotHistory& moments);
    void stop() { playing_ = false; }
    bool playing() const { return playing_; }
    /// At 1 the whole run takes ten seconds.
    double speed() const { return speed_; }
    /// From a quarter to four times that, and from the start.
    void next_speed() { speed_ = speed_ < kFastest ? 2 * speed_ : kSlowest; }
    /// `seconds` have gone by. Playing ends at the live moment.
    void advance(double seconds, const SnapshotHistory& moments);

  private:
    std::optional<int64_t> step_;
    bool playing_ = false;
    static constexpr double kSlowest = 0.25, kFastest = 4.0;
    double speed_ = 1.0;
    double position_ = 0.0;  // steps; between moments while playing
};

}  // namespace emergence
