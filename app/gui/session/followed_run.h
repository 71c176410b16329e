#pragma once
// What the window knows of one trainer's run: the news, the history, and the moment that is shown.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/session/past_run.h"
#include "app/gui/session/trainer_link.h"
#include "app/gui/shell/jobs.h"
#include "core/lab/runs/run.h"
#include "core/lab/snapshot.h"
#include "core/lab/study.h"

namespace emergence {

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

    /// Shows the moment nearest to `step`, evaluated at the live fields of `settings`: at once where it is
    /// that already, else as soon as it is.
    void show(int64_t step, const Settings& settings);
    /// Shows this moment, one of the run's.
    void show_exactly(Moment moment);
    void show_live();

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
};

}  // namespace emergence
