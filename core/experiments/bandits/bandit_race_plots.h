#pragma once
// The pictures of experiment "bandit-race".

#include <vector>

#include "core/experiments/bandits/bandit_players.h"
#include "core/lab/metrics.h"
#include "core/lab/snapshot.h"

namespace emergence {

/// An environment in the middle of being played.
struct BanditRaceState {
    const BanditTrajectory* world = nullptr;
    int rounds = 0;  // that have been played
    const std::vector<BanditPlayer>* players = nullptr;
    std::vector<const std::vector<int>*> arms;     // of each player, round by round
    std::vector<double> regret;                    // of each player, so far
    std::vector<const MasterTimeline*> timelines;  // of each player, null where it is not MASTER
};

/// Two metrics a player: regret_ID and suboptimality_ID.
MetricTable race_metrics(const std::vector<BanditPlayer>& players);
std::vector<MetricPlot> race_metric_plots(const BanditPlayers& players);

/// m_t(k), arms x rounds, as far as it has been played, with the choices of `marked` (an id, "all" or "best
/// arm").
NamedMatrix race_rewards(const BanditRaceState& state, const std::string& marked);
/// The cosine, the elevation, the segment or the angle, with the changes as vertical lines.
PlotSpec race_world_plot(const BanditRaceState& state);
/// "round 120: least regret transformer 40, ...", the first three.
std::string race_headline(const BanditRaceState& state);
/// Figure 2: MASTER's instances by order, the active one marked, blocks and restarts as lines.
PlotSpec master_timeline_plot(const MasterTimeline& timeline, const std::string& whose, int rounds,
                              int of_rounds);
/// Both tests' statistics over their thresholds.
PlotSpec master_tests_plot(const MasterTimeline& timeline, const std::string& whose, int of_rounds);

}  // namespace emergence
