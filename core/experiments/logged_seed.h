#pragma once
// What all seeds that take steps and log rows have in common: when they log, when they emerged, how they are saved and
// loaded.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/archive.h"
#include "core/lab/study.h"
#include "core/lab/views/measured.h"

namespace emergence {

/// A seed that logs what it measures, at step 0 and at every logged step. It never fails unless a derived class
/// overrides failed().
template <class Measured>
class LoggedSeed : public Experiment, private Archived<LoggedSeed<Measured>> {
    friend Archived<LoggedSeed>;

  public:
    SeedStatus status() const override {
        return {seed_, step(), failed(), failed() ? why_failed() : "", emerged_, emerged_at_, lacks_};
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
    /// Lists for save() and load() all that the next step and its row depend on.
    virtual void state(Archive& archive) = 0;

  protected:
    /// log_interval: in steps.
    LoggedSeed(uint64_t seed, int seed_index, int64_t log_interval, Metrics<Measured> metrics)
        : seed_(seed), seed_index_(seed_index), log_interval_(log_interval), metrics_(std::move(metrics)) {}

    virtual void take_step() = 0;
    virtual bool is_logged(int64_t step) const { return step % log_interval_ == 0; }
    /// Calls judge() if the experiment has a rule of emergence.
    virtual Measured measure() = 0;
    /// "diverged at update 12"; called if failed().
    virtual std::string why_failed() const { return ""; }

    /// emerged_at: the logged step from which on the rule has held; set anew if a seed loses it and emerges again.
    /// lacks: what a seed that has not emerged lacks, where that is known.
    void judge(bool emerged, std::string lacks = "") {
        if (emerged && !emerged_) emerged_at_ = last_logged_;
        emerged_ = emerged;
        lacks_ = std::move(lacks);
    }
    void log(std::vector<MetricRow>& rows) {
        last_logged_ = step();
        rows.push_back({seed_index_, last_logged_, metrics_.values(measure())});
    }

    uint64_t seed() const { return seed_; }
    int seed_index() const { return seed_index_; }
    /// -1 before the first row.
    int64_t last_logged() const { return last_logged_; }

    int64_t last_logged_ = -1;
    int64_t emerged_at_ = -1;
    bool emerged_ = false;

  private:
    uint64_t seed_;
    int seed_index_;
    std::string lacks_;
    int64_t log_interval_;
    Metrics<Measured> metrics_;
};

}  // namespace emergence
