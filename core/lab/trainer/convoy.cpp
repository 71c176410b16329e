#include "core/lab/trainer/convoy.h"

#include <algorithm>
#include <limits>

namespace emergence {

int Convoy::join() {
    const std::lock_guard lock(mutex_);
    const auto free =
        std::find_if(members_.begin(), members_.end(), [](const Member& member) { return !member.present; });
    const auto place = static_cast<int>(free - members_.begin());
    if (free == members_.end()) members_.emplace_back();
    members_[place] = {.present = true};
    return place;
}

void Convoy::leave(int place) {
    const std::lock_guard lock(mutex_);
    members_[place].present = false;
}

void Convoy::report(int place, int64_t step, bool ended) {
    const std::lock_guard lock(mutex_);
    Member& member = members_[place];
    member.step = step;
    member.ended = ended;
}

int64_t Convoy::slowest_other(int place) const {
    const std::lock_guard lock(mutex_);
    int64_t slowest = std::numeric_limits<int64_t>::max();
    for (size_t i = 0; i < members_.size(); ++i)
        if (members_[i].present && !members_[i].ended && i != static_cast<size_t>(place))
            slowest = std::min(slowest, members_[i].step);
    return slowest;
}

int64_t Convoy::fastest_other(int place) const {
    const std::lock_guard lock(mutex_);
    int64_t fastest = 0;
    for (size_t i = 0; i < members_.size(); ++i)
        if (members_[i].present && i != static_cast<size_t>(place))
            fastest = std::max(fastest, members_[i].step);
    return fastest;
}

}  // namespace emergence
