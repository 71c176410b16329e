#pragma once
// The past moments of a run: snapshots in bounded memory, at regular steps that are thinned as the run grows.

#include "core/lab/snapshot.h"

namespace emergence {

/// The approximate memory of a snapshot in bytes: its numbers and texts.
size_t bytes_of(const Snapshot& snapshot);

/// Holds the moments at multiples of a stride, and the newest one at any step. Beyond the limits the stride doubles and
/// every other moment goes: the rest are evenly spaced and depend on the steps alone, never on the display. Adding
/// costs O(1), averaged over a run.
class SnapshotHistory {
  public:
    using Moment = std::shared_ptr<const Snapshot>;

    struct Limits {
        /// At least 2.
        size_t moments = 256;
        /// 128 MiB; two moments remain even if they take more.
        size_t bytes = size_t{1} << 27;
    };

    /// `interval`: the first stride, in steps, at least 1.
    explicit SnapshotHistory(int64_t interval, Limits limits);
    explicit SnapshotHistory(int64_t interval = 1) : SnapshotHistory(interval, Limits()) {}

    /// Adds `moment`. It replaces moments at the same or a later step, and the newest one if that is not at a multiple
    /// of the stride. Another run_number clears the history first.
    void add(Moment moment);
    void clear();

    /// All of one run, steps ascending.
    const std::vector<Moment>& moments() const { return moments_; }
    bool empty() const { return moments_.empty(); }
    /// The moment whose step is nearest to `step`, the earlier of two; null if none.
    Moment nearest(int64_t step) const;
    /// The first multiple of the stride after `step`, whose moment would stay.
    int64_t next_after(int64_t step) const { return (step / stride_ + 1) * stride_; }
    int64_t stride() const { return stride_; }
    size_t bytes() const { return bytes_; }

  private:
    void drop_last();
    void thin();

    int64_t interval_;
    Limits limits_;
    int64_t stride_;
    size_t bytes_ = 0;
    std::vector<Moment> moments_;
    std::vector<size_t> sizes_;  // bytes of each moment
};

}  // namespace emergence
