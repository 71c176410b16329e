#pragma once
// What the trainer has made, on its way to the window: the latest snapshot (older ones are lost), every
// metric row and every notice, under one short mutex, so that they always belong to the same run.

#include <mutex>
#include <vector>

#include "core/lab/lock_meter.h"
#include "core/lab/trainer.h"

namespace emergence {

class Outbox {
  public:
    explicit Outbox(LockMeter& meter) : meter_(meter) {}

    /// A new run, with its first rows and snapshot: what was not yet taken of older ones is dropped. `study`
    /// may be null where none could be made.
    void begin_run(uint64_t run_number, std::shared_ptr<const Study> study, std::vector<MetricRow> rows,
                   std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const SnapshotHistory> moments);
    /// More rows of the current run.
    void push(std::vector<MetricRow> rows);
    /// `moments`: null where there are no new ones.
    void publish(std::shared_ptr<const Snapshot> snapshot,
                 std::shared_ptr<const SnapshotHistory> moments = nullptr);
    /// A state of the current run, with the rows up to it pushed before.
    void save(std::shared_ptr<const SavedRun> saved);
    /// The same text twice in a row, not yet taken, is one notice.
    void notify(Notice notice);

    /// Everything since the last time.
    Published take();
    std::vector<Notice> take_notices();

  private:
    // Under the mutex only pointers change hands; rows are joined, and what is dropped is freed, outside.
    LockMeter& meter_;  // measures the takers
    std::mutex mutex_;
    std::shared_ptr<const Snapshot> snapshot_;
    std::shared_ptr<const SnapshotHistory> moments_;
    std::shared_ptr<const Study> study_;
    std::shared_ptr<const SavedRun> saved_;
    std::vector<std::vector<MetricRow>> rows_;
    uint64_t run_number_ = 0;
    std::vector<Notice> notices_;
};

}  // namespace emergence
