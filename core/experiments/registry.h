#pragma once
// Every experiment there is: an explicit table, one line each.

#include <string>
#include <vector>

#include "core/runtime/study.h"

namespace emergence {

const std::vector<ExperimentInfo>& experiments();

/// Throws InputError, listing the names, where there is none of that name.
const ExperimentInfo& find_experiment(const std::string& name);

/// What belongs to which paper.
struct Paper {
    std::string name;  // as `reproduce` takes it
    std::string citation;
    std::vector<std::string> experiments;  // by the registry's names
};

/// In the registry's order.
const std::vector<Paper>& papers();

}  // namespace emergence
