#pragma once
// The thread that owns a Run: it advances the seeds, publishes snapshots and obeys commands. The window never
// waits for it and never touches the model.

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/lab/checkpoint.h"
#include "core/lab/command.h"
#include "core/lab/convoy.h"
#include "core/lab/metrics.h"
#include "core/lab/snapshot.h"
#include "core/lab/snapshot_history.h"

namespace emergence {

/// A run's whole state, as TakeState asks for it, with the moment that it is (see Study::outline).
struct SavedRun {
    SavedState state;
    Snapshot moment;
};

/// What the trainer has published since it was last asked.
struct Published {
    std::shared_ptr<const Snapshot> snapshot;  // the latest; null where there is none newer
    // The moments of the run before that snapshot, at steps that depend on the run alone, outlines mostly
    // (see Study::outline); null where there are no new ones.
    std::shared_ptr<const SnapshotHistory> moments;
    std::vector<MetricRow> rows;  // every row since, none lost, all of `run_number`
    uint64_t run_number = 0;      // a change means: clear the history first; 0: no run yet
    // Of that run: names of metrics and plots, inspect(); immutable parts only, because the trainer changes
    // live fields (use the snapshot's settings). Null where no run could be made yet.
    std::shared_ptr<const Study> study;
    // The latest that was asked for, of that run; its rows are among those that have been published.
    std::shared_ptr<const SavedRun> saved;
};

/// A banner's worth of bad news: a refused setting, an exception.
struct Notice {
    std::string text;
};

/// What the states do with commands: a refused command (a field out of range, settings that do not go
/// together) leaves everything as it was and adds a Notice. A finished or failed run ignores Resume, Pause
/// and StepOnce; a finished one goes on when a live field moves its stop condition further. After a failure
/// the last good snapshot stays, with the reason in its status, and Restart starts over.
class Trainer {
  public:
    struct Options {
        int threads = 1;
        double steps_per_second = 0.0;       // pace; 0 is as fast as it goes
        double publish_interval = 1.0 / 30;  // seconds: at most this often
        /// Called on the trainer's thread after each publish and notice (wake the window).
        std::function<void()> on_publish;
        /// Where the run is compared with others, it and they advance side by side. Null: it runs alone.
        std::shared_ptr<Convoy> convoy;
        /// The registry: throws InputError for an unknown name. Required.
        std::function<const ExperimentInfo&(const std::string&)> find_experiment;
    };

    /// Begins with `first` on a thread of its own; where that is refused, a Notice and an empty snapshot
    /// whose status says why are all there is until another Restart. Throws InputError where `options` are
    /// out of range.
    Trainer(const Restart& first, Options options);
    ~Trainer();  // stops within one chunk of work
    Trainer(const Trainer&) = delete;
    Trainer& operator=(const Trainer&) = delete;

    /// Never blocks on training: a short lock on a queue.
    void send(Command command);
    /// Never blocks on training: a short lock on a mailbox.
    Published poll();
    std::vector<Notice> take_notices();
    /// Longest time, in seconds, that send() or poll() has waited for a lock: shown in the window's help,
    /// measured in tests.
    double longest_wait() const;

  private:
    class Worker;
    std::unique_ptr<Worker> worker_;
};

}  // namespace emergence
