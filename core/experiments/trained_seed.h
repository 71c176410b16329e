#pragma once
// What seeds that train a network have in common: when they log, when they emerged, how they are saved and loaded.

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/lab/study.h"
#include "core/training/state_arrays.h"
#include "core/training/thinned_trace.h"

namespace emergence {

/// A seed that takes steps of a `Training` and logs what it measures, at step 0 and at every logged step. `Training`
/// has diverged(), save() and load().
template <class Training>
class TrainedSeed : public Experiment {
  public:
    // What is kept is known by its address.
    TrainedSeed(const TrainedSeed&) = delete;
    TrainedSeed& operator=(const TrainedSeed&) = delete;

    bool failed() const override { return training_.diverged(); }
    void set_live(const Settings&) override {}  // live fields concern the study

    void advance(int64_t target_step, std::vector<MetricRow>& rows) override {
        if (last_logged_ < 0) log(rows);
        while (step() < target_step && !failed()) {
            train_one_step();
            if (!failed() && is_logged(step())) log(rows);
        }
    }

    SeedStatus status() const override {
        SeedStatus status{seed_, step(), failed(), "", emerged_, emerged_at_};
        if (failed()) status.reason = why_diverged() + "; the weights before it are kept";
        return status;
    }

    ArrayMap save() const override {
        ArrayMap state = training_.save();
        for (const Kept& kept : kept_) kept.save(state);
        state["log"] = array_of(std::vector<int64_t>{last_logged_, emerged_at_, emerged_ ? 1 : 0});
        return state;
    }
    void load(const ArrayMap& state) override {
        ArrayMap rest = state;
        std::vector<int64_t> log(3);
        read_array(rest, "log", log);
        rest.erase("log");
        for (const Kept& kept : kept_) kept.take(rest);
        training_.load(rest);
        last_logged_ = log[0];
        emerged_at_ = log[1];
        emerged_ = log[2] != 0;
        forget();
    }

    const Training& training() const { return training_; }

  protected:
    /// log_interval: in steps. `make` returns the training of a seed; it is never moved.
    template <class Make>
    TrainedSeed(uint64_t seed, int seed_index, int64_t log_interval, const Make& make)
        : seed_(seed), seed_index_(seed_index), log_interval_(log_interval), training_(make(seed_)) {}

    virtual void train_one_step() = 0;
    virtual bool is_logged(int64_t step) const { return step % log_interval_ == 0; }
    /// A row's values, in the order of the study's metrics. Calls judge() if the experiment has a rule of emergence.
    virtual std::vector<double> measure() = 0;
    /// "diverged in update 12, its loss not finite".
    virtual std::string why_diverged() const = 0;

    /// Drops what was computed from the state before load().
    virtual void forget() {}

    /// Saves and loads `value`, a member, with the seed.
    void keep(const std::string& name, double& value) {
        kept_.push_back(
            {[&value, name](ArrayMap& state) { state[name] = array_of(std::vector<double>{value}); },
             [&value, name](ArrayMap& state) {
                 std::vector<double> one(1);
                 read_array(state, name, one);
                 state.erase(name);
                 value = one[0];
             }});
    }
    void keep(ThinnedTrace& trace) {
        kept_.push_back({[&trace](ArrayMap& state) { trace.save(state); },
                         [&trace](ArrayMap& state) { trace.take(state); }});
    }
    /// `part` has save(), which returns an Array, and load().
    template <class Part>
    void keep_part(const std::string& name, Part& part) {
        kept_.push_back({[&part, name](ArrayMap& state) { state[name] = part.save(); },
                         [&part, name](ArrayMap& state) {
                             const auto array = state.extract(name);
                             require_array(!array.empty(), name, "is missing");
                             part.load(array.mapped());
                         }});
    }

    void judge(bool emerged) {
        emerged_ = emerged;
        if (emerged_ && emerged_at_ < 0) emerged_at_ = last_logged_;
    }
    void log(std::vector<MetricRow>& rows) {
        last_logged_ = step();
        rows.push_back({seed_index_, last_logged_, measure()});
    }

    int seed_index() const { return seed_index_; }
    /// -1 before the first row.
    int64_t last_logged() const { return last_logged_; }
    Training& own_training() { return training_; }

  private:
    struct Kept {
        std::function<void(ArrayMap&)> save;
        std::function<void(ArrayMap&)> take;
    };

    uint64_t seed_;
    int seed_index_;
    int64_t log_interval_;
    Training training_;
    std::vector<Kept> kept_;
    int64_t last_logged_ = -1;
    int64_t emerged_at_ = -1;
    bool emerged_ = false;
};

}  // namespace emergence
