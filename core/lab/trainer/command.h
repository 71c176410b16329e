#pragma once
// Commands from the window to the trainer, which drains them between steps. They name fields, matrices and cells; only
// Restart names an experiment.

#include <memory>
#include <string>
#include <variant>

#include "core/lab/study.h"

namespace emergence {

struct Checkpoint;
class SnapshotHistory;

struct Resume {};
struct Pause {};
/// Advances by this many steps, independent of the pace, then pauses. Several add up.
struct StepOnce {
    int64_t steps = 1;
};
/// Starts a new run with these settings; the same seed gives the same random streams.
struct Restart {
    std::string experiment;
    Settings settings;
    /// Begins training at once; otherwise the run starts paused.
    bool run_now = true;
    /// The checkpoint, with the same settings, from which the run resumes; null: it starts at step 0.
    std::shared_ptr<const Checkpoint> from = {};
    /// The run's moments before the checkpoint, as they were published; null: those saved in the checkpoint.
    std::shared_ptr<const SnapshotHistory> past = {};
};
/// Takes the run's whole state between two steps and publishes it as Published::saved.
struct TakeState {};
/// Sets a field that applies live.
struct SetLive {
    std::string field;
    FieldValue value;
};
/// Sets the pace: steps per second of each seed; 0 for as fast as possible.
struct SetPace {
    double steps_per_second = 0.0;
};
struct SetThreads {
    int threads = 1;
};

using Command = std::variant<Resume, Pause, StepOnce, Restart, SetLive, SetPace, SetThreads, TakeState>;

}  // namespace emergence
