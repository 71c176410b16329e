#include "core/experiments/registry.h"

#include "core/base/error.h"
#include "core/experiments/bandits/bandit_eval.h"
#include "core/experiments/bandits/bandit_race.h"
#include "core/experiments/bandits/bandit_sweep.h"
#include "core/experiments/bandits/bandit_train.h"
#include "core/experiments/in_context_td/construction.h"
#include "core/experiments/in_context_td/in_context_td.h"
#include "core/experiments/in_context_td/policy_evaluation.h"
#include "core/experiments/policy_improvement/policy_improvement.h"
#include "core/experiments/regression/regression.h"
#include "core/experiments/softmax_td/softmax_construction.h"
#include "core/experiments/softmax_td/softmax_convergence.h"
#include "core/experiments/softmax_td/softmax_td.h"

namespace emergence {

const std::vector<ExperimentInfo>& experiments() {
    // A line an experiment.
    // clang-format off
    static const std::vector<ExperimentInfo> table = {
        in_context_td(),
        policy_evaluation(),
        construction(),
        softmax_construction(),
        softmax_td(),
        softmax_convergence(),
        bandit_race(),
        bandit_eval(),
        bandit_sweep(),
        bandit_train(),
        regression(),
        sarsa(),
        actor_critic(),
    };
    // clang-format on
    return table;
}

const ExperimentInfo& find_experiment(const std::string& name) {
    std::string names;
    for (const ExperimentInfo& info : experiments()) {
        if (info.name == name) return info;
        names += (names.empty() ? "" : ", ") + info.name;
    }
    throw InputError("unknown experiment '" + name + "', there are: " + names);
}

}  // namespace emergence
