#pragma once
// Experiment "bandit-race": all chosen algorithms play one environment of Chen et al. 2025 side by side. One
// step is one round, so that pace, play and the time strip control the race.

#include "core/experiments/bandits/bandit_fields.h"
#include "core/lab/study.h"
#include "core/settings/field_builder.h"

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

}  // namespace emergence
