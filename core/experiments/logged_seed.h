#pragma once
// The bases of all seeds that take steps and log rows: when they log, when they have emerged, how they save and load.

#include <fmt/format.h>

#include "core/base/array.h"
#include "core/experiments/study_of.h"

namespace emergence {

/// A seed that logs what it measures, at step 0 and at every logged step. It never fails unless a derived class
/// overrides failed().
template <class Measured>
class LoggedSeed : public Experiment, private Archived<LoggedSeed<Measured>> {
    friend Archived<LoggedSeed>;

  public:
    SeedStatus status() const override {
        SeedStatus status{seed_, step(), failed(), failed() ? why_failed() : "", has_lasted(), emerged_at_, lacks()};
        status.seen_later = (lasting_steps() - 1) * log_interval_;
        return status;
    }
    bool failed() const override { return false; }
    void set_live(const Settings&) override {}  // live fields concern the study

    void advance(int64_t target_step, std::vector<MetricRow>& rows) override {
        if (last_logged_ < 0 && is_logged(step())) log(rows);
        while (step() < target_step && !failed()) {
            take_step();
            if (!failed() && is_logged(step())) log(rows);
        }
    }

    ArrayMap save() const override { return Archived<LoggedSeed>::save(); }
    void load(const ArrayMap& stored) override { Archived<LoggedSeed>::load(stored); }
    /// Lists everything that the next step and its row depend on, for save() and load().
    virtual void state(Archive& archive) = 0;

  protected:
    /// Seeds are numbered from `first_seed`. log_interval: in steps.
    LoggedSeed(int64_t first_seed, int seed_index, int64_t log_interval)
        : seed_(static_cast<uint64_t>(first_seed + seed_index)), seed_index_(seed_index), log_interval_(log_interval) {}

    virtual void take_step() = 0;
    virtual bool is_logged(int64_t step) const { return step % log_interval_ == 0; }
    /// Calls judge() if the experiment has a rule of emergence.
    virtual Measured measure() = 0;
    /// "diverged at update 12"; called if failed().
    virtual std::string why_failed() const { return ""; }

    /// holds: whether the rule holds at this logged step. A seed has emerged once it has held for lasting_steps();
    /// emerged_at_ is where that began. lacks: what the seed still lacks, if known.
    void judge(bool holds, std::vector<Lack> lacks = {}) {
        if (holds && !holds_) holds_since_ = last_logged_;
        holds_ = holds;
        if (has_lasted()) emerged_at_ = holds_since_;
        lacks_ = std::move(lacks);
    }
    /// Lists what judge() goes by, in the array "log" with the last logged step, and "held" if the former does not tell
    /// all; for state().
    void judged(Archive& archive) {
        archive("log", last_logged_, emerged_at_, holds_);
        const bool tells_all = lasting_steps() == 1 || (holds_ ? has_lasted() : emerged_at_ < 0);
        if (archive.loads() ? archive.has("held") : !tells_all)
            archive("held", holds_since_);
        else if (archive.loads())
            hold_as_emerged();
    }
    /// Completes a state that has only emerged_at_: in version 0.2.0 the rule held from that step on, however short.
    void hold_as_emerged() {
        holds_since_ = emerged_at_;
        if (lasting_steps() > 1 && !has_lasted()) emerged_at_ = -1;
    }
    void log(std::vector<MetricRow>& rows) {
        last_logged_ = step();
        Row row;
        measure().say(row);
        rows.push_back({seed_index_, last_logged_, std::move(row.values)});
    }

    /// The number of logged steps in a row for which the rule must hold before a seed counts as emerged.
    virtual int64_t lasting_steps() const { return 1; }
    /// Whether the rule has held that long at the last logged step.
    bool has_lasted() const { return holds_ && held_for() >= lasting_steps(); }

    uint64_t seed() const { return seed_; }
    /// -1 before the first row.
    int64_t last_logged() const { return last_logged_; }

    int64_t last_logged_ = -1;
    int64_t emerged_at_ = -1;
    bool holds_ = false;

  private:
    int64_t held_for() const { return (last_logged_ - holds_since_) / log_interval_ + 1; }
    std::vector<Lack> lacks() const {
        if (!holds_ || has_lasted()) return lacks_;
        return {{"the number of logged steps in a row", static_cast<double>(held_for()),
                 static_cast<double>(lasting_steps())}};
    }

