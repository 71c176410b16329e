#pragma once
// The pictures of experiment "bandit-eval", and what its figures and claims measure.

#include <vector>

#include "core/experiments/bandits/bandit_players.h"
#include "core/lab/metrics.h"
#include "core/lab/snapshot.h"

namespace emergence {

/// Regret curves of single environments, at the same numbers of rounds.
struct BanditCurves {
    std::vector<int> at;                                   // rounds played, from 0 to T
    std::vector<std::vector<std::vector<double>>> regret;  // [player][environment][point]
    std::vector<std::vector<double>> rate;                 // [environment][point]: optimal_rate()
};

/// At most 101 points, T the last one.
std::vector<int> curve_points(int rounds);

/// Cumulative regret, a row an environment, with c min{sqrt(Jt), ...} and a straight line, both fitted to the
/// best player that is no oracle.
PlotSpec eval_regret_plot(const BanditCurves& curves, const BanditPlayers& players);
/// Regret of a round, averaged between two points.
PlotSpec eval_suboptimality_plot(const BanditCurves& curves, const BanditPlayers& players);
/// Regret minus that of player `compare_with` (an id, or the first player where it does not play) on the same
/// environments.
PlotSpec eval_difference_plot(const BanditCurves& curves, const BanditPlayers& players,
                              const std::string& compare_with);
/// A player's final regret: mean, standard deviation, quartiles over the environments.
Summary final_regret(const BanditCurves& curves, size_t player);
std::vector<Scalar> eval_scalars(const BanditCurves& curves, const BanditPlayers& players);

/// "least regret transformer 97 ± 4.6, ...", the first three, with their standard errors.
std::string eval_headline(const BanditCurves& curves, const BanditPlayers& players);
/// What a snapshot of streams says besides its pictures: how many environments, the headline, and in the
/// weights each player's final regrets, final_ID.
void describe_streams(const BanditCurves& curves, const BanditPlayers& players, Snapshot& snapshot);

/// One metric a player: final_ID, the mean final regret so far.
MetricTable eval_metrics(const std::vector<BanditPlayer>& players);
std::vector<MetricPlot> eval_metric_plots(const BanditPlayers& players);

}  // namespace emergence
