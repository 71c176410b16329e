#pragma once
// Saved runs, read from their folders for commands that look at what they came to.

#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/open/run_folder.h"
#include "core/lab/figures/comparison.h"

namespace emergence::cli {

/// The run of a folder; a notice goes to standard error. Throws InputError.
RunToOpen saved_run(const std::string& folder, const Environment& environment);

/// The runs as they were saved, named by their folders; two of one name by their whole paths. Throws InputError.
std::vector<ComparedRun> saved_runs(const std::vector<std::string>& folders, const Environment& environment);

}  // namespace emergence::cli