    uint64_t seed_;
    int seed_index_;
    std::vector<Lack> lacks_;
    int64_t log_interval_;
    int64_t holds_since_ = -1;
};

/// A seed that counts its steps. take_step() increases step_.
template <class Measured>
class CountedSeed : public LoggedSeed<Measured> {
  public:
    int64_t step() const final { return step_; }

  protected:
    using LoggedSeed<Measured>::LoggedSeed;

    /// Lists the step and whether a row was logged, then `more`, in the array "progress"; for state().
    void progress(Archive& archive, auto&... more) {
        bool logged = this->last_logged_ >= 0;
        archive("progress", step_, logged, more...);
        archive.require(step_ >= 0, "progress", "begins with a negative step");
        if (archive.loads()) this->last_logged_ = logged ? step_ : -1;
    }

    int64_t step_ = 0;
};

/// A seed that collects a sample at each step and logs means over its samples, so nothing at step 0. Its state is its
/// samples; after loading, state() calls resume_at().
template <class Measured>
class SampledSeed : public CountedSeed<Measured> {
  protected:
    using CountedSeed<Measured>::CountedSeed;

    bool is_logged(int64_t step) const override { return step > 0 && CountedSeed<Measured>::is_logged(step); }
    /// `samples`: how many were loaded.
    void resume_at(int64_t samples) { this->step_ = this->last_logged_ = samples; }
};

/// A seed that logs every step and whose settings and step number determine its state: only the number is saved, and
/// loading takes the steps again.
template <class Measured>
class RetracedSeed : public CountedSeed<Measured> {
  public:
    void advance(int64_t target_step, std::vector<MetricRow>& rows) final {
        CountedSeed<Measured>::advance(smaller(target_step, last_step_), rows);
    }
    void state(Archive& archive) final {
        const auto count = this->last_logged_ < 0 ? before_first_ : before_first_ + 1 + this->step_;
        Array number{{}, std::vector<int64_t>{count}};
        archive(name_, number);
        if (!archive.loads()) return;
        const auto* stored = std::get_if<std::vector<int64_t>>(&number.values);
        const int64_t last = before_first_ + 1 + last_step_;
        archive.require(
            stored != nullptr && stored->size() == 1 && stored->front() >= before_first_ && stored->front() <= last,
            name_, "is not one whole number from " + std::to_string(before_first_) + " to " + std::to_string(last));
        const int64_t steps = stored->front() - before_first_ - 1;
        this->step_ = 0;
        this->last_logged_ = steps < 0 ? -1 : steps;
        restart();
        while (this->step_ < steps) this->take_step();
    }

  protected:
    /// The saved number is called `name`; it is `before_first` before the first row, and one more with each row.
    RetracedSeed(int64_t first_seed, int seed_index, int64_t last_step, std::string name, int64_t before_first)
        : CountedSeed<Measured>(first_seed, seed_index, 1),
          last_step_(last_step),
          name_(std::move(name)),
          before_first_(before_first) {}

    /// Returns to the state at step 0.
    virtual void restart() = 0;

  private:
    int64_t last_step_;
    std::string name_;
    int64_t before_first_;
};

/// A seed that takes steps of a `Training`, which has diverged() and state(), and logs a `Measured` of it.
template <class Training, class Measured>
class TrainedSeed : public LoggedSeed<Measured> {
  public:
    bool failed() const override { return training_.diverged(); }
    void state(Archive& archive) override {
        training_.state(archive);
        this->judged(archive);
    }
    const Training& training() const { return training_; }

  protected:
    /// make(number) returns the training of the seed with this number, which is never moved. step_word: "update".
    TrainedSeed(int64_t first_seed, int seed_index, int64_t log_interval, const char* step_word, const auto& make)
        : LoggedSeed<Measured>(first_seed, seed_index, log_interval),
          training_(make(this->seed())),
          step_word_(step_word) {}

    std::string why_failed() const override {
        return fmt::format(
            "diverged in {} {}: the loss, its gradient or the weights are not finite; the weights before it are kept",
            step_word_, this->step() + 1);
    }
    Training& own_training() { return training_; }

  private:
    Training training_;
    const char* step_word_;
};

}  // namespace emergence
