#pragma once
// The runs that the window knows: the way to a trainer, a run that it follows, one whose place another has taken, and
// saved ones that are drawn beside the present one.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/shell/jobs.h"
#include "core/lab/runs/run.h"
#include "core/lab/snapshot.h"
#include "core/lab/store/checkpoint.h"
#include "core/lab/study.h"
#include "core/lab/trainer/trainer.h"

namespace emergence {

/// The way to a trainer, so that all of the window can be tested without a thread.
class TrainerLink {
  public:
    virtual ~TrainerLink() = default;
    virtual void send(Command command) = 0;
    virtual Published poll() = 0;
    virtual std::vector<Notice> take_notices() = 0;
    virtual double longest_wait() const = 0;
};

/// The way to a real one. Where both want a core, drawing comes before training.
class LiveTrainer : public TrainerLink {
  public:
    LiveTrainer(const Restart& first, const Trainer::Options& options);
    void send(Command command) override { trainer_->send(std::move(command)); }
    Published poll() override { return trainer_->poll(); }
    std::vector<Notice> take_notices() override { return trainer_->take_notices(); }
    double longest_wait() const override { return trainer_->longest_wait(); }

  private:
    std::unique_ptr<Trainer> trainer_;
};

/// A saved run that is drawn beside the present one.
struct OverlaidRun {
    std::filesystem::path folder;
    std::string name;  // as it stands in legends
    std::shared_ptr<const Study> study;
    MetricHistory history;
    std::shared_ptr<const Snapshot> snapshot;  // its last moment
};

/// The folders' names, with as many of the folders that they lie in as tell one from another: "a/td", "b/td".
std::vector<std::string> names_apart(const std::vector<std::filesystem::path>& folders);

/// Reads a run's folder and describes its last moment. Throws InputError.
std::shared_ptr<const OverlaidRun> overlaid_run(const std::filesystem::path& folder, const FindExperiment& find);

/// A run whose place another one has taken, and from where it is resumed.
struct PastRun {
    std::shared_ptr<const SavedRun> saved;  // never null
    MetricHistory history;                  // its rows up to that state, and maybe some more
    std::shared_ptr<const SnapshotHistory> moments;
};

/// The state from which a run with these rows resumes.
std::shared_ptr<const Checkpoint> checkpoint_of(const SavedRun& saved, const MetricHistory& history);

/// A stored moment with its plots and scalars at these settings; itself if they cannot be had.
std::shared_ptr<const Snapshot> evaluated(const Study& study, const std::shared_ptr<const Snapshot>& moment,
                                          const Settings& settings);

/// What the window knows of one trainer's run: the news, the history, and the moment that is shown.
class FollowedRun {
  public:
    using Moment = std::shared_ptr<const Snapshot>;

    /// `lane` is where its moments of the past are evaluated: the window never waits for a model.
    FollowedRun(std::unique_ptr<TrainerLink> link, Jobs& jobs, Lane lane);

    /// Takes what the trainer has published and what was evaluated. True where there is something new.
    bool update();
    void send(Command command) { link_->send(std::move(command)); }
    std::vector<Notice> take_notices() { return link_->take_notices(); }
    double longest_wait() const { return link_->longest_wait(); }

    const Moment& live() const { return live_; }  // null before the first
    /// The moment that was chosen, or the live one.
    const Moment& shown() const { return past_ ? past_ : live_; }
    const MetricHistory& history() const { return history_; }
    const SnapshotHistory& moments() const { return moments_; }
    const std::shared_ptr<const Study>& study() const { return study_; }  // null before the first
    uint64_t run_number() const { return run_number_; }
    /// Finished or failed.
    bool at_end() const;
    /// The state that TakeState asked for, once it is there; once. history() holds its rows by then.
    std::shared_ptr<const SavedRun> take_saved() { return std::exchange(saved_, nullptr); }
    /// The runs whose place the present one has taken since the last call, if they are worth a return.
    std::vector<PastRun> take_left() { return std::exchange(left_, {}); }

    /// The state that TakeState asked for, waited for up to a second, when the run is about to end; nullopt if it has not
    /// come. For a job that owns the run.
    std::optional<PastRun> last_state(const Jobs::Task& task);

    /// Shows the moment nearest to `step`, evaluated at the live fields of `settings`: at once where it is
    /// that already, else as soon as it is.
    void show(int64_t step, const Settings& settings);
    /// Shows this moment, one of the run's.
    void show_exactly(Moment moment);
    void show_live();

    /// The further marks of the study's map, which compute_marks() has made on a worker, once for each key.
    std::shared_ptr<const PlaneMarks> marks() const;
    bool lacks_marks() const;
    void compute_marks();

  private:
    void begin_run(const Published& published);
    void keep_left(const LeftRun& left);
    void evaluate(Moment moment, Settings settings);

    std::unique_ptr<TrainerLink> link_;
    Jobs& jobs_;
    Lane lane_;
    Moment live_;
    Moment past_;                             // shown instead of live_
    std::optional<Settings> asked_settings_;  // of what is being evaluated or was last shown
    int64_t asked_step_ = 0;
    std::shared_ptr<const Study> study_;
    MetricHistory history_;
    SnapshotHistory moments_;
    std::shared_ptr<const SavedRun> saved_;  // of this run
    std::vector<PastRun> left_;
    uint64_t run_number_ = 0;
    Job evaluation_;
    // Of the last evaluation, until it is taken; shared, because a run B may go before its evaluation is over.
    std::shared_ptr<Moment> evaluated_ = std::make_shared<Moment>();
    Job marking_;
    // By their keys; shared likewise.
    std::shared_ptr<std::map<std::string, std::shared_ptr<const PlaneMarks>>> marks_ =
        std::make_shared<std::map<std::string, std::shared_ptr<const PlaneMarks>>>();
};

}  // namespace emergence
