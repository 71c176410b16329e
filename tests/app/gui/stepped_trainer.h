#pragma once
// A trainer without a thread: it obeys at once and trains ten steps whenever it is asked for news.

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/gui/session/session.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "tests/support/toy_study.h"

namespace emergence::testing {

class SteppedTrainer : public TrainerLink {
  public:
    SteppedTrainer(const Settings& settings, bool running, std::vector<Command>& sent)
        : settings_(settings), sent_(sent) {
        start(settings, running);
    }

    void send(Command command) override {
        sent_.push_back(command);
        if (std::holds_alternative<Resume>(command)) running_ = true;
        if (std::holds_alternative<Pause>(command)) running_ = false;
        if (const auto* step = std::get_if<StepOnce>(&command)) {
            running_ = false;
            advance(step->steps);
        }
        if (const auto* restart = std::get_if<Restart>(&command)) {
            if (publishes_left_)
                left_.push_back({state_now(), std::make_shared<const SnapshotHistory>(), std::exchange(rows_, {})});
            if (publishes_left_) saved_.reset();  // as the real one drops what nobody has taken
            start(restart->settings, restart->run_now);
            if (restart->from) go_on_from(*restart->from);
        }
        if (std::holds_alternative<TakeState>(command)) saved_ = state_now();
        if (const auto* live = std::get_if<SetLive>(&command)) {
            settings_.set(live->field, live->value);
            run_->study().set_live(settings_);
            run_->set_live(settings_);
        }
        fresh_ = true;
    }

    Published poll() override {
        if (running_ && !run_->finished()) {
            advance(10);
            fresh_ = true;
        }
        Published news;
        news.run_number = run_number_;
        news.study = run_->shared_study();
        news.saved = std::exchange(saved_, nullptr);
        news.left = std::exchange(left_, {});
        if (!fresh_) return news;
        fresh_ = false;
        news.rows = std::exchange(rows_, {});
        std::optional<Snapshot> described = describe();
        if (!described) return news;
        Snapshot& snapshot = *described;
        snapshot.run_number = run_number_;
        snapshot.status.target_step = run_->study().target_step();
        snapshot.status.state = run_->finished() ? RunState::finished : running_ ? RunState::running : RunState::paused;
        snapshot.status.steps_per_second = running_ ? 600.0 : 0.0;
        snapshot.status.elapsed_seconds = elapsed_;
        news.snapshot = std::make_shared<const Snapshot>(std::move(*described));
        return news;
    }

    std::vector<std::string> take_notices() override { return std::exchange(notices_, {}); }
    void notify(const std::string& text) { notices_.push_back(text); }
    /// What the status says of the time that training has taken.
    void set_elapsed(double seconds) { elapsed_ = seconds; }
    /// From now on every run that a restart ends is published, as the real one does with all but short ones.
    void publishes_left() { publishes_left_ = true; }

  private:
    // As the real one does: what goes wrong becomes a notice, and the run pauses.
    std::optional<Snapshot> describe() {
        try {
            return run_->snapshot();
        } catch (const std::exception& error) {
            notify(error.what());
            running_ = false;
            return std::nullopt;
        }
    }

    std::shared_ptr<const SavedRun> state_now() const {
        return std::make_shared<const SavedRun>(SavedRun{state_of("toy", *run_, 1.5), numbered(run_->outline())});
    }
    void start(const Settings& settings, bool running) {
        settings_ = settings;
        running_ = running;
        ++run_number_;
        rows_.clear();
        run_ = std::make_unique<Run>(toy_info().make(settings), pool_);
        advance(0);
        fresh_ = true;
    }
    void go_on_from(const Checkpoint& checkpoint) {
        restore(checkpoint, *run_);
        rows_ = checkpoint.rows;
    }
    Snapshot numbered(Snapshot snapshot) const {
        snapshot.run_number = run_number_;
        return snapshot;
    }
    void advance(int64_t steps) {
        for (MetricRow& row : run_->advance_to(run_->step() + steps)) rows_.push_back(std::move(row));
    }

    ThreadPool pool_{1};
    Settings settings_;
    std::vector<Command>& sent_;
    std::unique_ptr<Run> run_;
    std::vector<MetricRow> rows_;
    std::shared_ptr<const SavedRun> saved_;
    std::vector<LeftRun> left_;
    bool publishes_left_ = false;
    std::vector<std::string> notices_;
    uint64_t run_number_ = 0;
    double elapsed_ = 0.0;
    bool running_ = false;
    bool fresh_ = true;
};

// One that is told things and does none of them: of any experiment.
class DeafTrainer : public TrainerLink {
  public:
    void send(Command command) override { restarts += std::holds_alternative<Restart>(command) ? 1 : 0; }
    Published poll() override { return {}; }
    std::vector<std::string> take_notices() override { return {}; }
    int restarts = 0;
};

}  // namespace emergence::testing
