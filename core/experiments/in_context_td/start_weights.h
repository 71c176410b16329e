#pragma once
// Weights of experiment "td" that it did not train: a run of the published code that is gone through instead
// of training, and weights in a file to start from.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/experiments/in_context_td/published_run.h"
#include "core/experiments/in_context_td/td_study.h"
#include "core/settings/fields.h"

namespace emergence {

/// The runs of the field `replay`, one a seed.
class Replay {
  public:
    /// Throws InputError where they cannot be read or are not of these settings.
    explicit Replay(const InContextTdConfig& config);

    const AuthorsRun& run(int seed_index) const { return runs_[static_cast<size_t>(seed_index)]; }
    /// The flat weights at logged point `index`: all P, then all Q.
    std::vector<float> weights(int seed_index, size_t index) const;
    /// VD, IWS and SS as that code logged them at this step; not a number where the file lacks them.
    std::vector<double> logged_scores(int seed_index, int64_t step) const;
    /// The last logged step of all.
    int64_t last_step() const;
    /// What there is to be said of the pictures: what stands where nothing was logged.
    std::string note() const;

  private:
    std::string source_;
    std::vector<AuthorsRun> runs_;
};

/// Null without the field `replay`.
std::shared_ptr<const Replay> make_replay(const InContextTdConfig& config);

/// What seed number `seed_index` starts from where the field `weights` names a file: NPZ with the network's
/// arrays (P and Q: layers x D x D, seeds before them or not; of a run of the published code the last logged
/// ones), and alpha, where it has one. A file of one network serves all seeds. Throws InputError, naming
/// the file and the array.
std::optional<LearnedWeights> start_weights(const InContextTdConfig& config, int seed_index);

/// Throws InputError where `replay` or `weights` cannot be used with the other settings.
void check_start(const InContextTdConfig& config);

}  // namespace emergence
