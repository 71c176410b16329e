#pragma once
// The thread that trains a run, and what decides how many steps it takes at a time. Classes that measure time have no
// clock: the caller passes the seconds of any monotonic clock as `now`.

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "core/lab/store/checkpoint.h"
#include "core/lab/study.h"

namespace emergence {

/// A token bucket: time earns steps at the wanted pace, and the trainer may then take them.
class Pace {
  public:
    /// 0 for as fast as possible. Steps that were earned so far remain.
    void set_rate(double steps_per_second, double now);
    double rate() const { return rate_; }
    /// Empties the bucket: time before `now` earns nothing.
    void restart(double now);

    /// The number of steps that the trainer may take now. A fast pace hands steps out in batches, to save wake-ups.
    int64_t allowance(double now);
    void spend(int64_t steps);
    /// The seconds until allowance() is no longer 0.
    double seconds_to_wait(double now);

  private:
    void earn(double now);
    double batch() const;

    double rate_ = 0.0;
    double earned_ = 0.0;
    int64_t handed_out_ = 0;  // what is left of the last batch, which may be taken in pieces
    double last_ = 0.0;
};

/// Learns how many steps take about the wanted time. Results do not depend on it.
class ChunkSize {
  public:
    explicit ChunkSize(double wanted_seconds = 0.010) : wanted_seconds_(wanted_seconds) {}
    int64_t steps() const { return steps_; }
    void measured(int64_t steps, double seconds);

  private:
    double wanted_seconds_;
    double seconds_per_step_ = 0.0;  // 0: not yet known
    int64_t steps_ = 1;
};

/// Measures the training time without pauses, and the rate of steps over about its last second.
class TrainingClock {
  public:
    /// No effect if the clock is running.
    void start(double now);
    void stop(double now);
    /// Sets the clock to `elapsed` seconds at `step`, without starting or stopping it.
    void reset(double now, double elapsed = 0.0, int64_t step = 0);

    double elapsed(double now) const { return before_ + (started_ ? now - *started_ : 0.0); }
    void reached(int64_t step, double now);
    double steps_per_second() const;

  private:
    std::optional<double> started_;  // if it is running
    double before_ = 0.0;
    std::deque<std::pair<double, int64_t>> marks_ = {{0.0, 0}};  // elapsed seconds, step
};

/// The runs of a comparison, which advance side by side. Each trainer holds one place. Safe on any thread.
class Convoy {
  public:
    /// Adds a member at step 0 and returns its place.
    int join();
    void leave(int place);
    /// Sets the member's step. Others do not wait for a member that has ended (finished or failed).
    void report(int place, int64_t step, bool ended);

    /// The step of the slowest other member that has not ended, and of the fastest one, ended or not.
    struct Others {
        int64_t slowest = std::numeric_limits<int64_t>::max(), fastest = 0;
    };
    Others others(int place) const;

