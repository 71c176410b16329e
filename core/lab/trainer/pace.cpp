#include "core/lab/trainer/pace.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace emergence {
namespace {

// The batch of a fast pace: two batches per display frame.
constexpr double kBatchSeconds = 0.008;
// The most that the trainer catches up with after a stall.
constexpr double kBucketSeconds = 0.25;
// Tolerance in steps: rounding must not delay a step.
constexpr double kStepRounding = 1e-9;
// The window of the measured rate.
constexpr double kWindowSeconds = 1.0;
constexpr int64_t kMaxChunk = 1LL << 30;  // steps

}  // namespace

void Pace::set_rate(double steps_per_second, double now) {
    earn(now);
    rate_ = steps_per_second;
    handed_out_ = 0;
}

void Pace::restart(double now) {
    earned_ = 0.0;
    handed_out_ = 0;
    last_ = now;
}

double Pace::batch() const { return std::max(1.0, std::floor(rate_ * kBatchSeconds)); }

void Pace::earn(double now) {
    const double room = std::max(2.0, rate_ * kBucketSeconds);
    earned_ = std::min(earned_ + rate_ * (now - last_), room);
    last_ = now;
}

int64_t Pace::allowance(double now) {
    earn(now);
    if (rate_ == 0.0) return std::numeric_limits<int64_t>::max();
    if (handed_out_ == 0 && earned_ + kStepRounding >= batch())
        handed_out_ = static_cast<int64_t>(earned_ + kStepRounding);
    return handed_out_;
}

void Pace::spend(int64_t steps) {
    if (rate_ == 0.0) return;
    earned_ = std::max(0.0, earned_ - static_cast<double>(steps));
    handed_out_ = std::max<int64_t>(0, handed_out_ - steps);
}

double Pace::seconds_to_wait(double now) {
    if (rate_ == 0.0 || handed_out_ > 0) return 0.0;
    earn(now);
    return std::max(0.0, (batch() - earned_) / rate_);
}

void ChunkSize::measured(int64_t steps, double seconds) {
    if (steps <= 0) return;
    const double per_step = std::max(seconds, 1e-9) / static_cast<double>(steps);
    // Logged steps take longer than others: smoothing keeps the size steady across them.
    seconds_per_step_ = seconds_per_step_ == 0.0 ? per_step : 0.7 * seconds_per_step_ + 0.3 * per_step;
    const double wanted = wanted_seconds_ / seconds_per_step_;
    // At most double the size: the first measurement covers one step and is rough.
    const int64_t limit = std::min(2 * steps_, kMaxChunk);
    steps_ = std::max<int64_t>(1, wanted < static_cast<double>(limit) ? static_cast<int64_t>(wanted) : limit);
}

void TrainingClock::start(double now) {
    if (running_) return;
    running_ = true;
    started_ = now;
}

void TrainingClock::stop(double now) {
    before_ = elapsed(now);
    running_ = false;
}

void TrainingClock::reset(double now, double elapsed, int64_t step) {
    started_ = now;
    before_ = elapsed;
    marks_ = {{elapsed, step}};
}

void TrainingClock::reached(int64_t step, double now) {
    marks_.emplace_back(elapsed(now), step);
    while (marks_.size() > 2 && marks_[1].first <= marks_.back().first - kWindowSeconds) marks_.pop_front();
}

double TrainingClock::steps_per_second() const {
    const double seconds = marks_.back().first - marks_.front().first;
    const auto steps = static_cast<double>(marks_.back().second - marks_.front().second);
    return seconds > 0.0 ? steps / seconds : 0.0;
}

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
        if (members_[i].present && i != static_cast<size_t>(place)) fastest = std::max(fastest, members_[i].step);
    return fastest;
}

}  // namespace emergence
