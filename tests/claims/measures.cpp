#include "tests/claims/measures.h"

#include <map>

#include "core/base/error.h"
#include "core/experiments/registry.h"

namespace emergence {

const std::vector<ExperimentInfo>& measured_experiments() {
    static const std::vector<ExperimentInfo> all = [] {
        std::map<std::string, std::vector<NamedMeasure>> measures = {
            {"td", in_context_td_measures()},
            {"construction", construction_measures()},
            {"softmax-construction", softmax_construction_measures()},
            {"softmax-convergence", softmax_convergence_measures()},
            {"bandit-eval", bandit_eval_measures()},
            {"bandit-train", bandit_train_measures()},
            {"regression", regression_measures()},
            {"sarsa", improvement_measures(Improvement::sarsa)},
            {"actor-critic", improvement_measures(Improvement::actor_critic)},
            {"policy-flow", policy_flow_measures()}};
        for (NamedMeasure& one : bench_measures()) measures["td"].push_back(std::move(one));
        std::vector<ExperimentInfo> with_measures = experiments();
        for (ExperimentInfo& info : with_measures) {
            info.measures = measures[info.name];
            measures.erase(info.name);
        }
        check(measures.empty(), "each measurement is of an experiment");
        return with_measures;
    }();
    return all;
}

}  // namespace emergence
