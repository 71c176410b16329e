#pragma once
// What can be gone back to: moments of a run, and what the user has set.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/lab/runs/run.h"
#include "core/lab/study.h"
#include "core/settings/fields.h"

namespace emergence {

/// Which moment of a run is shown: the live one, or one of the past; and how the past is played.
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

/// The one field in which run B differs from run A, and its value there.
struct Difference {
    std::string field;
    FieldValue value;
    bool operator==(const Difference&) const = default;
};

/// Everything that undo brings back. `experiment` is never null.
struct Setup {
    const ExperimentInfo* experiment = nullptr;
    Settings settings;
    std::optional<Difference> difference;  // nothing where there is no run B
    int opening = 0;                       // what it was opened with, by number: the run is the same from any
    bool operator==(const Setup& other) const {
        return experiment == other.experiment && settings == other.settings && difference == other.difference;
    }
};

/// "learning rate 0.001 → 0.01": what leads from one setup to the other; several fields are counted.
std::string change_text(const Setup& from, const Setup& to);

/// What the user has set, step by step, so that it can be taken back.
class UndoList {
  public:
    /// `before` is about to be changed. Changes of the same `gesture` that follow each other are one step
    /// until end_gesture(); "" is a step of its own.
    void note(const Setup& before, const std::string& gesture);
    /// No control is held any more: what follows is another step. A gesture that has ended where it began
    /// leaves none.
    void end_gesture(const Setup& now);
    /// A control is held that has changed something.
    bool in_gesture() const { return !gesture_.empty(); }

    /// The setup before the last step, or after the one that was undone last; nothing if none.
    std::optional<Setup> undo(const Setup& now);
    std::optional<Setup> redo(const Setup& now);
    const Setup* next_undo() const { return past_.empty() ? nullptr : &past_.back(); }
    const Setup* next_redo() const { return future_.empty() ? nullptr : &future_.back(); }

    static constexpr size_t kMostSteps = 200;

  private:
    std::vector<Setup> past_;    // oldest first
    std::vector<Setup> future_;  // the nearest last
    std::string gesture_;
};

}  // namespace emergence
