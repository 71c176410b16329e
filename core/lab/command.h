#pragma once
// What the window asks of the trainer. Commands name fields, matrices and cells, never experiments; they are
// drained between steps.

#include <memory>
#include <string>
#include <variant>

#include "core/lab/study.h"

namespace emergence {

struct Checkpoint;

struct Resume {};
struct Pause {};
/// Advance by this many steps, whatever the pace, then pause. Several add up.
struct StepOnce {
    int64_t steps = 1;
};
/// Start over with these settings (the same streams for the same seed). `run_now`: begin training at once.
/// `from`: not at step 0 but where that run was, whose settings these are; null for the start.
struct Restart {
    std::string experiment;
    Settings settings;
    bool run_now = true;
    std::shared_ptr<const Checkpoint> from = {};
};
/// Take the run's whole state, between two steps: it leaves as Published::saved.
struct TakeState {};
/// A field that applies live.
struct SetLive {
    std::string field;
    FieldValue value;
};
/// Steps a second of each seed; 0 is as fast as it goes.
struct SetPace {
    double steps_per_second = 0.0;
};
struct SetThreads {
    int threads = 1;
};

using Command = std::variant<Resume, Pause, StepOnce, Restart, SetLive, SetPace, SetThreads, TakeState>;

}  // namespace emergence
