#pragma once
// Puts a process around run_command_line(), for emergence-cli or emergence-verify (tests/claims).

#include <string>
#include <vector>

#include "core/lab/study.h"

namespace emergence::cli {

/// Does what `arguments` (without the program's name) ask of these experiments and returns the exit code.
int run_program(const std::vector<std::string>& arguments, const std::vector<ExperimentInfo>& experiments);

}  // namespace emergence::cli
