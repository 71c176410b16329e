#pragma once
// The moments of a run that can be gone back to: snapshots in a bounded memory, at regular steps that are
// thinned as the run grows.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/lab/snapshot.h"

namespace emergence {

/// About how much memory a snapshot takes, in bytes: its numbers and texts.
size_t bytes_of(const Snapshot& snapshot);

/// Keeps the moments at multiples of a stride, and the newest one wherever it is. Where the limits are passed
/// the stride doubles and every other moment goes, so that those left are evenly spaced and depend on the
/// steps alone, never on when somebody looked. Adding costs O(1), averaged over a run.
class SnapshotHistory {
  public:
    using Moment = std::shared_ptr<const Snapshot>;

    struct Limits {
        size_t moments = 256;            // at least 2
        size_t bytes = size_t{1} << 27;  // 128 MB; two moments are kept whatever they take
    };

    /// `interval`: the first stride, in steps, at least 1.
    explicit SnapshotHistory(int64_t interval, Limits limits);
    explicit SnapshotHistory(int64_t interval = 1) : SnapshotHistory(interval, Limits()) {}

    /// Keeps `moment`, whose step is not before the last one's: one of the same step replaces it, one of
    /// another run_number forgets the run before.
    void add(Moment moment);
    void clear();

    /// Steps ascending, all of one run.
    const std::vector<Moment>& moments() const { return moments_; }
    bool empty() const { return moments_.empty(); }
    /// The moment whose step is nearest to `step`, the earlier of two; null where there is none.
    Moment nearest(int64_t step) const;
    /// The first step after `step` whose moment would be kept for good.
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
