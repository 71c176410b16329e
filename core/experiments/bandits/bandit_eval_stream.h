#pragma once
// Plays many environments and stores the curves of each: one seed of "bandit-eval" or "bandit-inside".

#include <memory>
#include <vector>

#include "core/experiments/bandits/bandit_eval_plots.h"
#include "core/experiments/bandits/bandit_stream.h"

namespace emergence {

/// The environments and the players of all streams of a run.
struct EvalGame {
    BanditOptions world;
    BanditPlayers players;
};

/// One stream of environments with the curves of each.
class EvalStream final : public BanditStream {
  public:
    EvalStream(const BanditStreamFields& fields, int seed_index, std::shared_ptr<const EvalGame> game);

    const std::vector<std::vector<double>>& rate() const { return columns().back(); }

  protected:
    void play_environment(uint32_t index) override;

  private:
    std::shared_ptr<const EvalGame> game_;
    std::vector<int> at_;
    BanditTrajectory world_;
};

/// Curves of all streams of `game`, ordered by environment first, so that rows keep their place as more arrive.
BanditCurves curves_of(const std::vector<const EvalStream*>& streams, const EvalGame& game);

}  // namespace emergence
