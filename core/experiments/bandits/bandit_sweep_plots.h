#pragma once
// The points of a sweep and the pictures of experiment "bandit-sweep".

#include <vector>

#include "core/experiments/bandits/bandit_players.h"
#include "core/experiments/bandits/bandit_sweep.h"
#include "core/lab/metrics.h"
#include "core/lab/snapshot.h"
#include "core/measures/regret_law.h"

namespace emergence {

/// The world's fields at each point of the sweep, by amount or rounds, ascending.
std::vector<BanditWorldFields> sweep_points(const BanditSweepConfig& config);

/// Who plays at all of them. Over the amount a network's badge is about the family alone: how far it was
/// trained the plot shades.
BanditPlayers sweep_players(const BanditSweepConfig& config);

/// Final regrets of single environments.
struct BanditSweepData {
    std::vector<std::vector<std::vector<double>>> regret;  // [player][environment][point]
    std::vector<std::vector<double>> variation;            // [environment][point]: Delta of Definition 1
};

/// What is on the x axis: T, b, J, or for drift the mean Delta of the environments.
struct SweepAxis {
    std::string label;
    std::vector<double> x;
};
SweepAxis sweep_axis(const BanditSweepConfig& config, const BanditSweepData& data);

/// Each player's exponent: log mean final regret against log x.
std::vector<FittedExponent> sweep_exponents(const BanditSweepConfig& config, const BanditSweepData& data);

/// Final regret, log-log, a row an environment, with guides of slope 1/2 and 1/3.
PlotSpec sweep_plot(const BanditSweepConfig& config, const BanditPlayers& players,
                    const BanditSweepData& data);
std::vector<Scalar> sweep_scalars(const BanditSweepConfig& config, const BanditPlayers& players,
                                  const BanditSweepData& data);

}  // namespace emergence
