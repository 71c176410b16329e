#pragma once
// Weights of experiment "td" from files: a run of the published code that is replayed instead of training,
// and weights to start from.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/experiments/in_context_td/published/published_run.h"
#include "core/experiments/in_context_td/seed/td_weights.h"
#include "core/experiments/in_context_td/td.h"
#include "core/settings/fields.h"

namespace emergence {

/// The runs that the setting `replay` names, one per seed.
class Replay {
  public:
    /// Throws InputError if they cannot be read or do not fit the settings.
    explicit Replay(const InContextTdConfig& config);

    const PublishedRun& run(int seed_index) const { return runs_[seed_index]; }
    /// The flat weights at logged point `index`: all P, then all Q.
    std::vector<float> weights(int seed_index, size_t index) const;
    /// VD, IWS and SS as that code logged them at this step; NaN if the file lacks them.
    std::vector<double> logged_scores(int seed_index, int64_t step) const;
    /// The last logged step of all runs.
    int64_t last_step() const;
    /// A note for the pictures: which weights they show before the first logged step.
    std::string note() const;

  private:
    std::string source_;
    std::vector<PublishedRun> runs_;
};

/// Reads the runs; null without the setting `replay`.
std::shared_ptr<const Replay> make_replay(const InContextTdConfig& config);

/// The weights from which seed number `seed_index` starts; none without the setting `weights`. The file is an
/// NPZ or safetensors with the network's arrays (P and Q: layers x D x D, with or without a leading size for seeds; a run of
/// the published code gives its last logged ones) and, optionally, alpha, which is NaN without. A file of one
/// network serves all seeds. Throws InputError with the file and the array.
std::optional<LearnedWeights> start_weights(const InContextTdConfig& config, int seed_index);

/// Throws InputError if `replay` or `weights` cannot be used with the other settings.
void check_start(const InContextTdConfig& config);

}  // namespace emergence
