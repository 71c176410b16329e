#pragma once
// Experiment "bandit-sweep": final regret against the amount of non-stationarity, or against the number of
// rounds. One step plays one environment of each stream at every point of the sweep.

#include "core/experiments/bandits/bandit_eval.h"

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

}  // namespace emergence
