#include "core/runtime/snapshot_history.h"

#include <algorithm>

#include "core/base/check.h"

namespace emergence {

SnapshotHistory::SnapshotHistory(size_t capacity) : capacity_(capacity) {
    check(capacity >= 2, "a history keeps its first and its last moment");
}

void SnapshotHistory::add(Moment moment) {
    check(moment != nullptr, "a moment is a snapshot");
    if (!moments_.empty() && moments_.back()->run_number != moment->run_number) moments_.clear();
    if (!moments_.empty() && moments_.back()->step >= moment->step) {
        moments_.back() = std::move(moment);
        return;
    }
    moments_.push_back(std::move(moment));
    if (moments_.size() <= capacity_) return;
    // The one whose absence leaves the smallest gap; of equal ones the first.
    size_t dropped = 1;
    for (size_t i = 2; i + 1 < moments_.size(); ++i) {
        const auto gap = [this](size_t at) { return moments_[at + 1]->step - moments_[at - 1]->step; };
        if (gap(i) < gap(dropped)) dropped = i;
    }
    moments_.erase(moments_.begin() + static_cast<std::ptrdiff_t>(dropped));
}

SnapshotHistory::Moment SnapshotHistory::nearest(int64_t step) const {
    Moment best;
    for (const Moment& moment : moments_)
        if (!best || std::abs(moment->step - step) < std::abs(best->step - step)) best = moment;
    return best;
}

}  // namespace emergence
