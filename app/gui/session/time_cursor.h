#pragma once
// Which moment of a run is shown: the live one, or one of the past; and how the past is played.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/lab/runs/snapshot_history.h"

namespace emergence {

class TimeCursor {
  public:
    /// The speeds that playing can have; at 1 the whole run takes ten seconds.
    static const std::vector<double>& speeds();

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
    double speed() const { return speed_; }
    void set_speed(double speed) { speed_ = speed; }
    /// `seconds` have gone by. Playing ends at the live moment.
    void advance(double seconds, const SnapshotHistory& moments);

  private:
    std::optional<int64_t> step_;
    bool playing_ = false;
    double speed_ = 1.0;
    double position_ = 0.0;  // steps; between moments while playing
};

}  // namespace emergence
