#pragma once
// What seeds that train a network have in common.

#include <cstdint>
#include <string>
#include <utility>

#include "core/experiments/logged_seed.h"
#include "core/training/thinned_trace.h"

namespace emergence {

/// A seed that takes steps of a `Training`, which has diverged() and state(), and logs a `Measured` of it.
template <class Training, class Measured>
class TrainedSeed : public LoggedSeed<Measured> {
  public:
    bool failed() const override { return training_.diverged(); }
    void state(Archive& archive) override {
        training_.state(archive);
        archive("log", this->last_logged_, this->emerged_at_, this->emerged_);
    }
    const Training& training() const { return training_; }

  protected:
    /// `make` returns the training of a seed; it is never moved.
    template <class Make>
    TrainedSeed(uint64_t seed, int seed_index, int64_t log_interval, Metrics<Measured> metrics,
                const Make& make)
        : LoggedSeed<Measured>(seed, seed_index, log_interval, std::move(metrics)), training_(make(seed)) {}

    /// "diverged in update 12, its loss not finite".
    virtual std::string why_diverged() const = 0;
    std::string why_failed() const override { return why_diverged() + "; the weights before it are kept"; }

    Training& own_training() { return training_; }

  private:
    Training training_;
};

}  // namespace emergence
