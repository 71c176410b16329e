#pragma once

#include <functional>
#include <string>

namespace emergence {

struct ExperimentInfo;

/// Finds an experiment by its name; throws InputError for an unknown one.
using FindExperiment = std::function<const ExperimentInfo&(const std::string&)>;

}  // namespace emergence
