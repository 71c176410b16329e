#pragma once
// The work of the trainer's thread, without the thread: obey commands, train a chunk, publish. The caller passes the
// clock, so that tests control the time.

#include <limits>

#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "core/lab/store/moments.h"
#include "core/lab/trainer/mailboxes.h"
#include "core/lab/trainer/pace.h"
#include "core/lab/trainer/trainer.h"

namespace emergence {

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
