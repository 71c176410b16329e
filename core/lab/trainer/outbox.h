#pragma once
// The mailbox from the trainer to the window: the latest snapshot (older ones are dropped), every metric row and every
// notice. One short mutex guards them, so that they always belong to the same run.

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/lab/trainer/lock_meter.h"
#include "core/lab/trainer/trainer.h"

namespace emergence {

class Outbox {
  public:
    explicit Outbox(LockMeter& meter) : meter_(meter) {}

    /// Begins a new run with its first rows and snapshot, and drops what nobody has taken of older runs. `study` is
    /// null if it could not be made. `left`: the run before, with all but its last rows; nothing if it is not kept.
    void begin_run(uint64_t run_number, std::shared_ptr<const Study> study, std::vector<MetricRow> rows,
                   std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const SnapshotHistory> moments,
                   std::optional<LeftRun> left = {});
    /// Adds rows of the current run.
    void push(std::vector<MetricRow> rows);
    /// Replaces the snapshot, and the moments unless null.
    void publish(std::shared_ptr<const Snapshot> snapshot,
                 std::shared_ptr<const SnapshotHistory> moments = nullptr);
    /// Publishes a state of the current run. The rows up to it must have been pushed.
    void save(std::shared_ptr<const SavedRun> saved);
    /// Adds a notice, unless the last one that nobody has taken has the same text.
    void notify(Notice notice);

    /// Takes everything since the last call.
    Published take();
    std::vector<Notice> take_notices();

  private:
    // Under the mutex only pointers are swapped; rows are joined, and dropped data freed, outside.
    LockMeter& meter_;  // measures how long takers wait
    std::mutex mutex_;
    std::shared_ptr<const Snapshot> snapshot_;
    std::shared_ptr<const SnapshotHistory> moments_;
    std::shared_ptr<const Study> study_;
    std::shared_ptr<const SavedRun> saved_;
    std::vector<std::vector<MetricRow>> rows_;
    std::vector<LeftRun> left_;
    uint64_t run_number_ = 0;
    std::vector<Notice> notices_;
};

}  // namespace emergence
