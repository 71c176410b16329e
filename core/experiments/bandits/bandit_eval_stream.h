#pragma once
// Plays many environments and stores the curves of each: one seed of "bandit-eval" or "bandit-inside".

#include <string>
#include <vector>

#include "core/experiments/bandits/bandit_eval_plots.h"
#include "core/experiments/bandits/bandit_stream.h"

namespace emergence {

/// One stream of environments with the curves of each.
class EvalStream final : public BanditStream {
  public:
    /// `experiment`: its name in the registry, for messages.
    EvalStream(std::string experiment, const BanditOptions& options, const BanditPlayers& players,
               uint64_t seed, int seed_index, int log_interval);

    const std::vector<std::vector<double>>& regret(size_t player) const { return columns()[player]; }
    const std::vector<std::vector<double>>& rate() const { return columns().back(); }

  protected:
    void play_environment(uint32_t index) override;

  private:
    BanditOptions options_;
    std::vector<int> at_;
    BanditTrajectory world_;
};

/// Curves of all seeds, ordered by environment first, so that rows keep their place as more arrive. `seeds`
/// must be `EvalStream` objects with `num_players` players and T = `rounds`.
BanditCurves curves_of(const std::vector<const Experiment*>& seeds, size_t num_players, int rounds);

}  // namespace emergence
