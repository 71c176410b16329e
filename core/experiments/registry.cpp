#include "core/experiments/registry.h"

#include "core/base/error.h"
#include "core/experiments/construction.h"
#include "core/experiments/in_context_td.h"
#include "core/experiments/policy_evaluation.h"
#include "core/experiments/regression.h"

namespace emergence {

const std::vector<ExperimentInfo>& experiments() {
    static const std::vector<ExperimentInfo> table = {in_context_td(), policy_evaluation(), construction(),
                                                      regression()};
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
