#pragma once
// A saved run in forms that other programs read.

#include <string>

#include "core/lab/figures/comparison.h"

namespace emergence::cli {

/// One JSON object on a line for each seed and logged step; null for what is not known.
std::string json_lines(const ComparedRun& run);

/// A script of Python that needs nothing but PyTorch: the networks of a run of "td" as a module, and, when run, a
/// comparison of their values on a made-up prompt with ours. Throws InputError, naming the run, for another experiment
/// or network.
std::string torch_script(const ComparedRun& run);

}  // namespace emergence::cli
