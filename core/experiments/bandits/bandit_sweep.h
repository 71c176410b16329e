#pragma once
// Experiment "bandit-sweep": final regret against the amount of non-stationarity, or against the number of
// rounds. One step plays one environment of each stream at every point of the sweep.

#include "core/experiments/bandits/bandit_eval.h"
#include "core/experiments/bandits/bandit_players.h"
#include "core/lab/metrics.h"
#include "core/lab/snapshot.h"
#include "core/measures/bandit_measures.h"

namespace emergence {

/// Every setting of experiment "bandit-sweep".
struct BanditSweepConfig : BanditWorldFields, BanditPlayerFields, BanditStreamFields {
    BanditSweepConfig() { log_interval = 1; }
    std::string over = "amount";
    std::string horizon = "usual";

    void fields(Fields& f);
};

/// The experiment's entry in the registry.
ExperimentInfo bandit_sweep();

/// The world's fields at each point of the sweep, by amount or rounds, ascending.
std::vector<BanditOptions> sweep_points(const BanditSweepConfig& config);

/// The players at all points. If the amount is swept, a network's label says whether its training covered all
/// points, and the plot shades the range of its training.
BanditPlayers sweep_players(const BanditSweepConfig& config);

/// Final regrets of single environments.
struct BanditSweepData {
    std::vector<std::vector<std::vector<double>>> regret;  // [player][environment][point]
    std::vector<std::vector<double>> variation;            // [environment][point]: Delta of Definition 1
};

/// The x axis: T, b, N, J, or for drift the mean Delta over the environments.
struct SweepCourse {
    std::string label;
    std::vector<double> x;
};

/// The x axis of a sweep.
SweepCourse sweep_axis(const BanditSweepConfig& config, const BanditSweepData& data);

/// Each player's exponent: the slope of log mean final regret against log x.
std::vector<FittedExponent> sweep_exponents(const BanditSweepConfig& config, const BanditSweepData& data);

/// Final regret, log-log, one row per environment, with guides of slope 1/2 and 1/3.
PlotSpec sweep_plot(const BanditSweepConfig& config, const BanditPlayers& players, const BanditSweepData& data);

/// The number of environments, and each player's exponent with its 95 % interval.
std::vector<Scalar> sweep_scalars(const BanditSweepConfig& config, const BanditPlayers& players,
                                  const BanditSweepData& data);

}  // namespace emergence
