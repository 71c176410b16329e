#pragma once
// Points of a sweep, and pictures of experiment "bandit-sweep".

#include <vector>

#include "core/experiments/bandits/bandit_players.h"
#include "core/experiments/bandits/bandit_sweep.h"
#include "core/lab/metrics.h"
#include "core/lab/snapshot.h"
#include "core/measures/regret_law.h"

namespace emergence {

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
PlotSpec sweep_plot(const BanditSweepConfig& config, const BanditPlayers& players,
                    const BanditSweepData& data);

/// The number of environments, and each player's exponent with its 95 % interval.
std::vector<Scalar> sweep_scalars(const BanditSweepConfig& config, const BanditPlayers& players,
                                  const BanditSweepData& data);

}  // namespace emergence
