#pragma once
// What seeds that count their steps themselves have in common, and two special kinds of them.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/experiments/logged_seed.h"

namespace emergence {

/// A seed that counts its steps. take_step() increases step_.
template <class Measured>
class CountedSeed : public LoggedSeed<Measured> {
  public:
    int64_t step() const final { return step_; }

  protected:
    using LoggedSeed<Measured>::LoggedSeed;

    /// Lists the step and whether a row was logged, then `more`, in the array "progress"; for state().
    template <class... Numbers>
    void progress(Archive& archive, Numbers&... more) {
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
        CountedSeed<Measured>::advance(std::min(target_step, last_step_), rows);
    }
    void state(Archive& archive) final {
        const auto count = this->last_logged_ < 0 ? before_first_ : before_first_ + 1 + this->step_;
        Array number{{}, std::vector<int64_t>{count}};
        archive(name_, number);
        if (!archive.loads()) return;
        const auto* stored = std::get_if<std::vector<int64_t>>(&number.values);
        const int64_t last = before_first_ + 1 + last_step_;
        archive.require(
            stored != nullptr && stored->size() == 1 && stored->front() >= before_first_ &&
                stored->front() <= last,
            name_,
            "is not one whole number from " + std::to_string(before_first_) + " to " + std::to_string(last));
        const int64_t steps = stored->front() - before_first_ - 1;
        this->step_ = 0;
        this->last_logged_ = steps < 0 ? -1 : steps;
        restart();
        while (this->step_ < steps) this->take_step();
    }

  protected:
    /// The saved number is called `name`; it is `before_first` before the first row, and one more with each row.
    RetracedSeed(uint64_t seed, int seed_index, int64_t last_step, Metrics<Measured> metrics,
                 std::string name, int64_t before_first)
        : CountedSeed<Measured>(seed, seed_index, 1, std::move(metrics)),
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

}  // namespace emergence
