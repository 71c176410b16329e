#pragma once
// From a sweep as it was asked for on the command line to the sweep and its folder.

#include <filesystem>

#include "app/cli/commands.h"
#include "core/lab/sweeps/sweep_folder.h"

namespace emergence::cli {

struct AskedSweep {
    SweepText text;
    std::filesystem::path folder;
};

/// The sweep of a file, a folder, assets/sweeps or, for an experiment's name, around its settings, with what --preset,
/// --set, --score, --seeds, --x, --y and --at change. Throws InputError.
AskedSweep sweep_asked_for(const SweepRequest& request, const FindExperiment& find,
                           const Environment& environment);

}  // namespace emergence::cli
