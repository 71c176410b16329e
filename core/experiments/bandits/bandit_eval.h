#pragma once
// Experiment "bandit-eval": all algorithms play the same many environments. One step plays one environment of
// each stream.

#include "core/experiments/bandits/bandit_fields.h"
#include "core/lab/study.h"
#include "core/settings/field_builder.h"

namespace emergence {

/// Every setting of experiment "bandit-eval".
struct BanditEvalConfig : BanditWorldFields, BanditPlayerFields, BanditStreamFields {
    std::string compare_with = "linucb";

    void fields(Fields& f);
};

/// The experiment's entry in the registry.
ExperimentInfo bandit_eval();

}  // namespace emergence
