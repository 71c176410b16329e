#pragma once
// Every experiment there is: an explicit table, one line each.

#include <string>
#include <vector>

#include "core/runtime/study.h"

namespace emergence {

const std::vector<ExperimentInfo>& experiments();

/// Throws InputError, listing the names, where there is none of that name.
const ExperimentInfo& find_experiment(const std::string& name);

}  // namespace emergence
