#pragma once
// The runs that the window knows: the connection to a trainer, a run that it follows, a run that was replaced, and
// saved runs that are drawn beside the present one.

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

/// The connection to a trainer. Tests replace it, so the whole window can be tested without a thread.
class TrainerLink {
  public:
    virtual ~TrainerLink() = default;
    virtual void send(Command command) = 0;
    virtual Published poll() = 0;
    virtual std::vector<std::string> take_notices() = 0;
};

/// The connection to a real trainer. If both need a core, drawing has priority over training.
class LiveTrainer : public TrainerLink {
  public:
    LiveTrainer(const Restart& first, const Trainer::Options& options);
    void send(Command command) override { trainer_->send(std::move(command)); }
    Published poll() override { return trainer_->poll(); }
    std::vector<std::string> take_notices() override { return trainer_->take_notices(); }

  private:
    std::unique_ptr<Trainer> trainer_;
};

/// A saved run whose curves are drawn beside the present run's.
struct OverlaidRun {
    std::filesystem::path folder;
    std::string name;  // the name in legends
    std::shared_ptr<const Study> study;
    MetricHistory history;
    std::shared_ptr<const Snapshot> snapshot;  // its last moment
};

/// The folders' names, each with as many parent folders as are needed to tell them apart: "a/td", "b/td".
std::vector<std::string> names_apart(const std::vector<std::filesystem::path>& folders);

/// Reads a run's folder and describes its last moment. Throws InputError.
std::shared_ptr<const OverlaidRun> overlaid_run(const std::filesystem::path& folder, const FindExperiment& find);

/// A run that another one has replaced, with everything needed to resume it.
struct PastRun {
    std::shared_ptr<const SavedRun> saved;  // never null
    MetricHistory history;                  // its rows up to that state, perhaps a few more
    std::shared_ptr<const SnapshotHistory> moments;
};

/// The state from which a run with these rows resumes.
std::shared_ptr<const Checkpoint> checkpoint_of(const SavedRun& saved, const MetricHistory& history);

/// The moment with plots and scalars at these settings, or the moment itself if they cannot be computed.
std::shared_ptr<const Snapshot> evaluated(const Study& study, const std::shared_ptr<const Snapshot>& moment,
                                          const Settings& settings);

/// What the window knows of one trainer's run: news, history, and the moment that is shown.
class FollowedRun {
  public:
    using Moment = std::shared_ptr<const Snapshot>;

    /// Moments of the past are evaluated on `lane`, so the window never waits for a model.
    FollowedRun(std::unique_ptr<TrainerLink> link, Jobs& jobs, Lane lane);

    /// Takes what the trainer has published and what was evaluated. Returns true if anything is new.
    bool update();
    void send(Command command) { link_->send(std::move(command)); }
    std::vector<std::string> take_notices() { return link_->take_notices(); }

    const Moment& live() const { return live_; }  // null before the first
    /// The chosen moment, or the live one if none was chosen.
    const Moment& shown() const { return past_ ? past_ : live_; }
    const MetricHistory& history() const { return history_; }
    const SnapshotHistory& moments() const { return moments_; }
    const std::shared_ptr<const Study>& study() const { return study_; }  // null before the first
    uint64_t run_number() const { return run_number_; }
    /// True if the run has finished or failed.
    bool at_end() const;
    /// The state that was asked for with TakeState, once, as soon as it is there. history() then holds its rows.
    std::shared_ptr<const SavedRun> take_saved() { return std::exchange(saved_, nullptr); }
    /// The runs that the present one has replaced since the last call, if they are worth a return.
    std::vector<PastRun> take_left() { return std::exchange(left_, {}); }

    /// Shows the moment nearest to `step`, evaluated at the live fields of `settings`: at once if it is evaluated
    /// already, otherwise as soon as it is.
    void show(int64_t step, const Settings& settings);
    void show_live();

    /// The study's further marks on the map. compute_marks() computes them on a worker, once for each key.
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
    Moment past_;                             // shown instead of live_, unless null
    std::optional<Settings> asked_settings_;  // of the moment that is being evaluated or was shown last
    int64_t asked_step_ = 0;
    std::shared_ptr<const Study> study_;
    MetricHistory history_;
    SnapshotHistory moments_;
    std::shared_ptr<const SavedRun> saved_;  // the state of this run
    std::vector<PastRun> left_;
    uint64_t run_number_ = 0;
    Job evaluation_;
    // The last evaluation's result until it is taken. It is shared, because a run B may end before its evaluation does.
    std::shared_ptr<Moment> evaluated_ = std::make_shared<Moment>();
    Job marking_;
    // By their keys. They are shared for the same reason.
    std::shared_ptr<std::map<std::string, std::shared_ptr<const PlaneMarks>>> marks_ =
        std::make_shared<std::map<std::string, std::shared_ptr<const PlaneMarks>>>();
};

}  // namespace emergence
