#pragma once
// Experiment "bandit-race": all chosen algorithms play one environment of Chen et al. 2025 side by side. One
// step is one round, so that pace, play and the time strip control the race.

#include "core/base/array.h"
#include "core/experiments/bandits/bandit_fields.h"
#include "core/experiments/bandits/bandit_players.h"
#include "core/lab/snapshot.h"
#include "core/lab/study.h"
#include "core/lab/views/measured.h"
#include "core/settings/fields.h"

namespace emergence {

/// Every setting of experiment "bandit-race".
struct BanditRaceConfig : BanditWorldFields, BanditPlayerFields {
    std::string marked = "all";
    std::string timeline_of = "master-linucb";
    std::string first = "regret";
    int64_t seed = 0;
    int seeds = 1;

    void fields(Fields& f);
};

/// The experiment's entry in the registry.
ExperimentInfo bandit_race();

/// An environment while it is played.
struct BanditRaceState {
    const BanditTrajectory* world = nullptr;
    /// Rounds played so far.
    int rounds = 0;
    const BanditPlayers* players = nullptr;
    /// Per player: the arm of each round.
    std::vector<const std::vector<int>*> arms;
    /// Per player: the regret so far.
    std::vector<double> regret;
    /// Per player; null if it is not MASTER.
    std::vector<const MasterTimeline*> timelines;
};

/// A player's regret, of all rounds so far and of the last one.
struct RaceRegret {
    double total = 0.0, last = kMissing;
};
/// Two metrics per player: regret_ID and suboptimality_ID.
Metrics<std::vector<RaceRegret>> race_metrics(const std::vector<BanditPlayer>& players);

/// Cumulative dynamic regret and suboptimality of every player, against rounds.
std::vector<MetricPlot> race_metric_plots(const BanditPlayers& players);

/// Expected rewards m_t(k), arms x rounds, up to the present round.
NamedMatrix race_rewards(const BanditRaceState& state);
/// The choices of `marked` (an id, "all" or "best arm") in them. Those of one player lie at the cells' edges; if all are
/// marked, each has a lane.
std::vector<CellMarks> race_marks(const BanditRaceState& state, const std::string& marked);
/// The cosine, the elevation, the segment or the angle, with the changes as vertical lines.
PlotSpec race_world_plot(const BanditRaceState& state);
/// The three least regrets: "round 120: least regret transformer 40, ...".
std::string race_headline(const BanditRaceState& state);
/// Figure 2: MASTER's instances by order, with the active one marked and restarts as vertical lines.
PlotSpec master_timeline_plot(const MasterTimeline& timeline, const std::string& whose, int rounds, int of_rounds);
/// Both tests' statistics over their thresholds.
PlotSpec master_tests_plot(const MasterTimeline& timeline, const std::string& whose, int of_rounds);

}  // namespace emergence
