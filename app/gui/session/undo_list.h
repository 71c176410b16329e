#pragma once
// What the user has set, step by step, so that it can be taken back.

#include <optional>
#include <string>
#include <vector>

#include "core/lab/study.h"
#include "core/settings/fields.h"

namespace emergence {

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
