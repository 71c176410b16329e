#include "core/lab/trainer/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <iterator>

#include "core/files/atomic_write.h"

namespace emergence {
namespace {

constexpr double kLongestSlice = 0.05;  // seconds

double steady_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Trainer::Trainer(const Restart& first, const Options& options)
    : wake_(options.on_publish),
      slice_(options.own_thread ? 0.0 : options.slice),
      loop_(options, outbox_, steady_seconds) {
    commands_.emplace_back(first);
    if (options.own_thread) thread_ = std::thread([this] { work(); });
}

Trainer::~Trainer() {
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
    }
    came_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void Trainer::send(Command command) {
    {
        const std::lock_guard lock(mutex_);
        commands_.push_back(std::move(command));
    }
    came_.notify_one();
    if (!thread_.joinable()) wake_();
}

Published Trainer::poll() {
    if (thread_.joinable()) return outbox_.take();
    // A slow frame gets a longer slice, so that training keeps its share of the time.
    const double now = steady_seconds(), end = now + std::max(slice_, std::min(now - slice_end_, kLongestSlice));
    double wait = 0.0;
    while (wait <= 0.0 && steady_seconds() < end) wait = turn();
    slice_end_ = steady_seconds();
    if (std::isfinite(wait)) wake_();
    return outbox_.take();
}

// Returns the seconds until the next turn.
double Trainer::turn() {
    std::vector<Command> commands;
    {
        const std::lock_guard lock(mutex_);
        commands.swap(commands_);
    }
    try {
        loop_.obey(std::move(commands));
        return loop_.turn();
    } catch (const std::exception& error) {  // e.g. out of memory: do nothing until the next command
        outbox_.notify(reason_of(error));
    } catch (...) {
        outbox_.notify("the trainer met an unknown exception");
    }
    return std::numeric_limits<double>::infinity();
}

// Until the trainer ends: takes a turn, and waits for the next one or for a command.
void Trainer::work() {
    const auto something = [this] { return closed_ || !commands_.empty(); };
    while (true) {
        const double seconds = turn();
        std::unique_lock lock(mutex_);
        if (std::isfinite(seconds))
            came_.wait_for(lock, std::chrono::duration<double>(seconds), something);
        else
            came_.wait(lock, something);
        if (closed_) return;
    }
}

std::vector<Command> without_superseded(std::vector<Command> commands) {
    std::vector<Command> kept;
    bool replaced = false;
    for (auto command = commands.rbegin(); command != commands.rend(); ++command) {
        const bool is_restart = std::holds_alternative<Restart>(*command);
        if (std::holds_alternative<SetLive>(*command)) replaced = false;
        if (!(is_restart && replaced)) kept.push_back(std::move(*command));
        if (is_restart) replaced = true;
    }
    std::reverse(kept.begin(), kept.end());
    return kept;
}

void Outbox::begin_run(Published next, std::optional<LeftRun> left) {
    const std::lock_guard lock(mutex_);
    next.left.swap(next_.left);
    if (left) {
        left->rows.swap(next_.rows);
        next.left.push_back(*std::move(left));
    }
    std::swap(next_, next);
}

void Outbox::push(std::vector<MetricRow> rows) {
    const std::lock_guard lock(mutex_);
    std::move(rows.begin(), rows.end(), std::back_inserter(next_.rows));
}

bool Outbox::has_snapshot() {
    const std::lock_guard lock(mutex_);
    return next_.snapshot != nullptr;
}

void Outbox::publish(std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const SnapshotHistory> moments) {
    const std::lock_guard lock(mutex_);
    next_.snapshot.swap(snapshot);
    if (moments) next_.moments.swap(moments);
}

void Outbox::save(std::shared_ptr<const SavedRun> saved) {
    const std::lock_guard lock(mutex_);
    next_.saved.swap(saved);
}

void Outbox::notify(std::string notice) {
    const std::lock_guard lock(mutex_);
    if (notices_.empty() || notices_.back() != notice) notices_.push_back(std::move(notice));
}

Published Outbox::take() {
    Published published;
    const std::lock_guard lock(mutex_);
    std::swap(published, next_);
    next_.run_number = published.run_number;
    next_.study = published.study;
    return published;
}

std::vector<std::string> Outbox::take_notices() {
    const std::lock_guard lock(mutex_);
    return std::exchange(notices_, {});
}

namespace {

constexpr double kBatchSeconds = 0.008;   // a fast pace hands out two batches per display frame
constexpr double kBucketSeconds = 0.25;   // after a stall the trainer makes up for at most this time
constexpr double kStepRounding = 1e-9;    // tolerance in steps: rounding must not delay a step
constexpr double kWindowSeconds = 1.0;    // the window of the measured rate
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
    if (!started_) started_ = now;
}

void TrainingClock::stop(double now) {
    before_ = elapsed(now);
    started_.reset();
}

void TrainingClock::reset(double now, double elapsed, int64_t step) {
    if (started_) started_ = now;
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
    int place = 0;
    while (members_.contains(place)) ++place;
    members_[place] = {};
    return place;
}

void Convoy::leave(int place) {
    const std::lock_guard lock(mutex_);
    members_.erase(place);
}

void Convoy::report(int place, int64_t step, bool ended) {
    const std::lock_guard lock(mutex_);
    members_[place] = {step, ended};
}

Convoy::Others Convoy::others(int place) const {
    const std::lock_guard lock(mutex_);
    Others others;
    for (const auto& [other, member] : members_) {
        if (other == place) continue;
        others.fastest = std::max(others.fastest, member.step);
        if (!member.ended) others.slowest = std::min(others.slowest, member.step);
    }
    return others;
}

}  // namespace emergence
