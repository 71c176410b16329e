#pragma once
// The moments of a run that can be gone back to: snapshots in a bounded memory, thinned evenly as the run
// grows.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/runtime/snapshot.h"

namespace emergence {

class SnapshotHistory {
  public:
    using Moment = std::shared_ptr<const Snapshot>;

    /// `capacity`: how many moments are kept at most, at least 2.
    explicit SnapshotHistory(size_t capacity = 400);

    /// Keeps `moment`, whose step is not before the last one's (one of the same step replaces it, one of
    /// another run_number forgets the run before). Where the capacity is passed, those are dropped whose
    /// neighbours are nearest, never the first or the last, so that what is left stays spread evenly over the
    /// run.
    void add(Moment moment);
    void clear() { moments_.clear(); }

    /// Steps ascending, all of one run.
    const std::vector<Moment>& moments() const { return moments_; }
    bool empty() const { return moments_.empty(); }
    /// The moment whose step is nearest to `step`; null where there is none.
    Moment nearest(int64_t step) const;

  private:
    size_t capacity_;
    std::vector<Moment> moments_;
};

}  // namespace emergence
