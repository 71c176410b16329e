#include "core/lab/trainer/trainer.h"

#include <fmt/format.h>

#include <exception>

#include "core/base/error.h"
#include "core/files/atomic_write.h"

namespace emergence {
namespace {

constexpr double kFastestPace = 1e9;        // steps per second
constexpr double kSlowestPace = 1e-3;       // steps per second
constexpr double kHeldBackSeconds = 0.002;  // the time after which a run that waits for others looks again
// Describing may take at most this share of the time: more at a set pace, where the run mostly waits anyway.
constexpr double kDescribeShare = 1.0 / 3, kDescribeShareAtPace = 2.0 / 3;
constexpr double kWorthKeeping = 0.5;     // training time from which on a run is kept when another takes its place
constexpr double kUntakenSeconds = 0.05;  // the time after which a snapshot that nobody has taken is replaced

double checked_pace(double steps_per_second) {
    const bool allowed =
        steps_per_second == 0.0 || (steps_per_second >= kSlowestPace && steps_per_second <= kFastestPace);
    if (!allowed)
        throw InputError("pace: {} is neither 0 (as fast as possible) nor from {} to {} steps per second",
                         steps_per_second, kSlowestPace, kFastestPace);
    return steps_per_second;
}

}  // namespace

TrainingLoop::TrainingLoop(TrainerOptions options, Outbox& outbox, Clock clock)
    : options_(std::move(options)),
      outbox_(outbox),
      clock_(std::move(clock)),
      pool_(options_.own_thread ? options_.threads : 1) {
    check(options_.find_experiment != nullptr, "the trainer is given a registry");
    pace_.set_rate(checked_pace(options_.steps_per_second), clock_());
    if (options_.own_thread && pool_.threads() < options_.threads)
        refuse(fewer_threads_text(pool_.threads(), options_.threads));
    if (options_.convoy) place_ = options_.convoy->join();
}

TrainingLoop::~TrainingLoop() {
    if (options_.convoy) options_.convoy->leave(place_);
}

void TrainingLoop::obey(std::vector<Command> commands) {
    for (const Command& command : without_superseded(std::move(commands))) {
        try {
            std::visit([this](const auto& one) { on(one); }, command);
        } catch (const std::exception& error) {
            refuse(reason_of(error));
        }
    }
    report();
    if (changed_) publish();
}

double TrainingLoop::turn() {
    if (state_ == RunState::running) advance();
    report();
    if (changed_ || (stale_ && clock_() >= publish_at())) publish();
    if (state_ != RunState::running) return std::numeric_limits<double>::infinity();
    const double now = clock_();
    double chunk = stop_after_ ? 0.0 : pace_.seconds_to_wait(now);
    if (held_back_) chunk = std::max(chunk, kHeldBackSeconds);
    return stale_ ? std::min(chunk, std::max(0.0, publish_at() - now)) : chunk;
}

// A slow window does not draw every snapshot, so a snapshot that nobody has taken postpones the next one.
double TrainingLoop::publish_at() {
    return outbox_.has_snapshot() ? std::max(next_publish_, published_at_ + kUntakenSeconds) : next_publish_;
}

// How many steps the run may be ahead of the slowest compared run: about those between two publications.
int64_t TrainingLoop::lead() const {
    double steps = 2.0 * static_cast<double>(chunk_.steps());
    if (pace_.rate() > 0.0) steps = std::min(steps, pace_.rate() * options_.publish_interval);
    return std::max(run_->study().log_interval(), static_cast<int64_t>(steps));
}

// How many steps pace and convoy allow. A run that was left behind catches up, whatever the pace.
int64_t TrainingLoop::steps_allowed(double now) {
    held_back_ = false;
    const int64_t step = run_->step();
    if (stop_after_) return *stop_after_ - step;
    if (!options_.convoy) return pace_.allowance(now);
    const auto [slowest, fastest] = options_.convoy->others(place_);
    if (fastest - step > lead()) return fastest - step;
    const int64_t ahead = step - std::min(slowest, step);
    held_back_ = ahead >= lead();
    return held_back_ ? 0 : std::min(pace_.allowance(now), lead() - ahead);
}

void TrainingLoop::report() {
    if (!options_.convoy) return;
    const bool ended = state_ == RunState::finished || state_ == RunState::failed;
    options_.convoy->report(place_, run_ ? run_->step() : 0, ended);
}

void TrainingLoop::advance() {
    const int64_t step = run_->step();
    const int64_t next_moment = moments_.next_after(step);
    const double before = clock_();
    const int64_t steps =
        std::min({chunk_.steps(), next_moment - step, states_.next_after(step) - step, steps_allowed(before)});
    if (steps <= 0 && !stop_after_) return;  // not yet due
    try {
        outbox_.push(run_->advance_to(step + steps));
    } catch (const std::exception& error) {
        fail(reason_of(error));
        return;
    }
    const double after = clock_();
    const int64_t taken = run_->step() - step;
    if (!stop_after_) pace_.spend(taken);
    chunk_.measured(taken, after - before);
    training_clock_.reached(run_->step(), after);
    stale_ = true;
    settle();
    states_.add(*run_);
    if (run_->step() == next_moment) keep_moment();
}

// Detects that the run has failed, finished or reached the end of a StepOnce.
void TrainingLoop::settle() {
    if (state_ == RunState::finished || state_ == RunState::failed) return;
    if (run_->num_failed() == run_->num_seeds()) {
        const SeedStatus first = run_->seed_status(0);
        const std::string all =
            run_->num_seeds() == 1 ? "" : fmt::format("all {} networks failed; ", run_->num_seeds());
        fail(fmt::format("{}seed {}: {}", all, first.seed, first.reason));
    } else if (run_->step() >= run_->study().target_step()) {
        resume_when_extended_ = state_ == RunState::running && !stop_after_;
        set_state(RunState::finished);
    } else if (stop_after_ && run_->step() >= *stop_after_) {
        set_state(RunState::paused);
    }
}

void TrainingLoop::set_state(RunState state) {
    const double now = clock_();
    if (state == RunState::running) {
        if (state_ != RunState::running) pace_.restart(now);
        training_clock_.start(now);
    } else {
        stop_after_.reset();
        training_clock_.stop(now);
    }
    state_ = state;
    changed_ = true;
}

void TrainingLoop::fail(std::string reason) {
    reason_ = std::move(reason);
    set_state(RunState::failed);
}

void TrainingLoop::on(const Resume&) {
    if (state_ != RunState::paused && state_ != RunState::running) return;
    if (!run_ || (state_ == RunState::running && !stop_after_)) return;
    stop_after_.reset();
    pace_.restart(clock_());
    set_state(RunState::running);
}

void TrainingLoop::on(const Pause&) {
    if (state_ == RunState::running) set_state(RunState::paused);
}

void TrainingLoop::on(const StepOnce& command) {
    if (!run_ || (state_ != RunState::paused && state_ != RunState::running)) return;
    const int64_t from = stop_after_.value_or(run_->step());
    const int64_t room = std::max<int64_t>(0, run_->study().target_step() - from);
    stop_after_ = from + std::clamp<int64_t>(command.steps, 0, room);
    set_state(RunState::running);
    settle();
}

void TrainingLoop::on(const Restart& command) {
    try {
        const ExperimentInfo& info = options_.find_experiment(command.experiment);
        if (info.check) info.check(command.settings);
        auto run = std::make_unique<Run>(info.make(command.settings), pool_);
        std::vector<Snapshot> past;
        if (command.from) {
            past = past_of(command, *run);
            restore(*command.from, *run);
        }
        start_run(std::move(run), info, command, std::move(past));
    } catch (const std::exception& error) {
        if (!run_) begin_without_run(command, error.what());
        throw;
    }
}

// The moments before the checkpoint. If they do not fit the run, it is resumed without them.
std::vector<Snapshot> TrainingLoop::past_of(const Restart& command, Run& run) {
    if (command.past) {
        std::vector<Snapshot> past;
        for (const auto& moment : command.past->moments())
            if (moment->step < command.from->settings.step.value_or(0)) past.push_back(*moment);
        return past;
    }
    try {
        return outlines_before(*command.from, run);
    } catch (const std::exception& error) {
        refuse(fmt::format("The moments saved with the run cannot be shown: {}", error.what()));
        return {};
    }
}

// Describing the new run's first step may throw, so the old run stays until that is done.
void TrainingLoop::start_run(std::unique_ptr<Run> run, const ExperimentInfo& info, const Restart& command,
                             std::vector<Snapshot> past) {
    std::vector<MetricRow> rows = command.from ? rows_of(*command.from, run->study().metrics()) : run->advance_to(0);
    Snapshot first = run->snapshot();
    std::optional<LeftRun> left = left_run();

    run_ = std::move(run);
    info_ = &info;
    ++run_number_;
    reason_.clear();
    chunk_ = ChunkSize();
    state_ = RunState::paused;
    set_state(command.run_now ? RunState::running : RunState::paused);
    training_clock_.reset(clock_(), command.from ? command.from->seconds : 0.0, run_->step());
    pace_.restart(clock_());
    stop_after_.reset();
    settle();
    last_ = stamped(std::move(first));
    stale_ = changed_ = false;
    next_publish_ = clock_() + options_.publish_interval;
    const int64_t interval = std::max<int64_t>(1, run_->study().log_interval());
    moments_ = SnapshotHistory(interval);
    for (Snapshot& moment : past) moments_.add(stamped(std::move(moment)));
    moments_.add(last_);
    const size_t saved = command.from ? command.from->moments.size() : 0;
    states_ = MomentLog(std::max(kDefaultMoments, static_cast<int>(saved)), interval);
    if (saved > 0) states_.resume(command.from->moments, run_->step());
    states_.add(*run_);
    new_moments_ = false;
    outbox_.begin_run(
        {last_, std::make_shared<const SnapshotHistory>(moments_), std::move(rows), run_number_, run_->shared_study()},
        std::move(left));
    options_.on_publish();
}

void TrainingLoop::begin_without_run(const Restart& refused, const std::string& why) {
    ++run_number_;
    Snapshot empty;
    empty.experiment = refused.experiment;
    empty.settings = refused.settings;
    fail(why);
    last_ = stamped(std::move(empty));
    stale_ = changed_ = false;
    moments_ = SnapshotHistory();
    new_moments_ = false;
    outbox_.begin_run({last_, std::make_shared<const SnapshotHistory>(moments_), {}, run_number_, nullptr});
}

void TrainingLoop::on(const SetLive& command) {
    if (!run_) return;
    Settings settings = run_->study().settings();
    if (settings.info(command.field).applies != Applies::live)
        throw InputError(command.field + ": this setting cannot change during a run. Restart to change it");
    if (settings.value(command.field) == command.value) return;
    settings.set(command.field, command.value);
    if (info_->check) info_->check(settings);
    run_->set_live(settings);
    stale_ = changed_ = true;
    if (state_ == RunState::finished && !run_->finished())
        set_state(resume_when_extended_ ? RunState::running : RunState::paused);
    settle();
}

void TrainingLoop::on(const SetPace& command) {
    pace_.set_rate(checked_pace(command.steps_per_second), clock_());
    changed_ = true;
}

void TrainingLoop::on(const SetThreads& command) {
    if (!options_.own_thread) return;
    pool_.set_threads(command.threads);
    changed_ = true;
}

std::shared_ptr<const SavedRun> TrainingLoop::saved_run() {
    return std::make_shared<const SavedRun>(SavedRun{state_of(info_->name, *run_, training_clock_.elapsed(clock_())),
                                                     std::move(*stamped(run_->outline())), states_.moments()});
}

void TrainingLoop::on(const TakeState&) {
    if (!run_) return;
    outbox_.save(saved_run());
    options_.on_publish();
}

// The run whose place another one takes, if it is worth keeping: it trained for some time and has not failed.
std::optional<LeftRun> TrainingLoop::left_run() {
    const bool worth =
        run_ && state_ != RunState::failed && run_->step() > 0 && training_clock_.elapsed(clock_()) >= kWorthKeeping;
    if (!worth) return std::nullopt;
    try {
        return LeftRun{saved_run(), std::make_shared<const SnapshotHistory>(moments_)};
    } catch (const std::exception&) {  // the next run begins all the same
        return std::nullopt;
    }
}

void TrainingLoop::refuse(const std::string& why) {
    outbox_.notify(why);
    options_.on_publish();
}

void TrainingLoop::publish() {
    changed_ = false;
    if (!last_) return;
    const double before = clock_();
    std::optional<Snapshot> next;
    // Describing evaluates the model, so if only the status has changed, the last snapshot is used again.
    try {
        if (std::exchange(stale_, false)) next = run_->snapshot();
    } catch (const std::exception& error) {
        fail(error.what());
        changed_ = false;
    }
    last_ = stamped(next ? *std::move(next) : *last_);
    outbox_.publish(last_,
                    std::exchange(new_moments_, false) ? std::make_shared<const SnapshotHistory>(moments_) : nullptr);
    published_at_ = before;
    const double share = pace_.rate() > 0.0 ? kDescribeShareAtPace : kDescribeShare;
    next_publish_ = before + std::max(options_.publish_interval, (clock_() - before) / share);
    options_.on_publish();
}

// Keeps a moment for the strip of time. Its step does not depend on the frame rate. The next snapshot publishes it.
void TrainingLoop::keep_moment() {
    try {
        moments_.add(stamped(run_->outline()));
        new_moments_ = true;
    } catch (const std::exception& error) {
        fail(error.what());
    }
}

// With the run's number and status.
std::shared_ptr<Snapshot> TrainingLoop::stamped(Snapshot snapshot) {
    snapshot.run_number = run_number_;
    RunStatus& status = snapshot.status;
    status.state = state_;
    status.reason = state_ == RunState::failed ? reason_ : "";
    status.target_step = run_ ? run_->study().target_step() : 0;
    status.elapsed_seconds = training_clock_.elapsed(clock_());
    status.steps_per_second = state_ == RunState::paused ? 0.0 : training_clock_.steps_per_second();
    status.pace = pace_.rate();
    status.threads = pool_.threads();
    return std::make_shared<Snapshot>(std::move(snapshot));
}

}  // namespace emergence
