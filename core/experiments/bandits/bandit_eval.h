#pragma once
// Experiment "bandit-eval": all algorithms play the same many environments. One step plays one environment of
// each stream.

#include "core/experiments/bandits/bandit_fields.h"
#include "core/experiments/bandits/bandit_players.h"
#include "core/experiments/bandits/bandit_stream.h"
#include "core/lab/metrics.h"
#include "core/lab/snapshot.h"
#include "core/lab/study.h"
#include "core/settings/fields.h"

namespace emergence {

/// Every setting of experiment "bandit-eval".
struct BanditEvalConfig : BanditWorldFields, BanditPlayerFields, BanditStreamFields {
    std::string compare_with = "linucb";

    void fields(Fields& f);
};

/// The experiment's entry in the registry.
ExperimentInfo bandit_eval();

/// Regret curves of single environments, at the same numbers of rounds.
struct BanditCurves {
    std::vector<int> at;                                   // rounds played, from 0 to T
    std::vector<std::vector<std::vector<double>>> regret;  // [player][environment][point]
    std::vector<std::vector<double>> rate;                 // [environment][point]: optimal_rate()
};

/// Rounds at which a curve is stored: from 0 to `rounds`, at most 101.
std::vector<int> curve_points(int rounds);

/// Cumulative regret, one row per environment. Corollary 2's rate and a straight line,
///     c min{sqrt(J t), Delta^(1/3) t^(2/3) + sqrt(t)}  and  c t,
/// are each fitted with one constant c to the best player that is not an oracle.
PlotSpec eval_regret_plot(const BanditCurves& curves, const BanditPlayers& players);
/// Regret per round, averaged over the rounds between two points.
PlotSpec eval_suboptimality_plot(const BanditCurves& curves, const BanditPlayers& players);
/// Of eval_regret_plot(), regret minus the regret of player `compare_with` (an id) on the same environment; if that does
/// not play, minus the first player's.
PlotSpec eval_difference_plot(const PlotSpec& regret, const BanditPlayers& players, const std::string& compare_with);
/// Summary of a player's final regrets over the environments: mean, standard deviation, quartiles.
Summary final_regret(const BanditCurves& curves, size_t player);

/// The number of environments and each player's mean final regret, with its standard error.
std::vector<Scalar> eval_scalars(const BanditCurves& curves, const BanditPlayers& players);

/// The three least mean regrets with their standard errors: "least regret transformer 97 ± 4.6, ...".
std::string eval_headline(const BanditCurves& curves, const BanditPlayers& players);
/// Adds to the snapshot the number of environments, the headline, and each player's final regrets (array final_ID).
void describe_streams(const BanditCurves& curves, const BanditPlayers& players, Snapshot& snapshot);

/// The mean final regret so far of every player, against environments.
std::vector<MetricPlot> eval_metric_plots(const BanditPlayers& players);

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
