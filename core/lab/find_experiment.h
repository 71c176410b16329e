#pragma once

#include <functional>
#include <string>

namespace emergence {

struct ExperimentInfo;

/// How an experiment is found by its name; throws InputError for an unknown one.
using FindExperiment = std::function<const ExperimentInfo&(const std::string&)>;

}  // namespace emergence
