#pragma once
// What the user can return to: moments of a run, and earlier settings.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/lab/runs/run.h"
#include "core/lab/study.h"
#include "core/settings/fields.h"

namespace emergence {

/// Which moment of a run is shown, the live one or a past one, and how the past is played.
class TimeCursor {
  public:
    /// nullopt while the live moment is shown.
    std::optional<int64_t> step() const { return step_; }
    bool live() const { return !step_; }

    /// Shows the moment nearest to `step`. The newest moment counts as the live one.
    void show(int64_t step, const SnapshotHistory& moments);
    void show_live();
    /// Moves by whole moments, backwards if `by` is negative. The newest moment is the live one.
    void move(int by, const SnapshotHistory& moments);

    /// Plays from the shown moment, or from the first one if the live moment is shown.
    void play(const SnapshotHistory& moments);
    void stop() { playing_ = false; }
    bool playing() const { return playing_; }
    /// Moves on by `seconds`; the whole run takes ten. Playing ends at the live moment.
    void advance(double seconds, const SnapshotHistory& moments);

  private:
    std::optional<int64_t> step_;
    bool playing_ = false;
    double position_ = 0.0;  // steps; between moments while playing
};

/// The field in which run B differs from run A, and B's value.
struct Difference {
    std::string field;
    FieldValue value;
    bool operator==(const Difference&) const = default;
};

/// The part of the window's state that undo restores. `experiment` is never null.
struct Setup {
    const ExperimentInfo* experiment = nullptr;
    Settings settings;
    std::optional<Difference> difference;  // nullopt without a run B
    int opening = 0;  // number of the opening that it came from; runs of equal settings are equal whatever the number
    bool operator==(const Setup& other) const {
        return experiment == other.experiment && settings == other.settings && difference == other.difference;
    }
};

/// "learning rate 0.001 → 0.01": the change from one setup to the other. Several changed fields are counted.
std::string change_text(const Setup& from, const Setup& to);

/// The user's changes of settings, step by step, so that they can be undone.
class UndoList {
  public:
    /// Call it before `before` changes. Successive changes of the same `gesture` form one step until end_gesture(). The
    /// gesture "" is always a step of its own.
    void note(const Setup& before, const std::string& gesture);
    /// The user has released the control, so the next change is another step. A gesture that ends where it began leaves
    /// no step.
    void end_gesture(const Setup& now);
    /// True while the user holds a control that has changed something.
    bool in_gesture() const { return !gesture_.empty(); }

    /// The setup before the last step, or the one that was undone last; nullopt if there is none.
    std::optional<Setup> undo(const Setup& now);
    std::optional<Setup> redo(const Setup& now);
    const Setup* next_undo() const { return past_.empty() ? nullptr : &past_.back(); }
    const Setup* next_redo() const { return future_.empty() ? nullptr : &future_.back(); }

    static constexpr size_t kMostSteps = 200;

  private:
    std::vector<Setup> past_;    // oldest first
    std::vector<Setup> future_;  // nearest last
    std::string gesture_;
};

}  // namespace emergence