  private:
    struct Member {
        int64_t step = 0;
        bool ended = false;
    };
    mutable std::mutex mutex_;
    std::map<int, Member> members_;  // by place
};

// The thread that owns a Run: it advances the seeds, publishes snapshots and obeys commands. The window never waits for
// it and never touches the model.

struct Resume {};
struct Pause {};
/// Advances by this many steps, independent of the pace, then pauses. Several add up.
struct StepOnce {
    int64_t steps = 1;
};
/// Starts a new run with these settings; the same seed gives the same random streams.
struct Restart {
    std::string experiment;
    Settings settings;
    bool run_now = true;  // begins training at once; otherwise the run starts paused
    /// The checkpoint, with the same settings, from which the run resumes; null: it starts at step 0.
    std::shared_ptr<const Checkpoint> from = {};
    /// The run's moments before the checkpoint, as they were published; null: those saved in the checkpoint.
    std::shared_ptr<const SnapshotHistory> past = {};
};
/// Takes the run's whole state between two steps and publishes it as Published::saved.
struct TakeState {};
/// Sets a field that applies live.
struct SetLive {
    std::string field;
    FieldValue value;
};
/// Sets the pace: steps per second of each seed; 0 for as fast as possible.
struct SetPace {
    double steps_per_second = 0.0;
};
struct SetThreads {
    int threads = 1;
};

using Command = std::variant<Resume, Pause, StepOnce, Restart, SetLive, SetPace, SetThreads, TakeState>;

/// The whole state of a run, requested by TakeState, with the snapshot of its moment (see Study::outline).
struct SavedRun {
    SavedState state;
    Snapshot moment;
    /// At most kDefaultMoments, or as many as the run was resumed with.
    std::vector<SavedMoment> moments = {};
};

/// A run whose place a Restart has given to another: how it can be resumed.
struct LeftRun {
    std::shared_ptr<const SavedRun> saved;
    std::shared_ptr<const SnapshotHistory> moments;
    std::vector<MetricRow> rows = {};  // its last rows, which no poll() has returned yet
};

/// Everything that the trainer has published since the last poll().
struct Published {
    std::shared_ptr<const Snapshot> snapshot;  // the latest snapshot; null if there is no newer one
    /// The past moments of the run, mostly outlines (see Study::outline), at steps that depend on the run alone; null
    /// if there are no new ones.
    std::shared_ptr<const SnapshotHistory> moments;
    std::vector<MetricRow> rows;  // every new row, none lost, all of `run_number`
    uint64_t run_number = 0;      // if it changes, clear the history first; 0: no run yet
    /// The study of that run, for the names of metrics and plots and for inspect(); null if no run could be made yet.
    /// Use only its immutable parts, because the trainer changes live fields; the snapshot has the settings.
    std::shared_ptr<const Study> study;
    /// The latest requested state of that run, whose rows have all been published.
    std::shared_ptr<const SavedRun> saved = {};
    /// The runs before it that had trained for half a second or more; shorter ones are soon trained again.
    std::vector<LeftRun> left = {};
};

/// The commands without each Restart that a later one makes pointless. A SetLive between the two preserves the first
/// Restart, because it may name a field of that run.
std::vector<Command> without_superseded(std::vector<Command> commands);

/// The mailbox from the trainer's thread to the window, with one short mutex.
class Outbox {
  public:
    /// Begins a new run and drops what nobody has taken of older runs. left: the run before, without its last rows, if
    /// it is kept.
    void begin_run(Published next, std::optional<LeftRun> left = {});
    void push(std::vector<MetricRow> rows);
    /// Replaces the snapshot, and the moments unless null.
    void publish(std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const SnapshotHistory> moments = nullptr);
    /// True if nobody has taken the last snapshot yet.
    bool has_snapshot();
    /// Publishes a state of the current run. The rows up to it must have been pushed.
    void save(std::shared_ptr<const SavedRun> saved);
    /// Adds an error for a banner, a refused setting or an exception, unless the last one that nobody has taken has the
    /// same text.
    void notify(std::string notice);

    /// Takes everything since the last call.
    Published take();
    std::vector<std::string> take_notices();

  private:
    // Old data are freed outside of the mutex.
    std::mutex mutex_;
    Published next_;
    std::vector<std::string> notices_;
};

struct TrainerOptions {
    int threads = 1;
    double steps_per_second = 0.0;  // the pace; 0 for as fast as possible
    /// False if the program may not start threads: poll() then trains for `slice` seconds on the caller's thread, and
    /// longer if frames are slow.
    bool own_thread = true;
    double slice = 0.015;
    /// The least time between two snapshots, in seconds.
    double publish_interval = 1.0 / 30;
    /// Called on the trainer's thread after each publication and notice, to wake the window. Without a thread it is
    /// called when poll() should come soon.
    std::function<void()> on_publish = [] {};
    /// Compared runs share a convoy and advance side by side. Null: the run advances alone.
    std::shared_ptr<Convoy> convoy;
    /// The registry, required. Throws InputError for an unknown name.
    std::function<const ExperimentInfo&(const std::string&)> find_experiment;
};

/// The work of the trainer's thread, without the thread: obey commands, train a chunk, publish. The caller passes the
/// clock, so that tests control the time.
class TrainingLoop {
  public:
    /// Gives seconds and never goes back.
    using Clock = std::function<double()>;

