#pragma once
// What the window works on: the trainer's latest news, and what the user has asked of it. No drawing here.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/undo_list.h"
#include "core/runtime/command.h"
#include "core/runtime/metrics.h"
#include "core/runtime/snapshot.h"
#include "core/runtime/snapshot_history.h"
#include "core/runtime/study.h"
#include "core/runtime/trainer.h"

namespace emergence {

/// The way to a trainer, so that panels can be tested without a thread.
class TrainerLink {
  public:
    virtual ~TrainerLink() = default;
    virtual void send(Command command) = 0;
    virtual Published poll() = 0;
    virtual std::vector<Notice> take_notices() = 0;
    virtual double longest_wait() const = 0;
};

/// The paces that + and - step through, in steps a second; the last is "as fast as it goes".
const std::vector<double>& pace_ladder();
/// The rung that is nearest to a pace.
int pace_rung(double steps_per_second);

class Session {
  public:
    struct Options {
        double steps_per_second = 250.0;  // 0: as fast as it goes
        bool running = true;
        int threads = 1;  // that train
    };

    /// `info` must outlive the session. The trainer at the other end of `link` has been started with
    /// `settings`.
    Session(const ExperimentInfo& info, Settings settings, std::unique_ptr<TrainerLink> link,
            Options options);

    /// Takes what the trainer has published. True where there is something new to be drawn.
    bool update();

    const ExperimentInfo& info() const { return *setup_.experiment; }
    /// As the user has set them: may be ahead of snapshot()->settings.
    const Settings& settings() const { return setup_.settings; }
    const std::shared_ptr<const Snapshot>& snapshot() const { return snapshot_; }  // null before the first
    const MetricHistory& history() const { return history_; }
    /// The moments of this run that can be gone back to.
    const SnapshotHistory& moments() const { return moments_; }
    const std::shared_ptr<const Study>& study() const { return study_; }  // null before the first
    double pace() const { return pace_; }
    int threads() const { return threads_; }
    bool wants_to_run() const { return running_; }
    double longest_wait() const { return link_->longest_wait(); }

    /// Runs or pauses; starts again where the run has come to its end.
    void toggle_running();
    void step_once();
    void reset();     // the same seeds from the start
    void new_seed();  // seeds that this run has not used
    void set_pace(double steps_per_second);
    void change_pace(int rungs);
    void set_threads(int threads);
    /// Sets a field: live ones at once, others by starting again. Where the settings would not go together
    /// nothing changes and the reason is kept in refusal().
    void set_field(const std::string& name, const FieldValue& value);
    /// Other settings as a whole, of this or another experiment (it must outlive the session): one step to
    /// undo. Throws InputError, and changes nothing, where they do not go together.
    void load(const ExperimentInfo& info, const Settings& settings);
    /// No control is held any more: what is changed from now on is another step to undo.
    void end_gesture() { undo_.end_gesture(setup_); }
    /// Take back the last change of the settings, or make it again; nothing happens where there is none.
    void undo();
    void redo();
    /// What undo() and redo() would do, "learning rate 0.01 → 0.001"; "" where there is nothing to be done.
    std::string undo_text() const;
    std::string redo_text() const;
    /// Why the last change of this field was refused; "" where it was not.
    std::string refusal(const std::string& name) const;
    /// The field whose value is the stop condition: of the group "run", counted in the run's own steps.
    std::optional<std::string> stop_field() const;

    /// Bad news that has not been dismissed, oldest first.
    std::vector<std::string> banners() const;
    /// One more; a sentence that is there already is not said twice.
    void report(const std::string& sentence);
    void dismiss_banner(size_t index);

  private:
    void restart(bool run_now);
    void change_to(Setup wanted);
    bool at_end() const;
    void note_failures();

    Setup setup_;
    UndoList undo_;
    std::unique_ptr<TrainerLink> link_;
    double pace_;
    bool running_;
    int threads_;
    std::shared_ptr<const Snapshot> snapshot_;
    std::shared_ptr<const Study> study_;
    MetricHistory history_;
    SnapshotHistory moments_;
    uint64_t run_number_ = 0;
    std::string refused_field_;
    std::string refusal_;
    std::vector<std::string> notices_;
    std::string failures_;  // of the present run
    bool failures_seen_ = false;
};

}  // namespace emergence
