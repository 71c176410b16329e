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

Measurement measurement_of(const Fraction& share, const std::string& detail) {
    return {share.value, detail, Range{share.low, share.high}, share.total};
}

Measurement measurement_of(const FittedExponent& fitted, const std::string& detail, size_t n) {
    return {fitted.value, detail, Range{fitted.low, fitted.high}, static_cast<int64_t>(n)};
}

}  // namespace emergence