    /// `outbox` must outlive the loop. Throws InputError if `options` are out of range.
    TrainingLoop(TrainerOptions options, Outbox& outbox, Clock clock);
    ~TrainingLoop();

    /// Obeys all commands and publishes their effect.
    void obey(std::vector<Command> commands);
    /// Trains one chunk if due, and publishes if due. Returns the seconds until the next turn: 0 for at once, infinity
    /// for not before another command.
    double turn();

  private:
    void on(const Resume&);
    void on(const Pause&);
    void on(const StepOnce& command);
    void on(const Restart& command);
    void on(const SetLive& command);
    void on(const SetPace& command);
    void on(const SetThreads& command);
    void on(const TakeState&);

    void advance();
    int64_t steps_allowed(double now);
    int64_t lead() const;
    void report();
    void settle();
    void set_state(RunState state);
    void fail(std::string reason);
    void refuse(const std::string& why);
    std::vector<Snapshot> past_of(const Restart& command, Run& run);
    void start_run(std::unique_ptr<Run> run, const ExperimentInfo& info, const Restart& command,
                   std::vector<Snapshot> past);
    void begin_without_run(const Restart& refused, const std::string& why);
    std::shared_ptr<const SavedRun> saved_run();
    std::optional<LeftRun> left_run();

    void publish();
    void keep_moment();
    std::shared_ptr<Snapshot> stamped(Snapshot snapshot);
    double publish_at();

    TrainerOptions options_;
    Outbox& outbox_;
    Clock clock_;
    ThreadPool pool_;
    std::unique_ptr<Run> run_;  // null until the first run could be made
    const ExperimentInfo* info_ = nullptr;
    uint64_t run_number_ = 0;

    RunState state_ = RunState::paused;
    std::string reason_;
    std::optional<int64_t> stop_after_;  // the step at which a StepOnce ends
    // The run reached its target while it was running freely, not by a StepOnce.
    bool resume_when_extended_ = false;

    int place_ = 0;           // in the convoy, if there is one
    bool held_back_ = false;  // the run waits for others to catch up

    Pace pace_;
    ChunkSize chunk_;
    TrainingClock training_clock_;

    std::shared_ptr<const Snapshot> last_;
    SnapshotHistory moments_;
    MomentLog states_{kDefaultMoments, 1};  // to save with the run
    bool new_moments_ = false;              // some of moments_ are not published yet
    bool stale_ = false;                    // the run has changed since last_ was described
    bool changed_ = false;                  // a change must be published at once
    double next_publish_ = -std::numeric_limits<double>::infinity();
    double published_at_ = next_publish_;
};

/// Owns the thread. The rules for commands:
/// - A refused command (a field out of range, contradictory settings) changes nothing and adds a notice.
/// - A finished or failed run ignores Resume, Pause and StepOnce. A finished one continues if a live field moves its
///   stop condition further.
/// - After a failure the last good snapshot stays, with the reason in its status, until a Restart.
class Trainer {
  public:
    using Options = TrainerOptions;

    /// Starts the thread, which obeys `first`. If it refuses `first`, it publishes a notice and an empty snapshot whose
    /// status gives the reason, and waits for another Restart. Throws InputError if `options` are out of range.
    Trainer(const Restart& first, const Options& options);
    /// Stops within one chunk of work.
    ~Trainer();

    // None of these blocks on training. They lock a mailbox for a short time.

    void send(Command command);
    /// Takes what is new. See Options::own_thread.
    Published poll();
    std::vector<std::string> take_notices() { return outbox_.take_notices(); }

  private:
    double turn();
    void work();

    std::function<void()> wake_;
    double slice_ = 0.0, slice_end_ = 0.0;  // seconds; the end of the last slice
    // The commands that nobody has obeyed yet, and whether the trainer ends.
    std::mutex mutex_;
    std::condition_variable came_;
    std::vector<Command> commands_;
    bool closed_ = false;
    Outbox outbox_;
    TrainingLoop loop_;  // once thread_ runs, only it uses the loop
    std::thread thread_;
};

}  // namespace emergence
