#pragma once
// What the trainer's thread does, without the thread: obey commands, train a chunk, publish. Time comes from
// a clock that is handed in, so that all of it can be tested.

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/lab/command.h"
#include "core/lab/outbox.h"
#include "core/lab/pace.h"
#include "core/lab/run.h"
#include "core/lab/thread_pool.h"
#include "core/lab/trainer.h"

namespace emergence {

class TrainingLoop {
  public:
    using Clock = std::function<double()>;  // seconds, never going back

    /// `outbox` must outlive the loop. Throws InputError where `options` are out of range.
    TrainingLoop(Trainer::Options options, Outbox& outbox, Clock clock);
    ~TrainingLoop();
    TrainingLoop(const TrainingLoop&) = delete;
    TrainingLoop& operator=(const TrainingLoop&) = delete;

    /// Obeys all of them and publishes what they changed.
    void obey(std::vector<Command> commands);
    /// Trains one chunk if one is due and publishes if that is due. Returns the seconds until there is
    /// something to do again: 0 for at once, infinity for not before another command.
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
    void start_run(std::unique_ptr<Run> run, const ExperimentInfo& info, const Restart& command);
    void begin_without_run(const Restart& refused, const std::string& why);

    void publish();
    void keep_moment();
    void stamp(Snapshot& snapshot);
    void wake() const;
    double seconds_until_due();

    Trainer::Options options_;
    Outbox& outbox_;
    Clock clock_;
    ThreadPool pool_;
    std::unique_ptr<Run> run_;              // null until one could be made
    const ExperimentInfo* info_ = nullptr;  // of the run
    uint64_t run_number_ = 0;

    RunState state_ = RunState::paused;
    std::string reason_;                 // why it failed
    std::optional<int64_t> stop_after_;  // the step at which a StepOnce ends
    bool resume_when_extended_ = false;  // it was running freely when it finished

    int place_ = 0;           // in the convoy, where there is one
    bool held_back_ = false;  // others have to catch up first

    Pace pace_;
    ChunkSize chunk_;
    TrainingClock training_clock_;

    std::shared_ptr<const Snapshot> last_;
    SnapshotHistory moments_;
    bool new_moments_ = false;  // moments_ holds some that were not published
    bool stale_ = false;        // the run has changed since last_ was described
    bool changed_ = false;      // something that has to be published at once
    double next_publish_ = -std::numeric_limits<double>::infinity();
};

}  // namespace emergence
