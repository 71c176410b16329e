#pragma once
// Experiment "bandit-race": all chosen algorithms play one environment of Chen et al. 2025 side by side. One
// step is one round, so that pace, play and the time strip control the race.

#include "core/experiments/bandits/bandit_fields.h"
#include "core/experiments/common_fields.h"
#include "core/lab/study.h"

namespace emergence {

/// Every setting of experiment "bandit-race".
struct BanditRaceConfig : BanditWorldFields, BanditPlayerFields {
    std::string marked = "all";
    std::string timeline_of = "master-linucb";
    std::string first = "regret";
    int64_t seed = 0;
    int seeds = 1;
};

template <class Visitor>
void visit_fields(BanditRaceConfig& c, Visitor&& visit) {
    visit(
        FieldInfo{.name = "marked",
                  .label = "choices of",
                  .help =
                      "Whose choices are marked on the map of expected rewards. Zoom in with the wheel: each "
                      "algorithm has a lane in an arm's row, and its mark where there is room.",
                  .group = "pictures",
                  .applies = Applies::live,
                  .choices = {"all", "best arm", "linucb", "thompson", "sliding-window", "discounted",
                              "master-linucb", "master-thompson", "oracle-restart", "cosine-thompson",
                              "transformer", "random"}},
        c.marked);
    visit(
        FieldInfo{.name = "timeline_of",
                  .label = "timeline of",
                  .help =
                      "Whose instances, tests and restarts are drawn: that with the theory's constants plays "
                      "where those are chosen for MASTER.",
                  .group = "pictures",
                  .applies = Applies::live,
                  .choices = {"master-linucb", "master-thompson", "master-linucb-theory",
                              "master-thompson-theory"}},
        c.timeline_of);
    visit(
        FieldInfo{.name = "first",
                  .label = "first curves",
                  .help = "What stands first among the curves: the regret, or MASTER's instances and tests.",
                  .group = "pictures",
                  .applies = Applies::live,
                  .choices = {"regret", "instances"}},
        c.first);
    visit_bandit_world(c, visit);
    visit_bandit_choice(c, visit);
    visit_bandit_constants(c, visit);
    visit(FieldInfo{.name = "seed",
                    .label = "environment",
                    .help = "Its number: everything random in it is drawn from this.",
                    .group = "run",
                    .minimum = 0,
                    .maximum = 9e15},
          c.seed);
    visit(num_seeds_field("Environments side by side; map and timeline are the first one's."), c.seeds);
}

/// The experiment's entry in the registry.
ExperimentInfo bandit_race();

}  // namespace emergence
