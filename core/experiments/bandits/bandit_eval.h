#pragma once
// Experiment "bandit-eval": all algorithms play the same many environments. One step plays one environment of
// each stream.

#include "core/experiments/bandits/bandit_fields.h"
#include "core/experiments/common_fields.h"
#include "core/lab/study.h"

namespace emergence {

/// Every setting of experiment "bandit-eval".
struct BanditEvalConfig : BanditWorldFields, BanditPlayerFields {
    std::string compare_with = "linucb";
    int64_t num_environments = 50;
    int64_t seed = 0;
    int seeds = 4;
    int log_interval = 5;
};

/// Visits the settings of every experiment that plays many environments.
template <class Visitor, class Config>
void visit_bandit_run(Config& c, Visitor&& visit) {
    visit(FieldInfo{.name = "num_environments",
                    .label = "stop after",
                    .help = "Environments of each stream.",
                    .group = "run",
                    .unit = "environments",
                    .applies = Applies::live,
                    .minimum = 1,
                    .maximum = 1e5,
                    .logarithmic = true},
          c.num_environments);
    visit(first_seed_field("Each is a stream of environments of its own."), c.seed);
    visit(num_seeds_field("How many independent streams of environments."), c.seeds);
    visit(log_interval_field("environments"), c.log_interval);
}

template <class Visitor>
void visit_fields(BanditEvalConfig& c, Visitor&& visit) {
    visit_bandit_world(c, visit);
    visit_bandit_choice(c, visit);
    visit_bandit_constants(c, visit);
    visit(FieldInfo{.name = "compare_with",
                    .label = "differences from",
                    .help = "Each algorithm's regret minus this one's on the same environment.",
                    .group = "pictures",
                    .applies = Applies::live,
                    .choices = {"linucb", "thompson", "sliding-window", "discounted", "master-linucb",
                                "master-thompson", "oracle-restart", "cosine-thompson", "transformer",
                                "random"}},
          c.compare_with);
    visit_bandit_run(c, visit);
}

/// The experiment's entry in the registry.
ExperimentInfo bandit_eval();

}  // namespace emergence
