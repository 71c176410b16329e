#pragma once
// The mailboxes between the window and the trainer's thread. Each has one short mutex.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>

#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "core/lab/store/moments.h"
#include "core/lab/trainer/trainer.h"

namespace emergence {

class LockMeter {
  public:
    /// Locks `mutex` and measures the wait if another thread holds it.
    std::unique_lock<std::mutex> lock(std::mutex& mutex) {
        std::unique_lock held(mutex, std::try_to_lock);
        if (held.owns_lock()) return held;
        const auto start = std::chrono::steady_clock::now();
        held.lock();
        const std::chrono::nanoseconds waited = std::chrono::steady_clock::now() - start;
        int64_t longest = longest_.load();
        while (waited.count() > longest && !longest_.compare_exchange_weak(longest, waited.count())) {
        }
        return held;
    }

    /// The longest wait in seconds; 0 if none.
    double longest() const { return 1e-9 * static_cast<double>(longest_.load()); }

  private:
    std::atomic<int64_t> longest_ = 0;  // nanoseconds
};

/// The commands without each Restart that a later one makes pointless. A SetLive between the two preserves the first
/// Restart, because it may name a field of that run.
std::vector<Command> without_superseded(std::vector<Command> commands);

/// A lossless queue from any thread to the trainer's thread.
class Inbox {
  public:
    explicit Inbox(LockMeter& meter) : meter_(meter) {}

    void push(Command command);
    /// Ends all waiting, so that the trainer can stop.
    void close();
    bool closed();

    /// Takes all commands, oldest first.
    std::vector<Command> drain();
    /// Waits until a command arrives, the inbox closes, or `seconds` have passed (0: at once; infinite: no limit).
    void wait(double seconds);

  private:
    LockMeter& meter_;  // measures how long senders wait
    std::mutex mutex_;
    std::condition_variable came_;
    std::vector<Command> commands_;
    bool closed_ = false;
};

class Outbox {
  public:
    explicit Outbox(LockMeter& meter) : meter_(meter) {}

    /// Begins a new run with its first rows and snapshot, and drops what nobody has taken of older runs. `study` is
    /// null if it could not be made. `left`: the run before, with all but its last rows; nothing if it is not kept.
    void begin_run(uint64_t run_number, std::shared_ptr<const Study> study, std::vector<MetricRow> rows,
                   std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const SnapshotHistory> moments,
                   std::optional<LeftRun> left = {});
    /// Adds rows of the current run.
    void push(std::vector<MetricRow> rows);
    /// Replaces the snapshot, and the moments unless null.
    void publish(std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const SnapshotHistory> moments = nullptr);
    /// Nobody has taken the last snapshot yet.
    bool has_snapshot();
    /// Publishes a state of the current run. The rows up to it must have been pushed.
    void save(std::shared_ptr<const SavedRun> saved);
    /// Adds a notice, unless the last one that nobody has taken has the same text.
    void notify(Notice notice);

    /// Takes everything since the last call.
    Published take();
    std::vector<Notice> take_notices();

  private:
    // Under the mutex only pointers are swapped; rows are joined, and dropped data freed, outside.
    LockMeter& meter_;  // measures how long takers wait
    std::mutex mutex_;
    std::shared_ptr<const Snapshot> snapshot_;
    std::shared_ptr<const SnapshotHistory> moments_;
    std::shared_ptr<const Study> study_;
    std::shared_ptr<const SavedRun> saved_;
    std::vector<std::vector<MetricRow>> rows_;
    std::vector<LeftRun> left_;
    uint64_t run_number_ = 0;
    std::vector<Notice> notices_;
};

// The work of the trainer's thread, without the thread: obey commands, train a chunk, publish. The caller passes the
// clock, so that tests control the time.

class TrainingLoop {
  public:
    /// Gives seconds and never goes back.
    using Clock = std::function<double()>;

    /// `outbox` must outlive the loop. Throws InputError if `options` are out of range.
    TrainingLoop(Trainer::Options options, Outbox& outbox, Clock clock);
    ~TrainingLoop();
    TrainingLoop(const TrainingLoop&) = delete;
    TrainingLoop& operator=(const TrainingLoop&) = delete;

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
    std::string reason_of_seeds() const;
    void refuse(const std::string& why);
    std::vector<Snapshot> past_of(const Restart& command, Run& run);
    void start_run(std::unique_ptr<Run> run, const ExperimentInfo& info, const Restart& command,
                   std::vector<Snapshot> past);
    void begin_without_run(const Restart& refused, const std::string& why);
    std::shared_ptr<const SavedRun> saved_run();
    std::optional<LeftRun> left_run();

    void publish();
    void keep_moment();
    void stamp(Snapshot& snapshot);
    void wake() const;
    double seconds_until_due();
    double publish_at();

    Trainer::Options options_;
    Outbox& outbox_;
    Clock clock_;
    ThreadPool pool_;
    // Null until the first run could be made.
    std::unique_ptr<Run> run_;
    const ExperimentInfo* info_ = nullptr;
    uint64_t run_number_ = 0;

    RunState state_ = RunState::paused;
    // The reason of a failure.
    std::string reason_;
    // The step at which a StepOnce ends.
    std::optional<int64_t> stop_after_;
    // The run finished while running, not by a StepOnce.
    bool resume_when_extended_ = false;

    // In the convoy, if any.
    int place_ = 0;
    // The run waits for others to catch up.
    bool held_back_ = false;

    Pace pace_;
    ChunkSize chunk_;
    TrainingClock training_clock_;

    std::shared_ptr<const Snapshot> last_;
    SnapshotHistory moments_;
    // The states to save with the run.
    MomentLog states_{kDefaultMoments, 1};
    // moments_ holds unpublished ones.
    bool new_moments_ = false;
    // The run has changed since last_ was described.
    bool stale_ = false;
    // A change must be published at once.
    bool changed_ = false;
    double next_publish_ = -std::numeric_limits<double>::infinity();
    double published_at_ = next_publish_;
};

}  // namespace emergence
