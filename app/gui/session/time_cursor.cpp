#include "app/gui/session/time_cursor.h"

#include <algorithm>

namespace emergence {
namespace {

constexpr double kPlaySeconds = 10.0;

// Where `step` stands among the moments: the first that is not before it.
int index_of(int64_t step, const SnapshotHistory& moments) {
    const auto& all = moments.moments();
    const auto at =
        std::lower_bound(all.begin(), all.end(), step,
                         [](const SnapshotHistory::Moment& moment, int64_t value) { return moment->step < value; });
    return static_cast<int>(at - all.begin());
}

}  // namespace

void TimeCursor::show(int64_t step, const SnapshotHistory& moments) {
    const auto moment = moments.nearest(step);
    if (!moment || moment == moments.moments().back())
        show_live();
    else
        step_ = moment->step;
}

void TimeCursor::show_exactly(int64_t step) {
    step_ = step;
    playing_ = false;
}

void TimeCursor::show_live() {
    step_.reset();
    playing_ = false;
}

void TimeCursor::move(int by, const SnapshotHistory& moments) {
    if (moments.empty()) return;
    playing_ = false;
    const int last = static_cast<int>(moments.moments().size()) - 1;
    // Where the moment has been thinned away meanwhile, the next one back is the one before it.
    const int from = step_ ? index_of(*step_, moments) : last;
    const int to = std::clamp(from + by, 0, last);
    show(moments.moments()[static_cast<size_t>(to)]->step, moments);
}

void TimeCursor::play(const SnapshotHistory& moments) {
    if (moments.moments().size() < 2) return;
    if (!step_) step_ = moments.moments().front()->step;
    position_ = static_cast<double>(*step_);
    playing_ = true;
}

void TimeCursor::advance(double seconds, const SnapshotHistory& moments) {
    if (!playing_ || moments.empty()) return;
    const auto first = static_cast<double>(moments.moments().front()->step);
    const auto last = static_cast<double>(moments.moments().back()->step);
    position_ += seconds * speed_ * (last - first) / kPlaySeconds;
    if (position_ >= last)
        show_live();
    else
        show(static_cast<int64_t>(position_), moments);
}

}  // namespace emergence
